package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Rotations;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Kept points with their {@link NewtonBasis}, and the rule by which a point is kept: one that is novel is added when it is numerically new
 * and, if the dictionary is full, when it can take the place of a point that is worth less.
 *
 * <p>A newcomer that the others miss by b² replaces the point whose exchange makes the Gram determinant (of normalised features)
 * largest, if it grows by a factor of {@value #MIN_GAIN} at least. The factor for point i is b² (G⁻¹)_ii + c_i², where c = G⁻¹ κ(x) are the
 * coefficients of the newcomer's projection. A determinant that is at most one can grow so only finitely often: exchanges end, and the
 * points kept spread over all that was visited.
 *
 * <p>A dictionary that pivots does the same before it is full: points that were kept too close to each other make later ones look dependent, by large
 * coefficients c_i. Such a newcomer takes the place of the point with the largest one, see docs/numerics.md.
 *
 * <p>Mutable, one writer.
 */
public final class Dictionary {

    /** Factor by which the determinant must grow for an exchange. */
    static final double MIN_GAIN = 2;

    /**
     * The relative difference between gains by which updated worths, which differ from computed ones by rounding, may decide: closer ones are
     * computed from the factor again, so that a decision depends on the kept points alone and a resumed learner takes the same.
     */
    private static final double CLEAR = 1e-3;

    /** The share of a worth that may be left by an update; below it the difference has lost more digits than {@link #CLEAR} allows for. */
    private static final double CANCELLED = 1e-6;

    private static final int NO_POINT = -1;

    private final NewtonBasis basis;
    private final int cap;
    private final boolean pivots;
    /** κ(p_i, p_i), and its product with (G⁻¹)_ii; found when a full dictionary is first asked after a change. */
    private double[] norms;

    private double[] worths;
    /** Exchanges that the worths have followed since they were computed from the factor. */
    private int updates;

    private int victim = NO_POINT;

    /** Verdict on a point. */
    public enum Verdict {
        /** It is not novel, so it was not judged. */
        PASS,
        /** There is room for it. */
        KEEP,
        /** It is worth a place, but a point has to be {@linkplain #admit removed} first; it is then measured again. */
        EXCHANGE,
        /** It is numerically in the span already. */
        DEPENDENT,
        /** The dictionary is full of points that are worth more. */
        REFUSE;

        /** True if the point is kept. */
        public boolean keeps() {
            return this == KEEP || this == EXCHANGE;
        }
    }

    /** A dictionary without a cap on a basis, which is taken over; it gives up no point. */
    public Dictionary(NewtonBasis basis) {
        this(basis, DictionaryCap.NONE, false);
    }

    /**
     * A dictionary on a basis, which is taken over.
     *
     * @param cap the most points to keep, >= 1
     * @param pivots whether a point that is not numerically new may take the place of one that makes it so
     */
    public Dictionary(NewtonBasis basis, int cap, boolean pivots) {
        this.basis = basis;
        this.cap = cap;
        this.pivots = pivots;
    }

    /** The basis, for reading. */
    public NewtonBasis basis() {
        return basis;
    }

    /** Number of kept points. */
    public int size() {
        return basis.size();
    }

    /**
     * Keeps a novel point that was measured against this dictionary, if it is numerically new and there is room for it or it can take the place of a point that is
     * worth less; O(m²).
     *
     * @param follow called with the rotations when a point is removed first, so that whatever is expressed in the basis follows
     * @return {@link Verdict#EXCHANGE} when it was kept in the place of another
     */
    public Verdict admit(long sampleNumber, PointCoordinates point, Consumer<Rotations> follow) {
        Verdict verdict = judge(point);
        if (verdict == Verdict.EXCHANGE) {
            follow.accept(exchange());
            point.measureAgain(this);
            if (judge(point) != Verdict.KEEP) {
                return Verdict.DEPENDENT;
            }
        }
        if (verdict.keeps()) {
            keep(sampleNumber, point);
        }
        return verdict;
    }

    /** Judges a novel point that was measured against this dictionary; O(m²). */
    public Verdict judge(PointCoordinates point) {
        victim = NO_POINT;
        if (!basis.isIndependent(point.missed(), point.squaredNorm(), point.beta(), point.work())) {
            victim = pivots ? overused(point) : NO_POINT;
            return victim == NO_POINT ? Verdict.DEPENDENT : Verdict.EXCHANGE;
        }
        if (basis.size() < cap) {
            return Verdict.KEEP;
        }
        // The check has left the coefficients of the projection in the work array.
        victim = victim(point.missed(), point.squaredNorm(), point.work());
        return victim == NO_POINT ? Verdict.REFUSE : Verdict.EXCHANGE;
    }

    /**
     * The point in whose place a novel point that is not numerically new would be: the one with the largest coefficient in its projection, if the
     * determinant grows enough by c_i² alone, as b² is mostly rounding here.
     */
    private int overused(PointCoordinates point) {
        double squaredNorm = point.squaredNorm();
        if (!(point.missed() > NewtonBasis.FLOOR * squaredNorm)) {
            return NO_POINT;
        }
        // The check has left the coefficients of the projection in the work array.
        double[] coefficients = point.work();
        int m = basis.size();
        int best = NO_POINT;
        double largest = MIN_GAIN;
        for (int i = 0; i < m; i++) {
            double c = coefficients[i];
            double gain = c * c * basis.squaredNorm(basis.points().get(i)) / squaredNorm;
            if (gain > largest) {
                largest = gain;
                best = i;
            }
        }
        if (best == NO_POINT) {
            return NO_POINT;
        }
        // Residual and coefficients without that point.
        double[] inverse = basis.inverseGramColumn(best);
        double share = coefficients[best] / inverse[best];
        double missed = point.missed() + coefficients[best] * share;
        for (int i = 0; i < m; i++) {
            coefficients[i] -= share * inverse[i];
        }
        return NewtonBasis.isResolved(missed, squaredNorm, coefficients, m) ? best : NO_POINT;
    }

    /** The point whose place the newcomer deserves most. */
    private int victim(double squaredResidual, double squaredNorm, double[] coefficients) {
        if (worths == null || updates >= basis.size()) {
            value();
        }
        int best = NO_POINT;
        double largest = 0;
        double second = MIN_GAIN;
        for (int i = 0; i < basis.size(); i++) {
            double c = coefficients[i];
            double gain = (squaredResidual * worths[i] + c * c * norms[i]) / squaredNorm;
            if (gain > largest) {
                second = Math.max(second, largest);
                largest = gain;
                best = i;
            } else {
                second = Math.max(second, gain);
            }
        }
        if (updates > 0 && Math.abs(largest - second) <= CLEAR * second) {
            value();
            return victim(squaredResidual, squaredNorm, coefficients);
        }
        return largest > MIN_GAIN ? best : NO_POINT;
    }

    private void value() {
        double[] inverse = basis.inverseGramDiagonal();
        double[] squared = new double[basis.size()];
        for (int i = 0; i < squared.length; i++) {
            squared[i] = basis.squaredNorm(basis.points().get(i));
            inverse[i] *= squared[i];
        }
        norms = squared;
        worths = inverse;
        updates = 0;
    }

    /**
     * After {@link Verdict#EXCHANGE}: takes out the point whose place is needed. Whatever is expressed in the basis follows the rotations, see
     * {@link NewtonBasis#remove}.
     */
    private Rotations exchange() {
        if (worths != null) {
            forget(basis.inverseGramColumn(victim));
        }
        Rotations rotations = basis.remove(victim);
        victim = NO_POINT;
        return rotations;
    }

    /** Updates the worths for the removal of the victim, given its column of G⁻¹. */
    private void forget(double[] inverse) {
        int m = basis.size();
        double[] worthsThen = new double[m - 1];
        double[] normsThen = new double[m - 1];
        for (int i = 0; i < m; i++) {
            if (i != victim) {
                int to = i < victim ? i : i - 1;
                normsThen[to] = norms[i];
                worthsThen[to] = worths[i] - norms[i] * inverse[i] * inverse[i] / inverse[victim];
                if (!(worthsThen[to] > CANCELLED * worths[i])) {
                    worths = null;
                    return;
                }
            }
        }
        worths = worthsThen;
        norms = normsThen;
        updates++;
    }

    /** Makes room in memory for more points, as far as the cap allows, so that {@link #keep} cannot fail; returns for how many there is room then. */
    public int reserve(int more) {
        int allowed = Math.min(more, Math.max(0, cap - size()));
        basis.reserve(allowed);
        return size() + allowed;
    }

    /** Adds a point that was judged {@link Verdict#KEEP}. */
    public void keep(long sampleNumber, PointCoordinates point) {
        if (worths != null) {
            welcome(point);
        }
        basis.append(sampleNumber, point.point(), point.beta(), Math.sqrt(point.missed()));
        point.border();
    }

    /** Updates the worths for a point that is about to be added. */
    private void welcome(PointCoordinates point) {
        int m = basis.size();
        double[] coefficients = basis.coefficients(point.beta());
        worths = Arrays.copyOf(worths, m + 1);
        norms = Arrays.copyOf(norms, m + 1);
        for (int i = 0; i < m; i++) {
            worths[i] += norms[i] * coefficients[i] * coefficients[i] / point.missed();
        }
        worths[m] = point.squaredNorm() / point.missed();
        norms[m] = point.squaredNorm();
    }
}
