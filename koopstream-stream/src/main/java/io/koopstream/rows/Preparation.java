package io.koopstream.rows;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Transformation of observations before they are learned, undone in answers: logarithms, differences to the observation before, and the place of
 * its time in the day, the week or the year as further coordinates. It also says which coordinates are inputs: they drive the others and are not asked
 * for in forecasts. Immutable; equal words make equal preparations.
 */
public final class Preparation {

    /** Nothing is done. */
    public static final Preparation NONE = new Preparation("", "", "", "");

    /** Instead of a list of coordinates. */
    public static final String ALL = "all";

    /** Instead of cycles: there are none, nor are any chosen. */
    public static final String NO_CALENDAR = "none";

    private static final double DAY = 86_400;

    /** A cycle of the calendar; each is two coordinates, cosine and sine. */
    public enum Cycle {
        /** Time of day. */
        HOUR(DAY),
        /** Time of week. */
        WEEKDAY(7 * DAY),
        /** Time of year. */
        SEASON(365.2425 * DAY);

        private final double period;

        Cycle(double period) {
            this.period = period;
        }

        public double period() {
            return period;
        }

        /** As it is written. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<String, String> words;
    /** Sorted numbers of coordinates from 0; null for all of them. */
    private final int[] logs;

    private final int[] differences;
    private final List<Cycle> calendar;
    private final int[] inputs;

    private Preparation(String log, String difference, String calendar, String inputs) {
        this.logs = numbers("log", log);
        this.differences = numbers("difference", difference);
        this.calendar = cycles(calendar);
        this.inputs = numbers("inputs", inputs);
        if (this.inputs == null) {
            throw new InvalidConfigException(
                    "inputs", inputs, "leaves nothing to forecast; name the columns that drive the others");
        }
        Map<String, String> all = new TreeMap<>();
        all.put("log", words(logs));
        all.put("difference", words(differences));
        all.put("calendar", this.calendar.stream().map(Cycle::word).collect(Collectors.joining(",")));
        all.put("inputs", words(this.inputs));
        all.values().removeIf(String::isEmpty);
        this.words = Collections.unmodifiableMap(all);
    }

