package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Rotations;
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
 * <p>Mutable, one writer.
 */
public final class Dictionary {

    /** Factor by which the determinant must grow for an exchange. */
    static final double MIN_GAIN = 2;

    private static final int NOBODY = -1;

    private final NewtonBasis basis;
    private final int cap;
    /** κ(p_i, p_i), and its product with (G⁻¹)_ii; found when a full dictionary is first asked after a change. */
    private double[] norms;

    private double[] worths;
    private int victim = NOBODY;

    /** Verdict on a point. */
    public enum Verdict {
        /** It is not novel: nobody asked. */
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

    /**
     * A dictionary on a basis, which is taken over.
     *
     * @param cap the most points to keep, >= 1
     */
    public Dictionary(NewtonBasis basis, int cap) {
        this.basis = basis;
        this.cap = cap;
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
     * @param follow told of the point that has to go first, so that whatever is expressed in the basis follows
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
        victim = NOBODY;
        if (!basis.isIndependent(point.missed(), point.squaredNorm(), point.beta(), point.work())) {
            return Verdict.DEPENDENT;
        }
        if (basis.size() < cap) {
            return Verdict.KEEP;
        }
        // The check has left the coefficients of the projection in the work array.
        victim = victim(point.missed(), point.squaredNorm(), point.work());
        return victim == NOBODY ? Verdict.REFUSE : Verdict.EXCHANGE;
    }

    /** The point whose place the newcomer deserves most. */
    private int victim(double squaredResidual, double squaredNorm, double[] coefficients) {
        if (worths == null) {
            value();
        }
        int best = NOBODY;
        double largest = MIN_GAIN;
        for (int i = 0; i < basis.size(); i++) {
            double c = coefficients[i];
            double gain = (squaredResidual * worths[i] + c * c * norms[i]) / squaredNorm;
            if (gain > largest) {
                largest = gain;
                best = i;
            }
        }
        return best;
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
    }

    /**
     * After {@link Verdict#EXCHANGE}: takes out the point whose place is needed. Whatever is expressed in the basis follows the rotations, see
     * {@link NewtonBasis#remove}.
     */
    private Rotations exchange() {
        Rotations rotations = basis.remove(victim);
        victim = NOBODY;
        worths = null;
        return rotations;
    }

    /** Makes room in memory for more points, as far as the cap allows, so that {@link #keep} cannot fail; returns for how many there is room then. */
    public int reserve(int more) {
        int allowed = Math.min(more, Math.max(0, cap - size()));
        basis.reserve(allowed);
        return size() + allowed;
    }

    /** Adds a point that was judged {@link Verdict#KEEP}. */
    public void keep(long sampleNumber, PointCoordinates point) {
        basis.append(sampleNumber, point.point(), point.beta(), Math.sqrt(point.missed()));
        point.border();
        worths = null;
    }
}
