package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.CustomSchedules;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What every key of a job starts from, how it learns, and what is told of it. Immutable, and serializable because Flink ships functions so: the
 * words of {@link StreamConfig} travel as they were said, a model to start from as the bytes of a model file.
 */
public final class LearnSettings implements Serializable {

    private static final long serialVersionUID = 3L;

    /** The most bytes of a published record unless said otherwise: what a Kafka broker takes by default, with room for the rest. */
    public static final int DEFAULT_BLOCK_BYTES = 1_000_000;

    private static final int MIN_BLOCK_BYTES = 1024;

    /** Room for the models of a task in front of a state backend that is not on the heap, unless said otherwise. */
    public static final long DEFAULT_CACHE_BYTES = 256L << 20;

    /** Words that may be others when a job goes on from a savepoint. */
    public static final List<String> CHANGEABLE =
            List.of("openTrajectories", "drift", "driftDiscount", "scores", "alarmRate");

    private static final Pattern SETTINGS = Pattern.compile("settings \\{(.*?)\\}");
    /** Between two options, but not between two parameters of a kernel. */
    private static final Pattern BETWEEN = Pattern.compile(", (?=(?:" + String.join("|", StreamOption.NAMES) + ")=)");

    private final LinkedHashMap<String, String> words;
    private final int dimension;
    private final ArrayList<String> names;
    /** Null when every key starts with nothing. */
    private final byte[] start;

    private final long publishEvery;
    private final boolean publishAtEnd;
    private final int blockBytes;
    private final long latenessMillis;
    private final boolean predictions;
    private final boolean newKeysOnly;
    private final long forgetMillis;
    private final long cacheBytes;

    private transient StreamConfig settings;
    private transient StoredModel decoded;
    private transient String lasting;

    private LearnSettings(Builder builder) {
        words = new LinkedHashMap<>(builder.stream.given());
        dimension = builder.dimension;
        names = new ArrayList<>(builder.names);
        start = builder.start == null ? null : ModelFile.encode(builder.start);
        publishEvery = builder.publishEvery;
        publishAtEnd = builder.publishAtEnd;
        blockBytes = builder.blockBytes;
        latenessMillis = builder.latenessMillis;
        predictions = builder.predictions;
        newKeysOnly = builder.newKeysOnly;
        forgetMillis = builder.forgetMillis;
        cacheBytes = builder.cacheBytes;
    }

    /**
     * Every key starts with nothing. Where the words name no kernel, it chooses its own settings from its first records.
     *
     * @param settings how to learn, in the words of {@code koop learn}
     * @param dimension coordinates of an observation
     */
    public static Builder of(StreamConfig settings, int dimension) {
        if (dimension < 1) {
            throw new InvalidConfigException("dimension", dimension, "must be >= 1 coordinate");
        }
        Builder builder = new Builder(null, dimension);
        builder.stream = settings;
        return builder;
    }

    /** Every key starts from a learned state: a warm start, or the agreed dictionary of a merged stream. */
    public static Builder startingFrom(LearnerState state) {
        return startingFrom(new StoredModel(state, StateLabels.NONE));
    }

    /** Every key starts from a stored model, whose labels say what the coordinates are called and how states are made of observations. */
    public static Builder startingFrom(StoredModel model) {
        return new Builder(
                model.requireColumns(),
                model.labels().observed(model.state().input().dimension()).size());
    }

    /** How a stream is learned. */
    public StreamConfig stream() {
        if (settings == null) {
            settings = StreamConfig.parse(words);
        }
        return settings;
    }

    /** What every key starts from; empty when it starts with nothing. */
    public Optional<StoredModel> start() {
        if (decoded == null && start != null) {
            try {
                decoded = ModelFile.read(new ByteArrayInputStream(start), start.length, CustomSchedules.none());
            } catch (IOException e) {
                throw new UncheckedIOException("memory does no input or output", e);
            }
        }
        return Optional.ofNullable(decoded);
    }

    /** The stream that a key starts with. */
    LearningStream newStream() {
        return start().map(model -> LearningStream.startingFrom(
                        stream(),
                        model.state(),
                        model.labels().delays(),
                        model.labels().stride()))
                .orElseGet(() -> LearningStream.of(stream(), dimension))
                .withoutRecord();
    }

    /** What cannot change when a job goes on, in words. */
    String lasting() {
        if (lasting == null) {
            lasting = lasting(newStream());
        }
        return lasting;
    }

    /** What cannot change while a stream goes on, in words. */
    static String lasting(LearningStream stream) {
        Map<String, String> said = new LinkedHashMap<>(stream.settings().given());
        said.keySet().removeAll(CHANGEABLE);
        // Settings that were chosen are explained; a model that one started from has its own.
        boolean ownSettings = !stream.isWarmingUp() && stream.explained().isEmpty();
        return stream.dimension() + " coordinates and settings " + said
                + (ownSettings
                        ? " after a model with "
                                + config(stream.learner().orElseThrow().state()) + ", " + stream.delays()
                                + " delays with stride " + stream.stride()
                        : "");
    }

    /** True if both descriptions say the same, however a kernel is spelled and whether or not a default is said aloud. */
    static boolean areSame(String lasting, String other) {
        return lasting.equals(other) || meaning(lasting).equals(meaning(other));
    }

    private static String meaning(String lasting) {
        Matcher settings = SETTINGS.matcher(lasting);
        if (!settings.find()) {
            return lasting;
        }
        Map<String, String> words = new LinkedHashMap<>();
        for (String word : BETWEEN.split(settings.group(1), -1)) {
            words.put(word.replaceFirst("=.*", ""), word.replaceFirst("\\w*=", ""));
        }
        words.remove("");
        try {
            return settings.replaceFirst(Matcher.quoteReplacement(
                    "settings " + StreamConfig.parse(words).meaning()));
        } catch (InvalidConfigException e) {
            // Options of a release that had others.
            return lasting;
        }
    }