    private static int[] numbers(String name, String text) {
        if (text.equals(ALL)) {
            return null;
        }
        Set<Integer> numbers = new TreeSet<>();
        for (String part : parts(text)) {
            int number = part.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(part) : 0;
            if (number == 0 || !numbers.add(number - 1)) {
                throw new InvalidConfigException(
                        name, text, "must be 'all' or different numbers of coordinates from 1, e.g. 1,3");
            }
        }
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    private static String words(int[] numbers) {
        return numbers == null
                ? ALL
                : Arrays.stream(numbers).mapToObj(c -> Integer.toString(c + 1)).collect(Collectors.joining(","));
    }

    private static List<Cycle> cycles(String text) {
        Set<Cycle> cycles = new LinkedHashSet<>();
        for (String part : text.equals(NO_CALENDAR) ? List.<String>of() : parts(text)) {
            Cycle found = Arrays.stream(Cycle.values())
                    .filter(cycle -> cycle.word().equals(part))
                    .findFirst()
                    .orElse(null);
            if (found == null || !cycles.add(found)) {
                throw new InvalidConfigException(
                        "calendar", text, "must be one or more of hour, weekday, season, or none");
            }
        }
        return List.copyOf(cycles);
    }

    private static List<String> parts(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /** True if nothing is done. */
    public boolean isNone() {
        return !needsLog() && !needsLevel() && !hasCalendar();
    }

    private boolean needsLog() {
        return logs == null || logs.length > 0;
    }

    /**
     * From words by their names; what is not there is not done. {@code log} names the coordinates that are replaced by their logarithm, numbers from 1
     * with commas between or "all"; {@code difference} those that are replaced by what they changed since the observation before, after the logarithm;
     * {@code calendar} the cycles, with commas between; {@code inputs} the coordinates that drive the others, which are the last ones and are learned as
     * they are, so that "all" leaves them out.
     */
    public static Preparation of(Map<String, String> words) {
        return new Preparation(
                words.getOrDefault("log", ""),
                words.getOrDefault("difference", ""),
                words.getOrDefault("calendar", ""),
                words.getOrDefault("inputs", ""));
    }

    /** This preparation with another calendar. */
    public Preparation with(String newCalendar) {
        Map<String, String> other = new TreeMap<>(words);
        other.put("calendar", newCalendar);
        return of(other);
    }

    /** Number of coordinates that are inputs, the last ones of an observation. */
    public int inputs() {
        return inputs.length;
    }

    /** The words by their names, those that say something; {@link #of} makes an equal preparation of them. */
    public Map<String, String> words() {
        return words;
    }

    private String calendar() {
        return words.getOrDefault("calendar", "");
    }

    /** True if an observation needs the one before it. */
    boolean needsLevel() {
        return differences == null || differences.length > 0;
    }

    /** The coordinates that are replaced by differences, among those of an observation. */
    public int[] differences(int observed) {
        return IntStream.range(0, observed).filter(c -> has(differences, c)).toArray();
    }

    /** A coordinate in the units of the data from its level. */
    public double value(int coordinate, double level) {
        return has(logs, coordinate) ? StrictMath.exp(level) : level;
    }

    /** Number of coordinates a prepared observation has. */
    public int dimension(int observed) {
        return observed + 2 * calendar.size();
    }

    /**
     * Inverse of {@link #dimension(int)}.
     *
     * @throws InvalidConfigException if the calendar alone has as many
     */
    public int observed(int prepared) {
        int observed = prepared - 2 * calendar.size();
        if (observed < 1) {
            throw new InvalidConfigException(
                    "calendar", calendar(), "observations of " + prepared + " coordinates have no room for it");
        }
        return observed;
    }

    /** Refuses words about coordinates that observations do not have. */
    void requireOf(int observed) {
        if (inputs.length >= observed
                || (inputs.length > 0 && inputs[0] != observed - inputs.length)
                || (inputs.length > 0 && inputs[inputs.length - 1] != observed - 1)) {
            throw new InvalidConfigException(
                    "inputs",
                    words(inputs),
                    "must be the last of the " + observed + " coordinates of a row, behind those that are forecast");
        }
        for (int[] numbers : new int[][] {logs, differences}) {
            if (numbers != null && numbers.length > 0 && numbers[numbers.length - 1] >= observed) {
                throw new InvalidConfigException(
                        numbers == logs ? "log" : "difference",
                        words(numbers),
                        "observations have " + observed + " coordinates");
            }
            if (numbers != null && Arrays.stream(inputs).anyMatch(c -> has(numbers, c))) {
                throw new InvalidConfigException(
                        numbers == logs ? "log" : "difference", words(numbers), "inputs are learned as they are");
            }
        }
    }

    /** The names of the coordinates of a prepared observation. */
    public List<String> names(List<String> observed) {
        List<String> names = new ArrayList<>();
        for (int c = 0; c < observed.size(); c++) {
            String name = has(logs, c) ? "log(" + observed.get(c) + ")" : observed.get(c);
            names.add(has(differences, c) ? "diff(" + name + ")" : name);
        }
        for (Cycle cycle : calendar) {
            names.add(cycle.word() + "_cos");
            names.add(cycle.word() + "_sin");
        }
        return names;
    }

    private boolean has(int[] numbers, int coordinate) {
        return numbers == null
                ? Arrays.binarySearch(inputs, coordinate) < 0
                : Arrays.binarySearch(numbers, coordinate) >= 0;
    }

    /**
     * The values with logarithms taken: what differences are made of, and what undoes them.
     *
     * @throws InvalidSampleException if a value has no logarithm
     */
    public double[] level(double[] values) {
        double[] level = values.clone();
        for (int c = 0; c < level.length; c++) {
            if (has(logs, c)) {
                if (!(values[c] > 0)) {
                    throw new InvalidSampleException(
                            Reason.OUTSIDE_DOMAIN, c, "observation[" + c + "] = " + values[c] + " has no logarithm");
                }
                level[c] = StrictMath.log(values[c]);
            }
        }
        return level;
    }

    /**
     * The observation as it is learned from.
     *
     * @param level of it
     * @param before the level of the observation before; null when there is none
     * @param time in seconds since 1970
     * @return null when there is no difference to take yet
     */
    double[] prepared(double[] level, double[] before, double time) {
        if (needsLevel() && before == null) {
            return null;
        }
        double[] prepared = Arrays.copyOf(level, dimension(level.length));
        for (int c = 0; c < level.length; c++) {
            if (has(differences, c)) {
                prepared[c] = level[c] - before[c];
            }
        }
        putCalendar(time, prepared, level.length);
        return prepared;
    }

    /**
     * Puts what is known of a time, also one that is to come.
     *
     * @param observed coordinates of an observation, after which the calendar stands
     */
    public void putCalendar(double time, double[] prepared, int observed) {
        int at = observed;
        for (Cycle cycle : calendar) {
            double phase = 2 * Math.PI * (time / cycle.period - Math.floor(time / cycle.period));
            prepared[at++] = StrictMath.cos(phase);
            prepared[at++] = StrictMath.sin(phase);
        }
    }

    /** True if there are coordinates that the time alone decides. */
    public boolean hasCalendar() {
        return !calendar.isEmpty();
    }

    /** Refuses an observation that says too little. */
    void require(Observation observation) {
        if (hasCalendar() && !Double.isFinite(observation.time())) {
            throw new InvalidSampleException(
                    Reason.NO_TIME, -1, "an observation without time, which calendar = " + calendar() + " needs");
        }
    }

    /**
     * Expected value of an observation that was judged, and the ends of the band around it, in the units of the data.
     *
     * @param values the observation as it came
     * @param residual what came less what was expected, of the prepared observation
     * @param spread half the width of the band
     */
    public double[][] band(double[] values, double[] residual, double[] spread) {
        double[][] band = new double[3][values.length];
        double[] level = level(values);
        int[] sides = {0, 1, -1};
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < values.length; c++) {
                // Of a level and of its difference to the one before the residual is the same. While the spread is
                // unknown all three are.
                band[k][c] = value(c, level[c] - (residual[c] + sides[k] * spread[c]));
            }
        }
        return band;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Preparation preparation && words.equals(preparation.words);
    }

    @Override
    public int hashCode() {
        return words.hashCode();
    }

    @Override
    public String toString() {
        return words.toString();
    }
}
