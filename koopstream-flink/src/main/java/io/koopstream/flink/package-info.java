/**
 * Learners as state of Apache Flink: one model a key, learned exactly once, with the same bits as without Flink. No arithmetic happens
 * here; models are updated by {@code io.koopstream.learner} and stored by {@code io.koopstream.io}.
 *
 * <p>Savepoints name classes: the snapshots of the serializers here, and {@code ModelParts} with its fields. So these, and the serializers
 * that go with them, stay in this package; {@code state} holds only what no savepoint names.
 */
package io.koopstream.flink;
