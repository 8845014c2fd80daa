/**
 * Benchmark systems whose truth is known: each class is a data sheet with equation, parameters, start distribution,
 * integrator and exact facts, under a versioned id. Simulation is a function of (id, seed) alone.
 */
package io.koopstream.systems;
