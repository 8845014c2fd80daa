/**
 * Learning from a stream, by two methods behind one {@code Learner}, with their settings ({@code MethodConfig}) and states ({@code LearnerState}):
 * Algorithm 1 (sparse stochastic operator gradient descent, {@code Algorithm1.step}) with its schedules and budgets, and online least squares;
 * and the batch estimator both approach. A learner has one writer; its snapshots are immutable and shared freely.
 */
package io.koopstream.learner;
