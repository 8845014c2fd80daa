package io.koopstream.stream;

import io.koopstream.InvalidConfigException;
import io.koopstream.change.Watch;
import io.koopstream.rows.Durations;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.MissingValues;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.rows.UsualInterval;
import io.koopstream.score.Score;
import io.koopstream.tuning.MethodSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Settings of a stream and of its learning method, each optional, as text: the words of {@code koop learn}, of the server and of a job's
 * settings file, with one set of defaults. Immutable; equal words make equal settings.
 */
public final class StreamSettings {

    /** Observations seen before settings are chosen, when no kernel is given and nothing else is said. */
    public static final int DEFAULT_WARM_UP = 2000;

    /** The most observations that may be waited for. */
    public static final int MAX_WARM_UP = 1_000_000;

    /** The fewest observations that may be waited for. */
    public static final int MIN_WARM_UP = 3;

    /** The most earlier observations in a state. */
    public static final int MAX_DELAYS = 1000;

    /** The most steps between the observations of a state. */
    public static final int MAX_STRIDE = 10_000;

    /** Missing observations in a row that are filled in where filling was asked for and nothing else is said. */
    public static final int DEFAULT_FILL_MAX = 3;

    /** The most missing observations in a row that may be filled in. */
    public static final int MAX_FILL = 1000;

    /** Default weight of the past after a change that discounts it. */
    public static final double DEFAULT_DISCOUNT = 0.01;

    /** Weight of a past that is to be forgotten: so little that it decides nothing once there are a few new pairs. */
    private static final double FORGOTTEN = 1e-9;

    /** The words beside those of {@link MethodSettings}. */
    public static final List<String> NAMES = List.of(
            "delays",
            "stride",
            "dt",
            "maxGap",
            "fill",
            "fillMax",
            "log",
            "difference",
            "calendar",
            "warmUp",
            "openTrajectories",
            "drift",
            "driftDiscount",
            "onDrift",
            "scores",
            "alarmRate",
            "robust");

    /** All words. */
    public static final List<String> ALL_NAMES = allNames();

    private final Map<String, String> given;
    private final MethodSettings method;
    private final OptionalInt delays;
    private final int stride;
    private final double interval;
    private final MaxGap maxGap;
    private final MissingValues.Fill fill;
    private final int fillMax;
    private final Preparation preparation;
    private final int warmUp;
    private final int openTrajectories;
    private final boolean drift;
    private final double driftDiscount;
    private final boolean tellsChanges;
    private final boolean scores;
    private final double alarmRate;
    private final boolean robust;

