package io.koopstream.spectrum;

import static io.koopstream.InvalidQueryException.require;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;

/**
 * Regions of attraction from the eigenvalue-1 eigenspace of K: f(x⁺) = f(x) means that f is constant along every path, hence on every
 * region of attraction, and with r attractors the space of such f has r dimensions (Mauroy and Mezić, <i>Global stability
 * analysis using the eigenfunctions of the Koopman operator</i>, IEEE TAC 61, 2016). The constant is one of them. The regions are where
 * the indicator functions, recovered as memberships by the inner simplex algorithm, are largest.
 *
 * <p>Functions of a continuous kernel cross the border continuously, so eigenvalues come out near 1 instead of at 1, and there may be
 * more of them the smaller λ is: the equilibria on the border also are fixed points. Choose the lag so long that paths settle
 * within some steps, and the tolerance so that it separates the eigenvalues near 1 from the rest.
 *
 * <p>Immutable; any number of threads may ask at once. A point costs O(m²).
 */
public final class RegionsOfAttraction {

    /** Answer of {@link #labels} for a point of which nothing was learned. */
    public static final int NONE = MetastableSets.NONE;

    /** Number of eigenvalues looked at; more attractors than this are not expected. */
    private static final int MAX_EIGENVALUES = 20;

    private final EigenCoordinates coordinates;
    private final InnerSimplex simplex;
    /** The corner of the simplex that belongs to region r: regions are numbered along the first coordinate of the corners' points. */
    private final int[] cornerOf;

    private final double[][] representatives;

    private RegionsOfAttraction(
            EigenCoordinates coordinates, InnerSimplex simplex, int[] cornerOf, double[][] representatives) {
        this.coordinates = coordinates;
        this.simplex = simplex;
        this.cornerOf = cornerOf;
        this.representatives = representatives;
    }

    /** Regions found on the kept outputs, which lie nearer to the attractors than the kept inputs do. */
    public static RegionsOfAttraction of(KoopmanOperator operator, double tolerance) {
        return of(operator, tolerance, operator.outputPoints());
    }

    /**
     * Regions found on given states.
     *
     * @param tolerance eigenvalues with |λ − 1| up to this count as 1; between 0 and 0.5, e.g. 0.02
     * @param states among them at least one deep in every region, one per row; ends of long paths are best
     * @throws InvalidQueryException if no eigenvalue is that near to 1, or the states do not tell the regions apart
     */
    public static RegionsOfAttraction of(KoopmanOperator operator, double tolerance, double[][] states) {
        require(
                tolerance > 0 && tolerance <= 0.5,
                "tolerance = " + tolerance
                        + ": must be in (0, 0.5], the distance from 1 at which eigenvalues count as 1");
        Spectrum spectrum = Spectrum.upTo(operator, MAX_EIGENVALUES);
        int[] near = new int[spectrum.size()];
        int count = 0;
        double nearest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < spectrum.size(); i++) {
            Complex value = spectrum.eigenvalue(i);
            double distance = Math.hypot(value.re() - 1, value.im());
            nearest = Math.min(nearest, distance);
            if (distance <= tolerance) {
                near[count++] = i;
            }
        }
        require(
                count != 0,
                "no eigenvalue is within " + tolerance + " of 1, the nearest is " + nearest
                        + " away: raise the tolerance, or lower lambda");
        EigenCoordinates coordinates = new EigenCoordinates(spectrum, Arrays.copyOf(near, count));
        double[][] covered = coordinates.covered(states, count);
        InnerSimplex simplex = InnerSimplex.of(coordinates.at(covered));
        int[] vertices = simplex.vertices();
        Integer[] order = new Integer[count];
        Arrays.setAll(order, j -> j);
        Arrays.sort(order, (a, b) -> Arrays.compare(covered[vertices[a]], covered[vertices[b]]));
        int[] cornerOf = new int[count];
        double[][] representatives = new double[count][];
        for (int r = 0; r < count; r++) {
            cornerOf[r] = order[r];
            representatives[r] = covered[vertices[order[r]]].clone();
        }
        return new RegionsOfAttraction(coordinates, simplex, cornerOf, representatives);
    }

    /** Number of regions, which is the number of eigenvalues near 1. */
    public int count() {
        return cornerOf.length;
    }

    /** The state that stands for each region, one per row, copied: the one whose eigenfunction values are a corner of the simplex. */
    public double[][] representatives() {
        return Arrays.stream(representatives).map(double[]::clone).toArray(double[][]::new);
    }

    /** The region of every point, numbered from 0, or {@link #NONE}; rows are points. */
    public int[] labels(double[][] points) {
        double[][] indicators = indicators(points);
        int[] labels = new int[points.length];
        for (int i = 0; i < points.length; i++) {
            labels[i] = indicators[i] == null ? NONE : largest(indicators[i]);
        }
        return labels;
    }

    /**
     * Distance of every point from the border of its region, as the difference of its largest and second largest indicator: 1 deep
     * inside, 0 on the border, 0 also where nothing was learned. With a single region it is 1 wherever something was learned.
     */
    public double[] margins(double[][] points) {
        double[][] indicators = indicators(points);
        double[] margins = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            if (indicators[i] != null) {
                int first = largest(indicators[i]);
                double second = 0;
                for (int r = 0; r < cornerOf.length; r++) {
                    second = r == first ? second : Math.max(second, indicators[i][r]);
                }
                margins[i] = indicators[i][first] - second;
            }
        }
        return margins;
    }

    private static int largest(double[] values) {
        int best = 0;
        for (int r = 1; r < values.length; r++) {
            best = values[r] > values[best] ? r : best;
        }
        return best;
    }

    /** Memberships in region order; null where nothing was learned. */
    private double[][] indicators(double[][] points) {
        return simplex.memberships(coordinates.atCovered(points), cornerOf);
    }
}
