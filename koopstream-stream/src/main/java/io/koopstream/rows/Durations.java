package io.koopstream.rows;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as people write them: 90 s, 15min, 1h, 7d, 1month. Dated streams count in seconds; a month has the seconds of an average one, so a number of whole
 * months stands for months of the calendar ({@link MaxGap#after}).
 */
public final class Durations {

    /** Seconds of an average month of the Gregorian calendar: a twelfth of a year. */
    static final double MONTH = 2_629_746;

    private static final Unit YEARS = new Unit("y", 12 * MONTH);
    private static final Unit MONTHS = new Unit("month", MONTH);

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
        UNITS.put(MONTHS.name, MONTH);
        UNITS.put(YEARS.name, YEARS.seconds);
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

    /** True if a time in seconds is a number of whole months, which stand for months of the calendar. */
    public static boolean isMonths(double seconds) {
        return seconds >= MONTH && seconds % MONTH == 0;
    }

    /** The largest unit of which a time in seconds has at least one; years from two on, or where they are whole months. */
    public static Unit unit(double seconds) {
        if (isMonths(seconds)) {
            return seconds < YEARS.seconds ? MONTHS : YEARS;
        }
        Unit best = new Unit("us", 1e-6);
        for (Map.Entry<String, Double> unit : UNITS.entrySet()) {
            boolean large = unit.getKey().equals("w")
                    || unit.getKey().equals(MONTHS.name)
                    || (unit.getKey().equals("y") && seconds < 2 * unit.getValue());
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
        return text(seconds, unit(seconds));
    }

    /** Text of a time that is counted in such steps: in months and years where steps are months. */
    public static String text(double seconds, double step) {
        boolean months = isMonths(step) && Double.isFinite(seconds);
        return !months ? text(seconds) : text(seconds, seconds < YEARS.seconds ? MONTHS : YEARS);
    }

    private static String text(double seconds, Unit unit) {
        String number = String.format(Locale.ROOT, "%.4g", seconds / unit.seconds);
        String shortest = number.contains(".") && !number.contains("e") ? number.replaceAll("\\.?0+$", "") : number;
        return shortest + " " + unit.name + (unit.equals(MONTHS) && !shortest.equals("1") ? "s" : "");
    }
}
