package io.koopstream.internal.linalg;

/** A square matrix known by what it does to a vector. */
@FunctionalInterface
public interface LinearMap {

    /** out = A v; {@code v} is not modified. */
    void apply(double[] v, double[] out);
}
