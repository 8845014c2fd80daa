package io.koopstream.internal.linalg;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API (module {@code jdk.incubator.vector}), for machines with 4 or 8 doubles a vector. Made by {@link Providers} through
 * its name, so that everything else runs without the module.
 */
final class VectorProvider implements Provider {

    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private final BlockProducts blocks = new TiledProducts(new VectorTile());

    VectorProvider() {
        if (LANES != 4 && LANES != 8) {
            throw new UnsupportedOperationException("vectors of " + LANES + " doubles on this machine, need 4 or 8");
        }
        // Loads the class now: later there may be no file handle left to read it with.
        squaredDistances(new double[0][], new double[0][], 0, null, 0, 0, new double[0][], 0);
    }

    @Override
    public String name() {
        return "vector";
    }

    private static DoubleVector load(double[] x, int i) {
        return DoubleVector.fromArray(SPECIES, x, i);
    }

    @Override
    public double dot(double[] x, double[] y, int from, int to) {
        int i = from;
        double sum = 0;
        if (to - from >= 8) {
            if (LANES == 8) {
                DoubleVector s = DoubleVector.zero(SPECIES);
                for (; i + 8 <= to; i += 8) {
                    s = load(x, i).fma(load(y, i), s);
                }
                sum = ((s.lane(0) + s.lane(4)) + (s.lane(2) + s.lane(6)))
                        + ((s.lane(1) + s.lane(5)) + (s.lane(3) + s.lane(7)));
            } else {
                DoubleVector low = DoubleVector.zero(SPECIES);
                DoubleVector high = DoubleVector.zero(SPECIES);
                for (; i + 8 <= to; i += 8) {
                    low = load(x, i).fma(load(y, i), low);
                    high = load(x, i + 4).fma(load(y, i + 4), high);
                }
                DoubleVector s = low.add(high);
                sum = (s.lane(0) + s.lane(2)) + (s.lane(1) + s.lane(3));
            }
        }
        for (; i < to; i++) {
            sum = Math.fma(x[i], y[i], sum);
        }
        return sum;
    }

    @Override
    public void axpy(double a, double[] x, double[] y, int from, int to) {
        int i = from;
        for (; i + LANES <= to; i += LANES) {
            load(x, i).fma(DoubleVector.broadcast(SPECIES, a), load(y, i)).intoArray(y, i);
        }
        for (; i < to; i++) {
            y[i] = Math.fma(a, x[i], y[i]);
        }
    }

    @Override
    public void axpy4(double a0, double a1, double a2, double a3, double[][] x, int j, double[] y, int from, int to) {
        four(a0, a1, a2, a3, x[j], x[j + 1], x[j + 2], x[j + 3], y, from, to);
    }

    private static void four(
            double a0,
            double a1,
            double a2,
            double a3,
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3,
            double[] y,
            int from,
            int to) {
        DoubleVector b0 = DoubleVector.broadcast(SPECIES, a0);
        DoubleVector b1 = DoubleVector.broadcast(SPECIES, a1);
        DoubleVector b2 = DoubleVector.broadcast(SPECIES, a2);
        DoubleVector b3 = DoubleVector.broadcast(SPECIES, a3);
        int i = from;
        for (; i + LANES <= to; i += LANES) {
            DoubleVector sum = load(x0, i).fma(b0, load(y, i));
            sum = load(x1, i).fma(b1, sum);
            sum = load(x2, i).fma(b2, sum);
            load(x3, i).fma(b3, sum).intoArray(y, i);
        }
        for (; i < to; i++) {
            y[i] = Math.fma(a3, x3[i], Math.fma(a2, x2[i], Math.fma(a1, x1[i], Math.fma(a0, x0[i], y[i]))));
        }
    }

