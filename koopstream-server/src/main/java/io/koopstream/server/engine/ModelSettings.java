package io.koopstream.server.engine;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.io.StateLabels;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import io.koopstream.tuning.MethodSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a user says about a model, each word optional, as text: the words of {@link MethodSettings} and those about its data. Immutable; equal
 * words make equal settings.
 */
public final class ModelSettings {

    /** The most coordinates of a state, delays included. */
    public static final int LARGEST_DIMENSION = 10_000;

    private static final int LARGEST_WARM_UP = 100_000;
    private static final int USUAL_WARM_UP = 1000;
    private static final long MOST_WARM_UP_NUMBERS = 1_000_000;

    /** The words beside those of the method. */
    private static final List<String> NAMES =
            List.of("dimension", "dt", "delays", "stride", "warmUp", "drift", "driftDiscount", "deterministic");

    /** A word of stored settings of an older release: every which pair is kept aside, 0 for none. */
    private static final String OLDER_HOLD_OUT = "holdOutEvery";

    private final Map<String, String> given;
    private final List<String> names;
    private final MethodSettings method;
    private final int dimension;
    private final double dt;
    private final int delays;
    private final int stride;
    private final int warmUp;
    private final boolean drift;
    private final double driftDiscount;
    private final boolean deterministic;

    private ModelSettings(Map<String, String> words, List<String> names) {
        Map<String, String> ofMethod = new LinkedHashMap<>();
        Map<String, String> known = new TreeMap<>();
        words.forEach((name, value) -> {
            if (!NAMES.contains(name)) {
                ofMethod.put(name, value);
            } else if (value == null) {
                throw new InvalidConfigException(name, null, "has no value; leave the setting out, or give one");
            } else {
                known.put(name, value.strip());
            }
        });
        this.method = method(ofMethod);
        this.names = List.copyOf(names);
        this.delays = whole(known, "delays", 0, 0, 1000, "earlier observations in a state");
        this.stride = whole(known, "stride", 1, 1, 100_000, "steps between the observations of a state");
        this.dimension =
                whole(known, "dimension", names.size(), names.isEmpty() ? 0 : 1, LARGEST_DIMENSION, "coordinates");
        requireNames();
        this.dt = known.containsKey("dt")
                ? InvalidConfigException.requirePositive("dt", real(known, "dt"), "time between two states")
                : Double.NaN;
        this.warmUp =
                whole(known, "warmUp", USUAL_WARM_UP, 3, LARGEST_WARM_UP, "pairs seen before settings are chosen");
        this.drift = flag(known, "drift", true);
        this.deterministic = flag(known, "deterministic", false);
        this.driftDiscount = known.containsKey("driftDiscount") ? real(known, "driftDiscount") : 1;
        if (!(driftDiscount > 0 && driftDiscount <= 1)) {
            throw new InvalidConfigException(
                    "driftDiscount", driftDiscount, "must be in (0, 1]; 1 leaves the past as it is");
        }
        if (driftDiscount < 1 && (!drift || method.method().equals("sogd"))) {
            throw new InvalidConfigException(
                    "driftDiscount", driftDiscount, "needs drift = true and method = least-squares");
        }
        if (dimension > 0) {
            requireDimension(dimension);
            if (!method.wantsProposal()) {
                method.choose(DelayEmbedding.dimension(dimension, delays), dimension, null);
            }
        }
        Map<String, String> all = new LinkedHashMap<>(method.given());
        all.putAll(known);
        this.given = Collections.unmodifiableMap(all);
    }

    private static MethodSettings method(Map<String, String> words) {
        if (words.containsKey(OLDER_HOLD_OUT)) {
            throw new InvalidConfigException(
                    OLDER_HOLD_OUT,
                    words.get(OLDER_HOLD_OUT),
                    "is now holdout, the share of the pairs that is kept aside: 0.1 instead of 10, or 0 for none");
        }
        try {
            return MethodSettings.of(words);
        } catch (InvalidConfigException e) {
            throw e.reason() == Reason.UNKNOWN_NAME
                    ? new InvalidConfigException(
                            Reason.UNKNOWN_NAME,
                            e.field(),
                            e.value(),
                            e.rule() + ", names, " + String.join(", ", NAMES))
                    : e;
        }
    }

