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
final class VectorProvider extends PlainProvider {

    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

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
    public void squaredDistances(
            double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n) {
        new VectorPairs(p, scales, from, to).compute(x, count, out, n);
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
    public void product(double gamma, Region region, Factor x, Factor w, int depth, Workspace workspace) {
        VectorProducts.product(gamma, region, x, w, depth, workspace);
    }

    @Override
    public void solve(Matrix x, int fromRow, int toRow, PackedFactor lower, Workspace workspace) {
        VectorProducts.solve(x, fromRow, toRow, lower, workspace);
    }

    @Override
    public void rotate(double[] panel, int column, int step, double[] cosines, double[] sines, int from, int count) {
        for (int row = 0; row < PANEL_ROWS; row += 2 * LANES) {
            rotateRows(panel, column * PANEL_ROWS + row, step * PANEL_ROWS, cosines, sines, from, from + count);
        }
    }

    /** Two vectors of rows. */
    private static void rotateRows(
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
}
