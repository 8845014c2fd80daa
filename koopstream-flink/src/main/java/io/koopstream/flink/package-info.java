/**
 * Learners as state of Apache Flink: one model per key, learned exactly once, with the same bits as without Flink. No arithmetic happens
 * here; records become a model in {@code io.koopstream.stream}, and models are stored by {@code io.koopstream.io}.
 */
package io.koopstream.flink;