    @Override
    public void scaleAdd(double c, double[] x, double a, double[] u, int n) {
        int i = 0;
        for (; i + LANES <= n; i += LANES) {
            load(u, i)
                    .fma(DoubleVector.broadcast(SPECIES, a), load(x, i).mul(c))
                    .intoArray(x, i);
        }
        for (; i < n; i++) {
            x[i] = Math.fma(a, u[i], c * x[i]);
        }
    }

    @Override
    public void scale(double a, double[] x, int n) {
        int i = 0;
        for (; i + LANES <= n; i += LANES) {
            load(x, i).mul(a).intoArray(x, i);
        }
        for (; i < n; i++) {
            x[i] *= a;
        }
    }

    @Override
    public void addSquaredDifferences(double[] p, double center, double scale, double[] sum, int n) {
        int i = 0;
        for (; i + LANES <= n; i += LANES) {
            DoubleVector difference = load(p, i).sub(center).mul(scale);
            difference.fma(difference, load(sum, i)).intoArray(sum, i);
        }
        for (; i < n; i++) {
            double difference = (p[i] - center) * scale;
            sum[i] = Math.fma(difference, difference, sum[i]);
        }
    }

    @Override
    public void squaredDistances(
            double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n) {
        new VectorPairs(false, p, scales, from, to).compute(x, count, out, n);
    }

    @Override
    public void dots(double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n) {
        new VectorPairs(true, p, scales, from, to).compute(x, count, out, n);
    }

    @Override
    public void expOfMultiple(double a, double[] x, int n) {
        exp(false, 0, a, x, x, n);
    }

    @Override
    public void addExpOfMultiple(double w, double a, double[] x, double[] sum, int n) {
        exp(true, w, a, x, sum, n);
    }