    private static Object config(LearnerState state) {
        return state instanceof LeastSquaresState leastSquares ? leastSquares.config() : ((SogdState) state).config();
    }

    /** Coordinates of an observation. */
    public int observationDimension() {
        return dimension;
    }

    /** What the coordinates of an observation are called; empty when they have no names. */
    public List<String> names() {
        return List.copyOf(names);
    }

    /** A model is published whenever its version reaches or passes a multiple of this; 0 for never. */
    public long publishEvery() {
        return publishEvery;
    }

    /** Whether every model is published when the stream ends. */
    public boolean publishAtEnd() {
        return publishAtEnd;
    }

    /** The most bytes of a published record. */
    public int blockBytes() {
        return blockBytes;
    }

    /** How far behind the watermark a record may be. */
    public Duration allowedLateness() {
        return Duration.ofMillis(latenessMillis);
    }

    /** A key without a record for this long, in event time, is published and forgotten; zero: never. */
    public Duration forgetAfter() {
        return Duration.ofMillis(forgetMillis);
    }

    /** About how many bytes of models a task keeps on the heap in front of another state backend; see {@link LearnOperator}. */
    public long cacheBytes() {
        return cacheBytes;
    }

    /** Whether keys that were learned with other settings go on with those. */
    public boolean newKeysOnly() {
        return newKeysOnly;
    }

    /** Whether outputs carry predicted states and their errors. */
    public boolean predictions() {
        return predictions;
    }

    /** Settings under way. */
    public static final class Builder {

        private final StoredModel start;
        private final int dimension;
        private StreamConfig stream = StreamConfig.defaults();
        private List<String> names;
        private long publishEvery;
        private boolean publishAtEnd = true;
        private int blockBytes = DEFAULT_BLOCK_BYTES;
        private long latenessMillis;
        private boolean predictions = true;
        private boolean newKeysOnly;
        private long forgetMillis;
        private long cacheBytes = DEFAULT_CACHE_BYTES;

        private Builder(StoredModel start, int dimension) {
            this.start = start;
            this.dimension = dimension;
            this.names = start == null ? List.of() : start.labels().names();
        }

        /** What is said about the stream; after a start from a model only what the model does not have: dt, openTrajectories, drift. */
        public Builder stream(StreamConfig settings) {
            stream = settings;
            return this;
        }

        /** Names of the coordinates of an observation; they end up in published models. */
        public Builder names(List<String> coordinates) {
            names = List.copyOf(coordinates);
            return this;
        }

        /** Publish a model whenever its version reaches or passes a multiple of {@code pairs}; 0, the default, never before the end. */
        public Builder publishEvery(long pairs) {
            publishEvery = atLeast("publishEvery", pairs, 0);
            return this;
        }

        /** Whether every model is published when the stream ends; default true. */
        public Builder publishAtEnd(boolean value) {
            publishAtEnd = value;
            return this;
        }

        /** The most bytes of a published record; default {@value LearnSettings#DEFAULT_BLOCK_BYTES}. */
        public Builder blockBytes(int value) {
            blockBytes = (int) atLeast("blockBytes", value, MIN_BLOCK_BYTES);
            return this;
        }

        /** How far behind the watermark a record may be before it is {@link RejectedSample.Reason#LATE}; default zero, {@code Long.MAX_VALUE} ms for any. */
        public Builder allowedLateness(Duration value) {
            latenessMillis = atLeast("allowedLateness", value.toMillis(), 0);
            return this;
        }

        /** Whether outputs carry predicted states and their errors, which costs O(m²) per pair; default true. */
        public Builder predictions(boolean value) {
            predictions = value;
            return this;
        }

        /** Whether, after a savepoint that was learned with other settings, keys that exist go on with theirs and only new ones take these; default: such
         * a savepoint is refused. */
        public Builder newKeysOnly(boolean value) {
            newKeysOnly = value;
            return this;
        }

        /**
         * Forget a key once the watermark is this far past its newest record, after its model was published; if it comes back it begins anew.
         * Default zero: never. Needs event times and watermarks. When a watermark comes depends on the job, so leave this out where results must repeat.
         */
        public Builder forgetAfter(Duration value) {
            forgetMillis = atLeast("forgetAfter", value.toMillis(), 0);
            return this;
        }

        /** About how many bytes of models a task keeps on the heap in front of another state backend; default {@value LearnSettings#DEFAULT_CACHE_BYTES}. */
        public Builder cacheBytes(long value) {
            cacheBytes = atLeast("cacheBytes", value, 0);
            return this;
        }

        private static long atLeast(String field, long value, long least) {
            if (value < least) {
                throw new InvalidConfigException(field, value, "must be >= " + least);
            }
            return value;
        }

        /**
         * The settings, checked.
         *
         * @throws io.koopstream.KoopstreamException if the start cannot be shipped or does not fit the rest
         */
        public LearnSettings build() {
            if (!names.isEmpty() && names.size() != dimension) {
                throw new InvalidConfigException("names", names, "must be one per coordinate, here " + dimension);
            }
            if (start != null) {
                for (String word : List.of("delays", "stride", "warmUp")) {
                    if (stream.given().containsKey(word)) {
                        throw new InvalidConfigException(
                                word, stream.given().get(word), "the model has its own settings; leave this out");
                    }
                }
            }
            LearnSettings settings = new LearnSettings(this);
            // What cannot be read back, e.g. a custom schedule, or learned with, is refused here and not on the
            // cluster.
            settings.newStream();
            return settings;
        }
    }
}
