/**
 * Learning from a stream: Algorithm 1 (sparse stochastic operator gradient descent), its schedules and budgets, and the
 * batch estimator it converges to. A learner has one writer; its snapshots are immutable and shared freely.
 */
package io.koopstream.learner;
