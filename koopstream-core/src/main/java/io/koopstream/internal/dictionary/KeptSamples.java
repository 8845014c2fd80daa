package io.koopstream.internal.dictionary;

import static io.koopstream.InvalidStateException.require;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Arrays;

/**
 * The kept samples of a learner: how many it saw, which of them it kept, and the factored dictionaries they make up; taken over, and never written to again.
 *
 * @param counters the counters
 * @param inputBasis the kept inputs
 * @param outputBasis the kept outputs; the same object as the inputs where both are kept in one dictionary
 */
public record KeptSamples(Counters counters, NewtonBasis inputBasis, NewtonBasis outputBasis) {

    /** Largest distance of a stored factor from the Gram matrix of its points, see {@link NewtonBasis#factorDefect()}. */
    private static final double MAX_DEFECT = 1e4;

    /** Writes the counters, and of each dictionary the points, the factor of their Gram matrix and their sample numbers. */
    public void save(StateSink sink) {
        counters.save(sink);
        save(sink, inputBasis, "x");
        // A learner with one dictionary has one basis for both sides.
        if (outputBasis != inputBasis) {
            save(sink, outputBasis, "x_next");
        }
    }

    private static void save(StateSink sink, NewtonBasis basis, String part) {
        long[] sampleNumbers = new long[basis.size()];
        Arrays.setAll(sampleNumbers, basis::sampleNumber);
        sink.points(part, basis.points());
        sink.matrix("L_" + part, basis.factor());
        sink.counts(part + "_sample", sampleNumbers);
    }

    /**
     * Reads what {@link #save} wrote, all checked: sizes, signs, order of the sample numbers, numbers finite, factors that belong to their points.
     *
     * @param oneBasis whether both sides are kept in one dictionary
     */
    public static KeptSamples read(StateSource source, Rkhs input, Rkhs output, boolean oneBasis, int maxDictionary) {
        Counters counters = Counters.read(source);
        counters.requirePossible();
        NewtonBasis inputBasis = readSide(source, input, counters.samples(), "x");
        NewtonBasis outputBasis = oneBasis ? inputBasis : readSide(source, output, counters.samples(), "x_next");
        int largest = Math.max(inputBasis.size(), outputBasis.size());
        require(
                largest <= maxDictionary,
                inputBasis.size() == largest ? "x" : "x_next",
                largest + " points are kept where " + maxDictionary + " are allowed");
        return new KeptSamples(counters, inputBasis, outputBasis);
    }

    private static NewtonBasis readSide(StateSource source, Rkhs space, long samples, String part) {
        Points points = source.points(part);
        int m = points.size();
        require(
                points.dimension() == space.dimension(),
                part,
                "dimension " + points.dimension() + ", the settings say " + space.dimension());
        Matrix factor = source.matrix("L_" + part, m, m);
        String numbers = part + "_sample";
        long[] sampleNumbers = source.counts(numbers);
        require(sampleNumbers.length == m, numbers, sampleNumbers.length + " numbers for " + m + " kept points");
        // Points of a dictionary that was there before the first sample come first and are numbered 0.
        long previous = 0;
        for (long t : sampleNumbers) {
            require(
                    t >= previous && t <= samples,
                    numbers,
                    "sample number " + t + " after " + previous + " of " + samples);
            previous = t;
        }
        requireMembers(space, points, part);
        requireFactor(factor, "L_" + part);
        NewtonBasis basis = NewtonBasis.restore(space, points, factor, sampleNumbers.clone());
        double defect = basis.factorDefect();
        require(
                defect < MAX_DEFECT,
                "L_" + part,
                "does not reproduce the Gram matrix of its points (defect " + defect + ")");
        return basis;
    }

    /** Refuses stored points outside a space. */
    public static void requireMembers(Rkhs space, Points points, String part) {
        double[] point = new double[points.dimension()];
        for (int i = 0; i < points.size(); i++) {
            points.get(i, point);
            try {
                space.requireSample(point, part);
            } catch (InvalidSampleException e) {
                // Its number is added only now: there may be thousands.
                throw new InvalidStateException(
                        part, part + "[" + i + "]" + e.getMessage().substring(part.length()));
            }
        }
    }

    private static void requireFactor(Matrix factor, String part) {
        int m = factor.rows();
        for (int j = 0; j < m; j++) {
            require(factor.get(j, j) > 0, part, "diagonal entry " + j + " is " + factor.get(j, j) + ", must be > 0");
            for (int i = 0; i < m; i++) {
                double entry = factor.get(i, j);
                // Words only when something is wrong: there are m² entries.
                if (!Double.isFinite(entry) || (i < j && entry != 0)) {
                    throw new InvalidStateException(
                            part,
                            "entry (" + i + ", " + j + ")" + (i < j ? " above the diagonal" : "") + " is " + entry);
                }
            }
        }
    }

    /** Refuses a matrix with an entry that is not finite. */
    public static Matrix requireFinite(Matrix matrix, String part) {
        for (int j = 0; j < matrix.columns(); j++) {
            for (int i = 0; i < matrix.rows(); i++) {
                if (!Double.isFinite(matrix.get(i, j))) {
                    throw new InvalidStateException(part, "entry (" + i + ", " + j + ") is " + matrix.get(i, j));
                }
            }
        }
        return matrix;
    }
}
