package io.koopstream.rows;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: 90 s, 15min, 1h, 7d. Dated streams count in seconds. */
public final class Durations {

    private static final Pattern WRITTEN = Pattern.compile("([0-9.]+(?:[eE][-+]?[0-9]+)?)\\s*([a-z]*)");
    private static final Map<String, Double> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("", 1.0);
        UNITS.put("us", 1e-6);
        UNITS.put("ms", 1e-3);
        UNITS.put("s", 1.0);
        UNITS.put("min", 60.0);
        UNITS.put("h", 3600.0);
        UNITS.put("d", 86_400.0);
        UNITS.put("w", 604_800.0);
        UNITS.put("y", 31_556_952.0);
    }

    /**
     * A unit that suits a time.
     *
     * @param name as it is printed
     * @param seconds how many it has
     */
    public record Unit(String name, double seconds) {}

    private Durations() {}

    /** A number without unit as it is, one with a unit in seconds; NaN when it is neither. */
    public static double parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches() || !UNITS.containsKey(matcher.group(2))) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(matcher.group(1)) * UNITS.get(matcher.group(2));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** The largest unit of which a time in seconds has at least one; years from two on. */
    public static Unit unit(double seconds) {
        Unit best = new Unit("us", 1e-6);
        for (Map.Entry<String, Double> unit : UNITS.entrySet()) {
            boolean large = unit.getKey().equals("w") || (unit.getKey().equals("y") && seconds < 2 * unit.getValue());
            if (!unit.getKey().isEmpty() && !large && Math.abs(seconds) >= unit.getValue()) {
                best = new Unit(unit.getKey(), unit.getValue());
            }
        }
        return best;
    }

    /** A time in seconds with a unit that suits it, e.g. {@code 1.5 h}. */
    public static String text(double seconds) {
        if (!Double.isFinite(seconds)) {
            return Double.isNaN(seconds) ? "unknown" : "for ever";
        }
        Unit unit = unit(seconds);
        String number = String.format(Locale.ROOT, "%.4g", seconds / unit.seconds);
        return (number.contains(".") && !number.contains("e") ? number.replaceAll("\\.?0+$", "") : number) + " "
                + unit.name;
    }
}
