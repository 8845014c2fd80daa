package io.koopstream.internal.dictionary;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;

/**
 * The kept samples of a learner: how many it saw, which of them it kept, and the factored dictionaries they make up. Immutable.
 */
public final class KeptSamples {

    /** Largest distance of a stored factor from the Gram matrix of its points, see {@link NewtonBasis#factorDefect()}. */
    private static final double MAX_DEFECT = 1e4;

    private final Counters counters;
    private final NewtonBasis inputBasis;
    private final NewtonBasis outputBasis;

    /** Takes over its arguments, which come from a learner's own copies. */
    public KeptSamples(Counters counters, NewtonBasis inputBasis, NewtonBasis outputBasis) {
        this.counters = counters;
        this.inputBasis = inputBasis;
        this.outputBasis = outputBasis;
    }

    /** From stored parts, all checked: sizes, signs, order of the sample numbers, numbers finite, factors that belong to their points. */
    public static KeptSamples restore(
            Rkhs input, Rkhs output, int maxDictionary, Counters counters, StoredSide inputs, StoredSide outputs) {
        counters.requirePossible();
        NewtonBasis inputBasis = requireSide(input, counters.samples(), inputs, "x");
        NewtonBasis outputBasis =
                inputs == outputs ? inputBasis : requireSide(output, counters.samples(), outputs, "x_next");
        int largest = Math.max(inputBasis.size(), outputBasis.size());
        InvalidStateException.require(
                largest <= maxDictionary,
                inputBasis.size() == largest ? "x" : "x_next",
                largest + " points are kept where " + maxDictionary + " are allowed");
        return new KeptSamples(counters, inputBasis, outputBasis);
    }

    private static NewtonBasis requireSide(Rkhs space, long samples, StoredSide side, String part) {
        Points points = side.points();
        int m = points.size();
        InvalidStateException.require(
                points.dimension() == space.dimension(),
                part,
                "dimension " + points.dimension() + ", the settings say " + space.dimension());
        String numbers = part + "_sample";
        InvalidStateException.require(
                side.sampleNumbers().length == m,
                numbers,
                side.sampleNumbers().length + " numbers for " + m + " kept points");
        // Points of a dictionary that was there before the first sample come first and are numbered 0.
        long previous = 0;
        for (long t : side.sampleNumbers()) {
            InvalidStateException.require(
                    t >= previous && t <= samples,
                    numbers,
                    "sample number " + t + " after " + previous + " of " + samples);
            previous = t;
        }
        requireMembers(space, points, part);
        return requireFactor(space, side, "L_" + part);
    }

    /** Refuses stored points outside a space. */
    public static void requireMembers(Rkhs space, Points points, String part) {
        double[] point = new double[points.dimension()];
        for (int i = 0; i < points.size(); i++) {
            points.get(i, point);
            try {
                space.requireSample(point, part);
            } catch (InvalidSampleException e) {
                // Told only now which one it is: there may be thousands.
                throw new InvalidStateException(
                        part, part + "[" + i + "]" + e.getMessage().substring(part.length()));
            }
        }
    }

    private static NewtonBasis requireFactor(Rkhs space, StoredSide side, String part) {
        Matrix factor = side.factor();
        int m = side.points().size();
        requireShape(factor, m, m, part);
        for (int j = 0; j < m; j++) {
            InvalidStateException.require(
                    factor.get(j, j) > 0, part, "diagonal entry " + j + " is " + factor.get(j, j) + ", must be > 0");
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
        NewtonBasis basis = NewtonBasis.restore(space, side.points(), factor, side.sampleNumbers());
        double defect = basis.factorDefect();
        InvalidStateException.require(
                defect < MAX_DEFECT, part, "does not reproduce the Gram matrix of its points (defect " + defect + ")");
        return basis;
    }

    /** Refuses a matrix of another shape, or with an entry that is not finite. */
    public static void requireFinite(Matrix matrix, int rows, int columns, String part) {
        requireShape(matrix, rows, columns, part);
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < rows; i++) {
                if (!Double.isFinite(matrix.get(i, j))) {
                    throw new InvalidStateException(part, "entry (" + i + ", " + j + ") is " + matrix.get(i, j));
                }
            }
        }
    }

    private static void requireShape(Matrix matrix, int rows, int columns, String part) {
        InvalidStateException.require(
                matrix.rows() == rows && matrix.columns() == columns,
                part,
                matrix.rows() + "x" + matrix.columns() + " where " + rows + "x" + columns + " is kept");
    }

    /** The counters. */
    public Counters counters() {
        return counters;
    }

    /** The kept inputs. */
    public NewtonBasis inputBasis() {
        return inputBasis;
    }

    /** The kept outputs; the same object as the inputs where both are kept in one dictionary. */
    public NewtonBasis outputBasis() {
        return outputBasis;
    }
}
