/**
 * Learners as state of Apache Flink: one model per key, learned exactly once, with the same bits as without Flink. No arithmetic happens
 * here; records become a model in {@code io.koopstream.stream}, and models are stored by {@code io.koopstream.io}.
 *
 * <p>What all stored state has in common is in {@code io.koopstream.flink.state}. Serializers, their snapshots and type information stay here: savepoints
 * hold their names.
 */
package io.koopstream.flink;
