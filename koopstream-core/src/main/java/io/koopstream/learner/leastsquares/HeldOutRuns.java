package io.koopstream.learner.leastsquares;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.PackedFactor;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The held-out pairs of a state in the coordinates of its dictionary, for judging operators and regressions; errors come one a run, because pairs
 * of a run are no independent witnesses. Immutable.
 */
final class HeldOutRuns {

    private final Products products = new Products();
    private final NewtonBasis inputs;
    /** Coordinates of x and x⁺, one per column, and what the dictionary misses of each x⁺, squared. */
    private final Matrix from;

    private final Matrix to;
    private final double[] missed;
    private final double[][] x;
    private final double[][] xNext;
    /** First pair of each run, followed by the number of pairs. */
    private final int[] begins;
    /** Pairs (i, j) such that x⁺ of pair j comes {@code lag} steps after x of pair i. */
    private final List<int[]> longPairs = new ArrayList<>();

    private final int lag;
    private final int targets;

    /**
     * @param spectra whether risks are asked for; if not, only errors of increments
     * @param lag the longer lag, a power of two
     */
    HeldOutRuns(LeastSquaresState state, boolean spectra, int lag, int maxStarts) {
        HoldOut held = state.holdOut();
        this.lag = lag;
        x = held.inputs();
        xNext = held.outputs();
        begins = begins(held.runNumbers());
        inputs = state.inputBasis();
        from = coordinates(inputs, x);
        to = spectra ? coordinates(state.outputBasis(), xNext) : new Matrix(0, 0);
        missed = new double[x.length];
        for (int i = 0; i < x.length && spectra; i++) {
            missed[i] = Math.max(
                    0.0, state.outputBasis().squaredNorm(xNext[i]) - Vectors.squaredNorm(to.column(i), to.rows()));
        }
        targets = state.config().targets();
        if (spectra && state.config().isOneSpace()) {
            findLong(maxStarts);
        }
    }

    private static int[] begins(long[] numbers) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            if (i == 0 || numbers[i] != numbers[i - 1]) {
                starts.add(i);
            }
        }
        starts.add(numbers.length);
        return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    private Matrix coordinates(NewtonBasis basis, double[][] rows) {
        Matrix result = new Matrix(0, 0);
        basis.coordinateRows(
                Points.of(basis.space().dimension(), rows), result, new PackedFactor(), products, new Scratch());
        return result.transposed();
    }

    /** Starts evenly spread over all stretches of consecutive pairs that are long enough. */
    private void findLong(int maxStarts) {
        List<int[]> all = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < x.length; i++) {
            boolean continues = i > 0 && Arrays.equals(x[i], xNext[i - 1]) && Arrays.binarySearch(begins, i) < 0;
            first = continues ? first : i;
            if (i - first + 1 >= lag) {
                all.add(new int[] {i - lag + 1, i});
            }
        }
        int wanted = Math.min(maxStarts, all.size());
        for (int k = 0; k < wanted; k++) {
            longPairs.add(all.get((int) ((long) k * all.size() / wanted)));
        }
    }

    int pairs() {
        return x.length;
    }

    /** The squared one-step error of each pair over persistence's mean square, averaged over the coordinates that move. */
    double[] incrementErrors(RidgeFamily family, double lambda) {
        Matrix readout = family.increments(lambda);
        Matrix predicted = new Matrix(readout.columns(), x.length);
        products.gram(0, predicted, readout, from);
        double[] result = new double[x.length];
        int counted = 0;
        for (int c = 0; c < targets; c++) {
            double still = 0;
            for (int i = 0; i < x.length; i++) {
                still = Math.fma(increment(i, c), increment(i, c), still);
            }
            for (int i = 0; i < x.length && still > 0; i++) {
                double error = increment(i, c) - predicted.get(c, i);
                result[i] += error * error / still * x.length;
            }
            counted += still > 0 ? 1 : 0;
        }
        for (int i = 0; i < x.length && counted > 0; i++) {
            result[i] /= counted;
        }
        return result;
    }

    private double increment(int pair, int c) {
        return xNext[pair][c] - (c < x[pair].length ? x[pair][c] : 0);
    }

    /** The mean over each run of a value for each pair. */
    double[] overRuns(double[] values) {
        double[] means = new double[begins.length - 1];
        for (int r = 0; r < means.length; r++) {
            for (int i = begins[r]; i < begins[r + 1]; i++) {
                means[r] += values[i] / (begins[r + 1] - begins[r]);
            }
        }
        return means;
    }

    /** The mean over each run of ‖φ(x⁺) − U φ(x)‖². */
    double[] risk(Matrix operator) {
        Matrix image = new Matrix(operator.rows(), x.length);
        products.multiply(0, image, operator, from);
        return meansOverRuns(image);
    }

    private double[] meansOverRuns(Matrix image) {
        double[] errors = new double[x.length];
        Arrays.setAll(errors, i -> squaredError(image.column(i), i));
        return overRuns(errors);
    }

    /**
     * The risk of all ranks of a reduced-rank regression up to a largest: entry r − 1 holds the means over the runs at rank r. O(n m) a rank.
     */
    double[][] risks(RidgeFamily.ReducedRank reduced, int largest) {
        Matrix parts = new Matrix(reduced.right.columns(), x.length);
        products.gram(0, parts, reduced.right, from);
        Matrix image = new Matrix(to.rows(), x.length);
        double[][] risks = new double[largest][begins.length - 1];
        for (int r = 0; r < largest; r++) {
            double[] direction = reduced.left.column(r);
            for (int i = 0; i < x.length; i++) {
                Vectors.axpy(parts.get(r, i), direction, image.column(i), 0, to.rows());
            }
            risks[r] = meansOverRuns(image);
        }
        return risks;
    }

    private double squaredError(double[] image, int i) {
        double[] target = to.column(i);
        double sum = missed[i];
        for (int k = 0; k < to.rows(); k++) {
            double error = target[k] - image[k];
            sum = Math.fma(error, error, sum);
        }
        return sum;
    }

    /** The mean over each run of ‖φ(x_ℓ) − U^ℓ φ(x_0)‖² at the longer lag; only runs that have such pairs. */
    double[] longRisk(Matrix operator) {
        if (longPairs.isEmpty()) {
            return new double[0];
        }
        Matrix start = new Matrix(inputs.size(), longPairs.size());
        for (int k = 0; k < longPairs.size(); k++) {
            start.setColumn(k, 1, from.column(longPairs.get(k)[0]));
        }
        Matrix power = operator;
        for (int s = 1; s < lag; s *= 2) {
            power = power.times(power);
        }
        Matrix image = power.times(start);
        double[] sums = new double[begins.length - 1];
        int[] counts = new int[sums.length];
        for (int k = 0; k < longPairs.size(); k++) {
            int i = longPairs.get(k)[1];
            int run = Arrays.binarySearch(begins, i);
            run = run >= 0 ? run : -run - 2;
            double error = squaredError(image.column(k), i);
            // An operator that grows leaves the range of numbers: as bad as can be.
            sums[run] += Double.isFinite(error) ? error : Double.MAX_VALUE / x.length;
            counts[run]++;
        }
        int filled = 0;
        for (int r = 0; r < sums.length; r++) {
            if (counts[r] > 0) {
                sums[filled++] = sums[r] / counts[r];
            }
        }
        return Arrays.copyOf(sums, filled);
    }
}
