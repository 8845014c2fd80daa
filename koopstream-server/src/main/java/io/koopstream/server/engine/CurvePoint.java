package io.koopstream.server.engine;

/**
 * A reading along the stream.
 *
 * @param pairs pairs seen
 * @param error running mean of the one-step error ‖φ(x⁺) − U φ(x)‖
 * @param dictionary kept samples
 */
public record CurvePoint(long pairs, double error, int dictionary) {}
