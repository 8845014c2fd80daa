/**
 * Learners as state of Apache Flink: one model a key, learned exactly once, with the same bits as without Flink. No arithmetic happens
 * here; models are updated by {@code io.koopstream.learner} and stored by {@code io.koopstream.io}.
 */
package io.koopstream.flink;