    private StreamSettings(Map<String, String> said) {
        Map<String, String> words = new LinkedHashMap<>();
        said.forEach((name, value) -> words.put(word(name), value));
        Map<String, String> ofMethod = new LinkedHashMap<>();
        Map<String, String> own = new LinkedHashMap<>();
        for (String name : NAMES) {
            if (words.containsKey(name)) {
                own.put(name, requireValue(name, words.get(name)));
            }
        }
        words.forEach((name, value) -> {
            if (!ALL_NAMES.contains(name)) {
                throw new InvalidConfigException(
                        InvalidConfigException.Reason.UNKNOWN_NAME,
                        name,
                        value,
                        "no such setting; there are " + String.join(", ", ALL_NAMES));
            }
            if (!own.containsKey(name)) {
                ofMethod.put(name, value);
            }
        });
        this.method = MethodSettings.of(ofMethod);
        this.delays = own.containsKey("delays")
                ? OptionalInt.of(whole(own, "delays", 0, 0, MAX_DELAYS, "earlier observations in a state"))
                : OptionalInt.empty();
        this.stride = whole(own, "stride", 1, 1, MAX_STRIDE, "steps between the observations of a state");
        this.interval = own.containsKey("dt") ? time(own, "dt") : Double.NaN;
        this.maxGap = own.containsKey("maxGap") ? MaxGap.parse(own.get("maxGap")) : MaxGap.NONE;
        this.fill = fill(own.getOrDefault("fill", "none"));
        this.fillMax = whole(
                own, "fillMax", DEFAULT_FILL_MAX, 1, MAX_FILL, "missing observations in a row that are filled in");
        if (own.containsKey("fillMax") && fill == MissingValues.Fill.NONE) {
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE,
                    "fillMax",
                    fillMax,
                    "needs fill = linear or fill = previous");
        }
        this.preparation = Preparation.of(own);
        this.warmUp = whole(
                own,
                "warmUp",
                DEFAULT_WARM_UP,
                MIN_WARM_UP,
                MAX_WARM_UP,
                "observations seen before settings are chosen");
        this.openTrajectories = whole(
                own,
                "openTrajectories",
                Trajectories.DEFAULT_OPEN,
                1,
                Integer.MAX_VALUE,
                "trajectories followed at once");
        this.drift = flag(own, "drift", true);
        this.tellsChanges = own.containsKey("onDrift");
        this.driftDiscount = driftDiscount(own, drift && method.isLeastSquares());
        if (tellsChanges && !drift) {
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE, "onDrift", own.get("onDrift"), "needs drift = true");
        }
        this.scores = flag(own, "scores", false);
        this.alarmRate =
                Score.requireRate(own.containsKey("alarmRate") ? real(own, "alarmRate") : Score.DEFAULT_ALARM_RATE);
        this.robust = flag(own, "robust", false);
        for (String name : List.of("alarmRate", "robust")) {
            if (own.containsKey(name) && !scores) {
                throw new InvalidConfigException(
                        InvalidConfigException.Reason.NOT_APPLICABLE, name, own.get(name), "needs scores = true");
            }
        }
        Map<String, String> all = new LinkedHashMap<>(method.given());
        all.putAll(own);
        this.given = Collections.unmodifiableMap(all);
    }

    /** @param possible whether changes are looked for and the past can be made to count less */
    private static double driftDiscount(Map<String, String> own, boolean possible) {
        double factor = own.containsKey("driftDiscount") ? real(own, "driftDiscount") : 1;
        if (!(factor > 0 && factor <= 1)) {
            throw new InvalidConfigException("driftDiscount", factor, "must be in (0, 1]; 1 leaves the past as it is");
        }
        String action = own.getOrDefault("onDrift", own.containsKey("driftDiscount") ? "discount" : "ignore");
        if (!List.of("forget", "discount", "ignore").contains(action)) {
            throw new InvalidConfigException(
                    "onDrift",
                    action,
                    "must be forget (what came before a change counts no more), discount (it counts driftDiscount"
                            + " times as much) or ignore (a change is only told)");
        }
        if (!action.equals("discount") && own.containsKey("driftDiscount")) {
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE, "driftDiscount", factor, "needs onDrift = discount");
        }
        double used = switch (action) {
            case "forget" -> FORGOTTEN;
            case "discount" -> own.containsKey("driftDiscount") ? factor : DEFAULT_DISCOUNT;
            default -> 1;
        };
        if (used < 1 && !possible) {
            boolean named = own.containsKey("driftDiscount");
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE,
                    named ? "driftDiscount" : "onDrift",
                    named ? factor : action,
                    "needs drift = true and method = least-squares");
        }
        return used;
    }

    private static List<String> allNames() {
        List<String> all = new ArrayList<>(MethodSettings.NAMES);
        all.addAll(NAMES);
        return List.copyOf(all);
    }

    /**
     * Settings from words, checked as far as they can be before data is seen.
     *
     * @param words names to values as one would type them
     * @throws InvalidConfigException on an unknown name or a value that cannot be used
     */
    public static StreamSettings of(Map<String, String> words) {
        return new StreamSettings(words);
    }

    /** The word of a name that may be written like an option: {@code warm-up} is {@code warmUp}. */
    public static String word(String name) {
        return Pattern.compile("-([a-z])")
                .matcher(name)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    /** All defaults: everything is chosen from the first observations. */
    public static StreamSettings defaults() {
        return of(Map.of());
    }

    private static String requireValue(String name, String value) {
        if (value == null) {
            throw new InvalidConfigException(name, null, "has no value; leave the setting out, or give one");
        }
        return value.strip();
    }

    /** The words that were said, in a fixed order; {@link #of} makes equal settings of them. */
    public Map<String, String> given() {
        return given;
    }

    /** A watch over changes that has seen nothing. */
    public Watch newWatch() {
        return new Watch(drift, tellsChanges);
    }

    /**
     * Trajectories that have seen nothing.
     *
     * @param dimension coordinates of an observation
     * @param delayed earlier observations that are part of a state, >= 0
     * @param steps steps between them, >= 1
     */
    public Trajectories newTrajectories(int dimension, int delayed, int steps) {
        return new Trajectories(
                preparation, dimension, null, delayed, steps, new UsualInterval(interval, maxGap), openTrajectories);
    }

    /** Settings of the learning method. */
    public MethodSettings method() {
        return method;
    }

    /** Number of earlier observations a state holds, where that was said. */
    public OptionalInt delays() {
        return delays;
    }

    /** True if delays are to be chosen from the first observations. */
    boolean choosesDelays() {
        return delays.isEmpty() && stride == 1 && method.wantsProposal() && method.isLeastSquares();
    }

    /** True if the largest gap is to be chosen from the first observations. */
    boolean choosesMaxGap() {
        return !given.containsKey("maxGap") && method.wantsProposal();
    }

    /** True if a calendar is to be chosen from the first observations. */
    boolean choosesCalendar() {
        return !given.containsKey("calendar") && method.wantsProposal() && method.isLeastSquares();
    }

    /** Steps between the observations of a state. */
    public int stride() {
        return stride;
    }

    /** Usual time between two observations; NaN when nobody said. */
    public double interval() {
        return interval;
    }

    /** Largest gap between observations that follow each other, however many seem to be missing between. */
    public MaxGap maxGap() {
        return maxGap;
    }

    MissingValues.Fill fill() {
        return fill;
    }

    int fillMax() {
        return fillMax;
    }

    /** True if missing values are filled in. */
    public boolean isFilling() {
        return fill != MissingValues.Fill.NONE;
    }

    /** Transformation of observations before they are learned. */
    public Preparation preparation() {
        return preparation;
    }

    /** Observations seen before settings are chosen, when no kernel is given. */
    public int warmUp() {
        return warmUp;
    }

    /** Trajectories followed at once. */
    public int openTrajectories() {
        return openTrajectories;
    }

    /** True if changes of the dynamics are looked for. */
    public boolean drift() {
        return drift;
    }

    /** Factor on the weight of the past at every change; 1 leaves it. */
    public double driftDiscount() {
        return driftDiscount;
    }

    /** True if lasting changes are reported with their kinds. */
    public boolean tellsChanges() {
        return tellsChanges;
    }

    /** True if observations are scored before they are learned. */
    public boolean scores() {
        return scores;
    }

    /** Alarms per observation while nothing changes. */
    public double alarmRate() {
        return alarmRate;
    }

    /** True if pairs that are very unusual are not learned, unless they persist. */
    public boolean robust() {
        return robust;
    }

    private static int whole(Map<String, String> words, String name, int usual, int least, int most, String what) {
        String text = words.get(name);
        if (text == null) {
            return usual;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw new InvalidConfigException(
                name, text, "must be a whole number from " + least + " to " + most + " (" + what + ")");
    }

    private static double time(Map<String, String> words, String name) {
        double time = Durations.parse(words.get(name));
        if (!(time > 0) || Double.isInfinite(time)) {
            throw new InvalidConfigException(
                    name,
                    words.get(name),
                    "must be a time > 0: a number in the units of the data, or e.g. 15min, 1h, 7d");
        }
        return time;
    }

    private static MissingValues.Fill fill(String word) {
        for (MissingValues.Fill fill : MissingValues.Fill.values()) {
            if (fill.name().toLowerCase(Locale.ROOT).equals(word)) {
                return fill;
            }
        }
        throw new InvalidConfigException("fill", word, "must be linear, previous or none");
    }

    private static double real(Map<String, String> words, String name) {
        try {
            return Double.parseDouble(words.get(name));
        } catch (NumberFormatException e) {
            throw new InvalidConfigException(name, words.get(name), "must be a number, e.g. 0.1");
        }
    }

    private static boolean flag(Map<String, String> words, String name, boolean usual) {
        String text = words.get(name);
        if (text == null) {
            return usual;
        }
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new InvalidConfigException(name, text, "must be true or false");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamSettings settings && given.equals(settings.given);
    }

    @Override
    public int hashCode() {
        return given.hashCode();
    }

    @Override
    public String toString() {
        return given.toString();
    }
}