    private void requireNames() {
        try {
            new StateLabels(names, delays, stride);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigException("names", String.join(", ", names), e.getMessage());
        }
        if (!names.isEmpty() && names.size() != dimension) {
            throw new InvalidConfigException(
                    "dimension", dimension, "there are " + names.size() + " names of coordinates");
        }
    }

    /**
     * Settings from words.
     *
     * @param words names to values as one would type them
     * @param names of the coordinates of an observation; empty when they have none
     * @throws InvalidConfigException on an unknown name or a value that cannot be used
     */
    public static ModelSettings of(Map<String, String> words, List<String> names) {
        return new ModelSettings(words, names);
    }

    /** Settings from words, without names of coordinates. */
    public static ModelSettings of(Map<String, String> words) {
        return new ModelSettings(words, List.of());
    }

    /** The words that were said, in a fixed order, without the names. */
    public Map<String, String> given() {
        return given;
    }

    /** How to learn. */
    public MethodSettings method() {
        return method;
    }

    /** Coordinates of an observation; 0 when the first sample decides. */
    public int dimension() {
        return dimension;
    }

    /** Names of the coordinates of an observation; empty when they have none. */
    public List<String> names() {
        return names;
    }

    /** Time between two states; NaN when nobody said. */
    public double dt() {
        return dt;
    }

    /** How many earlier observations a state holds. */
    public int delays() {
        return delays;
    }

    /** Steps between them. */
    public int stride() {
        return stride;
    }

    /** Pairs seen before settings are chosen, when no kernel is given. */
    public int warmUp() {
        return warmUp;
    }

    /** Whether changes of the dynamics are looked for. */
    public boolean drift() {
        return drift;
    }

    /** Factor on the weight of the past at every change; 1 leaves it. */
    public double driftDiscount() {
        return driftDiscount;
    }

    /** Whether the system has no noise. */
    public boolean deterministic() {
        return deterministic;
    }

    /** What the coordinates of states are called. */
    public StateLabels labels() {
        return new StateLabels(names, delays, stride);
    }

    /** Refuses a dimension of observations that cannot be learned from. */
    void requireDimension(int observed) {
        long state = (long) observed * (delays + 1);
        if (state > LARGEST_DIMENSION) {
            throw new InvalidConfigException(
                    "dimension",
                    state,
                    "a state may have at most " + LARGEST_DIMENSION + " coordinates, delays included");
        }
        if (method.wantsProposal() && 2 * state * warmUp > MOST_WARM_UP_NUMBERS) {
            throw new InvalidConfigException(
                    "warmUp",
                    warmUp,
                    "at most " + MOST_WARM_UP_NUMBERS / (2 * state) + " with states of " + state + " coordinates");
        }
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

    /** The words as bytes. */
    byte[] packed() {
        Packer out = new Packer(256).put(given.size());
        given.forEach((name, value) -> out.put(name).put(value));
        out.put(names.size());
        names.forEach(out::put);
        return out.toByteArray();
    }

    /** Settings from the bytes of {@link #packed}. */
    static ModelSettings unpacked(Unpacker in) {
        Map<String, String> words = new LinkedHashMap<>();
        for (int i = in.count(8); i > 0; i--) {
            String name = in.text();
            words.put(name, in.text());
        }
        List<String> names = new ArrayList<>();
        for (int i = in.count(4); i > 0; i--) {
            names.add(in.text());
        }
        in.requireEnd();
        return of(today(words, in), names);
    }

    /** Stored words with those of older releases translated. */
    private static Map<String, String> today(Map<String, String> stored, Unpacker in) {
        Map<String, String> words = new LinkedHashMap<>(stored);
        String every = words.remove(OLDER_HOLD_OUT);
        if (every == null || "sogd".equals(words.get("method"))) {
            // Algorithm 1 learns every pair now, as in the paper.
            return words;
        }
        try {
            int one = Integer.parseInt(every);
            words.put("holdout", one == 0 ? "0" : Double.toString(1.0 / one));
            return words;
        } catch (NumberFormatException e) {
            throw in.fault("a whole number as " + OLDER_HOLD_OUT, every);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelSettings settings && given.equals(settings.given) && names.equals(settings.names);
    }

    @Override
    public int hashCode() {
        return given.hashCode() + names.hashCode();
    }

    @Override
    public String toString() {
        return names.isEmpty() ? given.toString() : given + " " + names;
    }
}
