package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * An element Σ_i w_i φ(p_i) of an RKHS: read as a function it is x ↦ Σ_i w_i κ(p_i, x), read as a distribution it is the
 * kernel mean embedding (section 3) of weights w_i on the points p_i. Immutable.
 */
public final class RkhsElement {

    private final Rkhs space;
    private final Points points;
    private final double[] weights;

    /** Takes over its arguments; callers inside the package never write to them again. */
    RkhsElement(Rkhs space, Points points, double[] weights) {
        this.space = space;
        this.points = points;
        this.weights = weights;
    }

    /** Σ_i w_i φ(p_i); rows are points. */
    public static RkhsElement of(Rkhs space, double[][] points, double[] weights) {
        InvalidQueryException.require(
                points.length == weights.length, points.length + " points but " + weights.length + " weights");
        for (int i = 0; i < points.length; i++) {
            space.requireQuery(points[i], "points[" + i + "]");
            if (!Double.isFinite(weights[i])) {
                throw new InvalidQueryException("weights[" + i + "] = " + weights[i] + ": must be finite");
            }
        }
        return new RkhsElement(space, Points.of(space.dimension(), points), weights.clone());
    }

    /** The empirical mean embedding (1/n) Σ φ(x_i) of samples; rows are samples. */
    public static RkhsElement meanEmbedding(Rkhs space, double[][] samples) {
        InvalidQueryException.require(samples.length != 0, "the mean embedding of no samples is not defined");
        double[] weights = new double[samples.length];
        Arrays.fill(weights, 1.0 / samples.length);
        return of(space, samples, weights);
    }

    /** φ(x), the embedding of a point. */
    public static RkhsElement feature(Rkhs space, double[] x) {
        return of(space, new double[][] {x}, new double[] {1.0});
    }

    /** The space it lives in. */
    public Rkhs space() {
        return space;
    }

    /** The points p_i, copied. */
    public double[][] points() {
        return points.toRows();
    }

    /** The weights w_i, copied. */
    public double[] weights() {
        return weights.clone();
    }

    Points sharedPoints() {
        return points;
    }

    double[] sharedWeights() {
        return weights;
    }

    /** The element as a function: Σ_i w_i κ(p_i, x) = ⟨this, φ(x)⟩. */
    public double at(double[] x) {
        space.requireQuery(x, "x");
        return at(x, new double[points.size()], new Scratch());
    }

    private double at(double[] x, double[] row, Scratch scratch) {
        space.kernel().row(space.view(), points, x, row, scratch);
        return Vectors.dot(row, weights, points.size());
    }

    /** The element as a distribution: Σ_i w_i f(p_i). The weights need not sum to one. */
    public double expect(ToDoubleFunction<double[]> f) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum = Math.fma(weights[i], Observables.value(f, points.get(i)), sum);
        }
        return sum;
    }

    /** ⟨this, other⟩. */
    public double inner(RkhsElement other) {
        requireSameSpace(other);
        double[] row = new double[points.size()];
        double[] point = new double[space.dimension()];
        Scratch scratch = new Scratch();
        double sum = 0;
        for (int j = 0; j < other.weights.length; j++) {
            other.points.get(j, point);
            sum = Math.fma(other.weights[j], at(point, row, scratch), sum);
        }
        return sum;
    }

    /** ‖this‖. */
    public double norm() {
        return Math.sqrt(Math.max(0.0, inner(this)));
    }

    /** this + factor * other. */
    public RkhsElement plus(double factor, RkhsElement other) {
        requireSameSpace(other);
        Points union = points.copy();
        union.reserve(points.size() + other.points.size());
        double[] combined = Arrays.copyOf(weights, weights.length + other.weights.length);
        double[] point = new double[space.dimension()];
        for (int j = 0; j < other.weights.length; j++) {
            other.points.get(j, point);
            union.add(point);
            combined[weights.length + j] = factor * other.weights[j];
        }
        return new RkhsElement(space, union, combined);
    }

    /** ‖this − other‖; between mean embeddings this is the maximum mean discrepancy (MMD). */
    public double distance(RkhsElement other) {
        return plus(-1.0, other).norm();
    }

    private void requireSameSpace(RkhsElement other) {
        if (!space.equals(other.space)) {
            throw new InvalidQueryException("elements of different spaces: " + space + " and " + other.space);
        }
    }
}
