package io.koopstream.learner.leastsquares;

import io.koopstream.internal.dictionary.BlockCoordinates;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.kernel.Points;

/**
 * A block of pairs for online least squares, with the arithmetic of whole matrices: all its states are measured at once, and one product of
 * matrices brings each statistic up to date, in another thread where one is free. In the Koopman case x⁺ of a pair and x of the next are one state where they are equal.
 * One caller.
 */
final class LeastSquaresBlock {

    /** Pairs that are counted again at once. */
    private static final int AT_ONCE = 64;

    private final Products products;
    /** Adds a block while the next one is measured. */
    private final Products adder = new Products();

    private Products.Submitted adding = Products.Submitted.DONE;
    private final boolean oneSpace;
    private final BlockCoordinates inputs = new BlockCoordinates();
    private final BlockCoordinates outputs;
    private final Matrix x = new Matrix(0, 0);
    private final Matrix y = new Matrix(0, 0);
    private final Matrix differences = new Matrix(0, 0);
    private Points inputStates;
    private Points outputStates;
    /** The states of each pair. */
    private int[] from = new int[0];

    private int[] to = new int[0];
    private int pairs;

    LeastSquaresBlock(Products products, boolean oneSpace) {
        this.products = products;
        this.oneSpace = oneSpace;
        this.outputs = oneSpace ? inputs : new BlockCoordinates();
    }

    /** Measures all states of the pairs that wait. */
    void measure(PairDictionary dictionary, PendingSamples pending) {
        pairs = pending.size();
        if (from.length < pairs) {
            from = new int[pairs];
            to = new int[pairs];
        }
        if (oneSpace) {
            gather(pending);
            inputs.measure(dictionary.inputs(), inputStates, products);
            return;
        }
        for (int s = 0; s < pairs; s++) {
            from[s] = s;
            to[s] = s;
        }
        inputStates = pending.inputs();
        outputStates = pending.outputs();
        inputs.measure(dictionary.inputs(), inputStates, products);
        outputs.measure(dictionary.outputs(), outputStates, products);
    }

    /** The states of all pairs, in order, a state that ends one pair and begins the next once. */
    private void gather(PendingSamples pending) {
        Points states = new Points(pending.inputs().dimension());
        states.reserve(2 * pairs);
        double[] point = new double[states.dimension()];
        for (int s = 0; s < pairs; s++) {
            if (s > 0 && pending.continuesAt(s)) {
                from[s] = to[s - 1];
            } else {
                from[s] = states.size();
                pending.inputs().get(s, point);
                states.add(point);
            }
            to[s] = states.size();
            pending.outputs().get(s, point);
            states.add(point);
        }
        inputStates = states;
        outputStates = states;
    }

    int pairs() {
        return pairs;
    }

    /** The sums over pairs, all of them counted with the dictionary as it is now: along points that were kept after them too. */
    LeastSquaresSums sums(LeastSquaresConfig config, PairDictionary dictionary, PendingSamples all) {
        LeastSquaresSums sums = LeastSquaresSums.over(config, dictionary);
        for (int counted = 0; counted < all.size(); counted += AT_ONCE) {
            PendingSamples part = all.range(counted, Math.min(all.size(), counted + AT_ONCE));
            measure(dictionary, part);
            addTo(sums, config.forgetting(), part.size());
        }
        finish();
        // The copy has both triangles of S.
        return sums.copy();
    }

    /** True if a side of pair s is missed by more than ε. */
    boolean isNovel(int s, double epsilon) {
        return inputs.isNovel(from[s], epsilon) || outputs.isNovel(to[s], epsilon);
    }

    /** Copies the coordinates of one side of pair s. */
    void take(boolean input, int s, PointCoordinates state) {
        state.take(input ? inputs : outputs, input ? from[s] : to[s]);
    }

    /** One side of pair s is kept: the states after it get its coordinate. */
    void append(boolean input, int s) {
        (input ? inputs : outputs).append(input ? from[s] : to[s]);
    }

    /** Waits until the sums hold all that was added to them. */
    void finish() {
        Products.Submitted last = adding;
        adding = Products.Submitted.DONE;
        last.await();
    }

    /** Adds the first {@code count} pairs to the sums, which have grown to the size of the dictionaries. S, T and V are known after {@link #finish}. */
    void addTo(LeastSquaresSums sums, double forgetting, int count) {
        finish();
        gatherRows(inputs.rows(), from, count, x);
        gatherRows(outputs.rows(), to, count, y);
        int d = sums.squares().rows();
        differences.resizeToOverwrite(count, d + 1);
        for (int c = 0; c <= d; c++) {
            double[] column = differences.column(c);
            for (int s = 0; s < count; s++) {
                column[s] = c == d
                        ? 1
                        : outputStates.get(to[s], c) - (c < inputStates.dimension() ? inputStates.get(from[s], c) : 0);
            }
        }
        adding = sums.add(forgetting, x, y, differences, adder);
    }

    private static void gatherRows(Matrix rows, int[] which, int count, Matrix out) {
        out.resizeToOverwrite(count, rows.columns());
        for (int j = 0; j < rows.columns(); j++) {
            double[] source = rows.column(j);
            double[] target = out.column(j);
            for (int s = 0; s < count; s++) {
                target[s] = source[which[s]];
            }
        }
    }
}
