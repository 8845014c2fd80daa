package io.koopstream.server.engine;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.io.EncodableText;
import io.koopstream.io.StateLabels;
import io.koopstream.io.TimeAxis;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Preparation;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a user says about a model, each word optional, as text: the words of {@link StreamConfig}, how many coordinates there are and what they are
 * called, whether the system has noise, and how its times are written. Immutable; equal words make equal settings.
 */
public final class ModelSettings {

    /** The most coordinates of a state, delays included. */
    public static final int MAX_DIMENSION = 10_000;

    private static final StreamOption<Integer> DIMENSION =
            StreamOption.whole("dimension N | from 0 to 10000 | that of the first sample | | number of coordinates");
    private static final StreamOption<Boolean> DETERMINISTIC =
            StreamOption.flag("deterministic | true or false | = false | | the system has no noise");
    private static final String TIME_STYLE = "timeStyle";

    /** A word of stored settings of an older release: every which pair is held out, 0 for none. */
    private static final String OLDER_HOLD_OUT = "holdOutEvery";

    /** Arrays of m×m numbers that a learner holds. */
    private static final int MATRICES = 3;
    /**
     * A learner that grows holds up to 4 times its arrays, as measured with 500 to 2,000 kept samples: what they grow into, blocks and held-out pairs. Views hold them once each, and there
     * are two: the newest, and the one that is being asked.
     */
    private static final double COPIES = 6;
    /** Of the record of forecasts and the curve, those of two views among them; measured with 40 kept samples and 3 to 200 columns: 1.7, 3.5, 11.5 and 29 MB at 3, 10, 40 and 200. */
    private static final long BYTES_AT_LEAST = 600_000;

    private static final long BYTES_FOR_A_COLUMN = 300_000;
    private static final int COLUMNS_AT_MOST = 100;
    /** Kept samples for which there is room from the start where nobody said how many there may be. */
    private static final int KEPT_AT_FIRST = 30;

    /** As the learners call what {@link StreamOption#MAX_DICTIONARY} sets. */
    private static final String CAP = "maxDictionary";

    private final Map<String, String> given;
    private final List<String> names;
    private final StreamConfig stream;
    private final int dimension;
    private final boolean deterministic;
    private final String timeStyle;

    private ModelSettings(Map<String, String> words, List<String> names) {
        words.forEach(ModelSettings::requireEncodable);
        Map<String, String> ofStream = new LinkedHashMap<>(words);
        Map<String, String> own = new LinkedHashMap<>();
        for (String name : List.of(DIMENSION.name(), DETERMINISTIC.name(), TIME_STYLE)) {
            if (words.containsKey(name)) {
                own.put(name, requireValue(name, ofStream.remove(name)));
            }
        }
        ofStream.forEach(ModelSettings::requireKnown);
        this.stream = StreamConfig.parse(ofStream);
        this.names = List.copyOf(names);
        this.timeStyle = own.getOrDefault(TIME_STYLE, "");
        if (!timeStyle.isEmpty()) {
            TimeStyle.parse(timeStyle);
        }
        String coordinates = own.get(DIMENSION.name());
        this.dimension = coordinates == null ? names.size() : DIMENSION.parser().apply(coordinates);
        requireNames();
        this.deterministic = DETERMINISTIC.parser().apply(own.getOrDefault(DETERMINISTIC.name(), "false"));
        if (dimension > 0) {
            requireDimension(dimension);
            if (!stream.choosesKernel()) {
                int prepared = stream.preparation().dimension(dimension);
                try {
                    stream.choose(
                            DelayVectors.dimension(prepared, stream.delays().orElse(0)), prepared, null);
                } catch (InvalidConfigException e) {
                    // Whether there is room for so many is asked when the model is created: then it is known how much
                    // is free.
                    if (!e.field().equals(CAP) || stream.get(StreamOption.MAX_DICTIONARY) < 1) {
                        throw e;
                    }
                }
            }
        }
        Map<String, String> all = new LinkedHashMap<>(stream.given());
        all.putAll(own);
        this.given = Collections.unmodifiableMap(all);
    }

