package io.koopstream.forecast;

import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;

/**
 * Horizons at which a {@link ForecastRecord} judges: 1, 2, 3, 4, 6, 8, 12, … 128, and those asked for. Every forecast reaches {@value #SHORT} rows; each
 * doubling is reached by half of them, because the targets of long horizons overlap. Immutable.
 */
final class HorizonGrid {

    private static final int SHORT = 8;

    /** The longest horizon that nobody asked for. */
    private static final int USUAL = 128;

    private final int[] horizons;

    private HorizonGrid(int[] horizons) {
        this.horizons = horizons;
    }

    /** @param asked further horizons, >= 1 */
    static HorizonGrid with(Collection<Integer> asked) {
        TreeSet<Integer> all = new TreeSet<>(asked);
        for (int h = 1; h <= USUAL; h *= 2) {
            all.add(h);
            all.add(h == 1 ? 1 : Math.min(USUAL, h * 3 / 2));
        }
        return new HorizonGrid(all.stream().mapToInt(Integer::intValue).toArray());
    }

    int size() {
        return horizons.length;
    }

    int get(int g) {
        return horizons[g];
    }

    int[] all() {
        return horizons.clone();
    }

    int longest() {
        return horizons[horizons.length - 1];
    }

    /** Its place on the grid; negative as of {@link Arrays#binarySearch} where it has none. */
    int indexOf(int h) {
        return Arrays.binarySearch(horizons, h);
    }

    /** Number of horizons up to a reach. */
    int upTo(int reach) {
        int g = indexOf(reach);
        return g >= 0 ? g + 1 : -g - 1;
    }

    /** Share of the way from the horizon below to that of place {@code g}, in log h. */
    double share(int h, int g) {
        double below = horizons[g - 1];
        return StrictMath.log(h / below) / StrictMath.log(horizons[g] / below);
    }

    /** Doublings of the shortest reach until a horizon is reached. */
    private static int doublings(int h) {
        return 32 - Integer.numberOfLeadingZeros((h + SHORT - 1) / SHORT - 1);
    }

    /** How far a forecast reaches, from random bits. */
    int reach(long bits) {
        int doublings = Math.min(doublings(longest()), Long.numberOfTrailingZeros(bits));
        return Math.min(longest(), SHORT << doublings);
    }

    /** Mean number of opened forecasts between two that reach the horizon of place {@code g}. */
    int between(int g) {
        return 1 << doublings(horizons[g]);
    }

    /** Mean number of steps of a forecast. */
    double meanReach() {
        return SHORT * (1 + 0.5 * doublings(longest()));
    }
}
