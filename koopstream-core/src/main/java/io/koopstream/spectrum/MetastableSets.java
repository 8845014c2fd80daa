package io.koopstream.spectrum;

import static io.koopstream.InvalidQueryException.require;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Sets of states that the process seldom leaves: states are alike when the leading eigenfunctions, which change slowest in time, have
 * like values on them. k sets come from k eigenfunctions, crisp by k-means ({@link #assign}) and fuzzy by the inner simplex algorithm
 * of PCCA+ ({@link #memberships}); both number the sets alike.
 *
 * <p>Where nothing was learned the eigenfunctions are zero and mean nothing, so states there belong to no set. Immutable; any number of
 * threads may ask at once. A state costs O(m²), m the dictionary size.
 *
 * <pre>{@code
 * MetastableSets sets = MetastableSets.of(operator, 3, states, 1);
 * int[] set = sets.assign(states);                    // of each state, or NONE
 * double[][] memberships = sets.memberships(states);  // rows sum to 1
 * }</pre>
 */
public final class MetastableSets {

    /** Answer of {@link #assign} for a state of which nothing was learned. */
    public static final int NONE = -1;

    private final EigenCoordinates coordinates;
    private final double[][] centres;
    private final InnerSimplex simplex;
    /** The corner of the simplex that belongs to set s. */
    private final int[] cornerOf;

    private MetastableSets(EigenCoordinates coordinates, double[][] centres, InnerSimplex simplex, int[] cornerOf) {
        this.coordinates = coordinates;
        this.centres = centres;
        this.simplex = simplex;
        this.cornerOf = cornerOf;
    }

    /** k sets, found on the kept inputs. */
    public static MetastableSets of(KoopmanOperator operator, int k, long seed) {
        return of(operator, k, operator.inputPoints(), seed);
    }

    /**
     * As many sets as the {@linkplain SpectralGap spectral gap} speaks for, found on given states.
     *
     * @throws InvalidQueryException if the gap says that nothing is metastable
     */
    public static MetastableSets byGap(KoopmanOperator operator, double[][] states, long seed) {
        SpectralGap gap = SpectralGap.of(operator);
        require(
                gap.sets() >= 2,
                "the time scales drop by a factor of " + gap.ratio()
                        + " at most: no set is metastable; give k to split all the same");
        return of(operator, gap.sets(), states, seed);
    }

    /**
     * k sets, found on given states.
     *
     * @param states where the eigenfunctions are compared, one per row; typically a sample of the data
     * @param seed of the k-means starts
     */
    public static MetastableSets of(KoopmanOperator operator, int k, double[][] states, long seed) {
        require(
                k >= 2 && k <= operator.dictionarySize(),
                "k = " + k + ": there can be 2 to " + operator.dictionarySize() + " metastable sets");
        EigenCoordinates coordinates = EigenCoordinates.all(Spectrum.leading(operator, k));
        double[][] features = coordinates.at(coordinates.covered(states, k));
        double[][] centres = KMeans.centres(features, k, new SplittableRandom(seed));
        // Numbered along the first coordinate in which the centres' states differ would need states; the order of the
        // eigenfunction values is as good and does not depend on the random starts.
        Arrays.sort(centres, Arrays::compare);
        if (coordinates.spectrum().size() > k) {
            // k cuts a conjugate pair in two: its plane has no simplex with k corners.
            return new MetastableSets(coordinates, centres, null, null);
        }
        InnerSimplex simplex = InnerSimplex.of(features);
        return new MetastableSets(coordinates, centres, simplex, matched(simplex, centres, features));
    }

    /** Pairs sets with corners so that a set's states have most of their memberships in its corner, best match first. */
    private static int[] matched(InnerSimplex simplex, double[][] centres, double[][] features) {
        int k = centres.length;
        double[][] overlap = new double[k][k];
        int[] sizes = new int[k];
        for (double[] feature : features) {
            double[] memberships = simplex.memberships(feature);
            if (memberships != null) {
                int set = KMeans.nearest(centres, feature);
                sizes[set]++;
                for (int j = 0; j < k; j++) {
                    overlap[set][j] += memberships[j];
                }
            }
        }
        int[] cornerOf = new int[k];
        Arrays.fill(cornerOf, -1);
        boolean[] taken = new boolean[k];
        for (int round = 0; round < k; round++) {
            int bestSet = -1;
            int bestCorner = -1;
            double best = -1;
            for (int s = 0; s < k; s++) {
                for (int j = 0; cornerOf[s] < 0 && j < k; j++) {
                    double share = overlap[s][j] / Math.max(1, sizes[s]);
                    if (!taken[j] && share > best) {
                        best = share;
                        bestSet = s;
                        bestCorner = j;
                    }
                }
            }
            cornerOf[bestSet] = bestCorner;
            taken[bestCorner] = true;
        }
        return cornerOf;
    }

    /** Number of sets. */
    public int count() {
        return centres.length;
    }

    /** The set of every state, numbered from 0, or {@link #NONE}; rows are states. */
    public int[] assign(double[][] states) {
        return Arrays.stream(coordinates.atCovered(states))
                .mapToInt(features -> features == null ? NONE : KMeans.nearest(centres, features))
                .toArray();
    }

    /**
     * Memberships of every state in every set, result[i][s] >= 0: a row sums to 1, near a corner of one set and spread out on the way
     * between sets. A row of zeros stands for a state of which nothing was learned.
     *
     * @throws InvalidQueryException if the number of sets cuts a conjugate pair of eigenvalues in two
     */
    public double[][] memberships(double[][] states) {
        require(
                simplex != null,
                "memberships in " + count() + " sets need as many eigenfunctions, and number "
                        + count() + " is one of a conjugate pair; ask for " + (count() + 1) + " or " + (count() - 1)
                        + " sets");
        double[][] result = simplex.memberships(coordinates.atCovered(states), cornerOf);
        Arrays.setAll(result, i -> result[i] == null ? new double[count()] : result[i]);
        return result;
    }
}