    private static void requireEncodable(String name, String value) {
        String objection = EncodableText.objection(name + value);
        if (objection != null) {
            throw new InvalidConfigException("settings", "a word", objection);
        }
    }

    private static String requireValue(String name, String value) {
        if (value == null) {
            throw new InvalidConfigException(name, null, "has no value; leave the setting out, or give one");
        }
        return value.strip();
    }

    private static void requireKnown(String name, String value) {
        if (name.equals(OLDER_HOLD_OUT)) {
            throw new InvalidConfigException(
                    name,
                    value,
                    "is now holdout, the share of pairs that are held out: 0.1 instead of 10, or 0 for none");
        }
        if (!StreamOption.NAMES.contains(StreamOption.name(name))) {
            throw new InvalidConfigException(
                    Reason.UNKNOWN_NAME,
                    name,
                    value,
                    "no such setting; there are " + String.join(", ", StreamOption.NAMES) + ", names, " + DIMENSION
                            + ", " + DETERMINISTIC + ", " + TIME_STYLE);
        }
    }

    private void requireNames() {
        try {
            labels(0, 1, stream.preparation(), Double.NaN, stream.maxGap());
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

    /** Those of the learning stream: how to learn, delays, warm-up, drift. */
    public StreamConfig stream() {
        return stream;
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
        return stream.interval();
    }

    /** Whether the system has no noise. */
    public boolean deterministic() {
        return deterministic;
    }

    /**
     * What the coordinates of states with so many delays are called.
     *
     * @param interval usual time between two observations, NaN when unknown
     * @param maxGap how far apart they may be
     */
    StateLabels labels(int delays, int stride, Preparation preparation, double interval, MaxGap maxGap) {
        double known = Double.isNaN(interval) ? dt() : interval;
        return new StateLabels(names, delays, stride, preparation, new TimeAxis(known, maxGap, timeStyle));
    }

    /** Refuses a dimension of observations that cannot be learned from. */
    void requireDimension(int observed) {
        long state = (long) stream.preparation().dimension(observed)
                * (stream.delays().orElse(0) + 1);
        if (state > MAX_DIMENSION) {
            throw new InvalidConfigException(
                    DIMENSION.name(),
                    state,
                    "a state may have at most " + MAX_DIMENSION + " coordinates, delays included");
        }
    }

    /**
     * About how many bytes a model takes: its learner (docs/numerics.md), which holds more while it grows, and what is published of it.
     *
     * @param kept samples in its dictionary
     * @param wide coordinates of a state
     * @param columns of an observation
     */
    long bytes(int kept, int wide, int columns) {
        // As a double: more than a long holds is the largest long.
        return (long) ((double) BYTES_AT_LEAST
                + BYTES_FOR_A_COLUMN * Math.max(1, Math.min(columns, COLUMNS_AT_MOST))
                + COPIES * DictionaryCap.bytes(kept, MATRICES, 3 * wide + 8));
    }

    /** The most kept samples with which a model takes no more than so many bytes; 0 where even one is too many. */
    int keptIn(long bytes) {
        int fits = 0;
        for (int step = 1 << 20; step > 0; step /= 2) {
            fits += bytes(fits + step, wideAtFirst(), dimension) <= bytes ? step : 0;
        }
        return fits;
    }

    private int wideAtFirst() {
        return dimension == 0
                ? 1
                : DelayVectors.dimension(
                        stream.preparation().dimension(dimension),
                        stream.delays().orElse(0));
    }

    /** Bytes that are set aside for a model before it has learned anything: all it may ever take where somebody said how much it keeps. */
    long bytesAtFirst() {
        return bytes(mostKept() == DictionaryCap.NONE ? KEPT_AT_FIRST : mostKept(), wideAtFirst(), dimension);
    }

    /** Samples that may be kept. */
    int mostKept() {
        return stream.has(StreamOption.MAX_DICTIONARY) ? stream.get(StreamOption.MAX_DICTIONARY) : DictionaryCap.NONE;
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
        try {
            return of(today(words, in), names);
        } catch (InvalidConfigException e) {
            throw in.fault("settings", e.getMessage());
        }
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
