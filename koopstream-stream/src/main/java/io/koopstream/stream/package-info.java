/**
 * From records to a model: {@link io.koopstream.stream.LearningStream} pairs observations along
 * trajectories, chooses settings from the first ones, watches the one-step error and the dynamics, and learns. Everything is a function of the settings
 * and the observations alone.
 */
package io.koopstream.stream;
