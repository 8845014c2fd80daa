/** The ready Flink job: samples from Kafka, learners as keyed state, predictions, models and events to Kafka or files; one YAML file says it all. */
package io.koopstream.flink.job;