    /**
     * {@link Exp#exp} step by step; where a result is not a normal number, that function itself. One long method on purpose: C2 compiles it by
     * itself, while a short one would be inlined into its callers and their depth would leave operations on vectors behind as calls.
     */
    private static void exp(boolean add, double w, double a, double[] x, double[] out, int n) {
        DoubleVector weight = DoubleVector.broadcast(SPECIES, w);
        int i = 0;
        for (; i + LANES <= n; i += LANES) {
            DoubleVector given = load(x, i).mul(a);
            // Far points are many where a kernel is narrow: exactly zero, and not worth leaving the vector for. No
            // choice between two vectors
            // here: once both sides of a branch have been taken, the compiler would put them into objects.
            VectorMask<Double> zero = given.compare(VectorOperators.LT, -Exp.VANISHES);
            DoubleVector argument = given.blend(0.0, zero);
            // One comparison, a little narrower than the range in which results are normal.
            if (!argument.abs().compare(VectorOperators.LE, -Exp.MIN_NORMAL).allTrue()) {
                expOneByOne(add, w, a, x, out, i, i + LANES);
                continue;
            }
            DoubleVector shifted = argument.fma(
                    DoubleVector.broadcast(SPECIES, Exp.INV_LN2), DoubleVector.broadcast(SPECIES, Exp.ROUND));
            DoubleVector minusK = DoubleVector.broadcast(SPECIES, Exp.ROUND).sub(shifted);
            DoubleVector r = minusK.fma(
                    DoubleVector.broadcast(SPECIES, Exp.LN2_LO),
                    minusK.fma(DoubleVector.broadcast(SPECIES, Exp.LN2_HI), argument));
            DoubleVector p = r.fma(DoubleVector.broadcast(SPECIES, Exp.C13), DoubleVector.broadcast(SPECIES, Exp.C12));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C11));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C10));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C9));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C8));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C7));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C6));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C5));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C4));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C3));
            p = r.fma(p, DoubleVector.broadcast(SPECIES, Exp.C2));
            DoubleVector mantissa = r.mul(r).fma(p, r).add(1.0);
            // The low bits of `shifted` are k; moved to the place of the exponent they multiply by 2^k, exactly.
            LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
            DoubleVector value = mantissa.reinterpretAsLongs()
                    .add(exponent)
                    .reinterpretAsDoubles()
                    .blend(0.0, zero);
            if (add) {
                value.fma(weight, load(out, i)).intoArray(out, i);
            } else {
                value.intoArray(out, i);
            }
        }
        expOneByOne(add, w, a, x, out, i, n);
    }

    private static void expOneByOne(boolean add, double w, double a, double[] x, double[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            double value = Exp.exp(a * x[i]);
            out[i] = add ? Math.fma(w, value, out[i]) : value;
        }
    }

    @Override
    public BlockProducts blocks() {
        return blocks;
    }

    @Override
    public void rotate(double[] panel, int column, int step, double[] cosines, double[] sines, int from, int count) {
        // Two or four vectors of rows: as many chains as hide the latency of the one before.
        if (LANES == 8) {
            rotateTwo(panel, column * PANEL_ROWS, step * PANEL_ROWS, cosines, sines, from, from + count);
        } else {
            rotateFour(panel, column * PANEL_ROWS, step * PANEL_ROWS, cosines, sines, from, from + count);
        }
    }

    private static void rotateTwo(
            double[] panel, int start, int stride, double[] cosines, double[] sines, int from, int to) {
        int at = start;
        DoubleVector x0 = load(panel, at);
        DoubleVector x1 = load(panel, at + LANES);
        for (int k = from; k < to; k++) {
            DoubleVector c = DoubleVector.broadcast(SPECIES, cosines[k]);
            DoubleVector s = DoubleVector.broadcast(SPECIES, sines[k]);
            DoubleVector minus = DoubleVector.broadcast(SPECIES, -sines[k]);
            int next = at + stride;
            DoubleVector y0 = load(panel, next);
            DoubleVector y1 = load(panel, next + LANES);
            y0.fma(s, x0.mul(c)).intoArray(panel, at);
            y1.fma(s, x1.mul(c)).intoArray(panel, at + LANES);
            x0 = x0.fma(minus, y0.mul(c));
            x1 = x1.fma(minus, y1.mul(c));
            at = next;
        }
        x0.intoArray(panel, at);
        x1.intoArray(panel, at + LANES);
    }

    private static void rotateFour(
            double[] panel, int start, int stride, double[] cosines, double[] sines, int from, int to) {
        int at = start;
        DoubleVector x0 = load(panel, at);
        DoubleVector x1 = load(panel, at + LANES);
        DoubleVector x2 = load(panel, at + 2 * LANES);
        DoubleVector x3 = load(panel, at + 3 * LANES);
        for (int k = from; k < to; k++) {
            DoubleVector c = DoubleVector.broadcast(SPECIES, cosines[k]);
            DoubleVector s = DoubleVector.broadcast(SPECIES, sines[k]);
            DoubleVector minus = DoubleVector.broadcast(SPECIES, -sines[k]);
            int next = at + stride;
            DoubleVector y0 = load(panel, next);
            DoubleVector y1 = load(panel, next + LANES);
            DoubleVector y2 = load(panel, next + 2 * LANES);
            DoubleVector y3 = load(panel, next + 3 * LANES);
            y0.fma(s, x0.mul(c)).intoArray(panel, at);
            y1.fma(s, x1.mul(c)).intoArray(panel, at + LANES);
            y2.fma(s, x2.mul(c)).intoArray(panel, at + 2 * LANES);
            y3.fma(s, x3.mul(c)).intoArray(panel, at + 3 * LANES);
            x0 = x0.fma(minus, y0.mul(c));
            x1 = x1.fma(minus, y1.mul(c));
            x2 = x2.fma(minus, y2.mul(c));
            x3 = x3.fma(minus, y3.mul(c));
            at = next;
        }
        x0.intoArray(panel, at);
        x1.intoArray(panel, at + LANES);
        x2.intoArray(panel, at + 2 * LANES);
        x3.intoArray(panel, at + 3 * LANES);
    }
}
