package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.CustomSchedules;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.LearnerState;
import io.koopstream.tuning.ChosenSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What every key of a job starts from and how it learns. Immutable, and serializable because Flink ships functions so: the start travels
 * as the bytes of a model file, be it a model that has learned nothing or the warm start from one that has.
 */
public final class LearnSettings implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The most bytes of a published record unless said otherwise: what a Kafka broker takes by default, with room for the rest. */
    public static final int DEFAULT_BLOCK_BYTES = 1_000_000;

    /** Trajectories of a key that are followed at once unless said otherwise. */
    public static final int USUAL_OPEN_TRAJECTORIES = 1000;

    private final byte[] start;
    private final double interval;
    private final long publishEvery;
    private final boolean publishAtEnd;
    private final int blockBytes;
    private final int openTrajectories;
    private final long latenessMillis;
    private final boolean predictions;
    private final Watch watch;

    private transient StoredModel decoded;

    /** Drift settings in a form that can be shipped. */
    private record Watch(
            int warmup, int block, int baseline, double slack, double threshold, int refresh, double discount)
            implements Serializable {

        DriftConfig config() {
            return new DriftConfig(warmup, block, baseline, slack, threshold, refresh);
        }
    }

    private LearnSettings(Builder builder) {
        start = ModelFile.encode(builder.start);
        interval = builder.interval;
        publishEvery = builder.publishEvery;
        publishAtEnd = builder.publishAtEnd;
        blockBytes = builder.blockBytes;
        openTrajectories = builder.openTrajectories;
        latenessMillis = builder.latenessMillis;
        predictions = builder.predictions;
        DriftConfig drift = builder.drift;
        watch = drift == null
                ? null
                : new Watch(
                        drift.warmup(),
                        drift.block(),
                        drift.baseline(),
                        drift.slack(),
                        drift.threshold(),
                        drift.refresh(),
                        builder.discount);
        // What cannot be read back, e.g. a custom schedule, is refused here and not on the cluster.
        requireKoopman(start());
    }

    private static void requireKoopman(StoredModel model) {
        model.state().resumeKoopman();
    }

    /** Every key starts with a learner that has seen nothing. */
    public static Builder of(ChosenSettings settings) {
        return startingFrom(settings.newLearner().state());
    }

    /** Every key starts from a learned state: a warm start, or the agreed dictionary of a merged stream. */
    public static Builder startingFrom(LearnerState state) {
        return startingFrom(new StoredModel(state, StateLabels.NONE));
    }

    /** Every key starts from a stored model, whose labels say what the coordinates are called and how states are made of observations. */
    public static Builder startingFrom(StoredModel model) {
        return new Builder(model);
    }

    /** What every key starts from. */
    public StoredModel start() {
        if (decoded == null) {
            try {
                decoded = ModelFile.read(new ByteArrayInputStream(start), start.length, CustomSchedules.none());
            } catch (IOException e) {
                throw new UncheckedIOException("memory does no input or output", e);
            }
        }
        return decoded;
    }

    /** Coordinates of an observation. */
    public int observationDimension() {
        return DelayEmbedding.observationDimension(
                start().state().input().dimension(), start().labels().delays());
    }

    /** The usual time between two observations; not-a-number to take it from the first two of a key. */
    public double interval() {
        return interval;
    }

    /** A model is published whenever its version is a multiple of this; 0 for never. */
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

    /** Trajectories of a key that are followed at once; the one not seen for longest is forgotten first. */
    public int openTrajectories() {
        return openTrajectories;
    }

    /** How far behind the watermark a record may be. */
    public Duration allowedLateness() {
        return Duration.ofMillis(latenessMillis);
    }

    /** Whether outputs carry predicted states; errors are there whenever the model is watched. */
    public boolean predictions() {
        return predictions;
    }

    /** How prequential errors are watched; empty when they are not. */
    public Optional<DriftConfig> drift() {
        return Optional.ofNullable(watch).map(Watch::config);
    }

    /** Factor on the weight of the past at a drift; 1 leaves it. */
    public double discount() {
        return watch == null ? 1 : watch.discount();
    }

    /** Settings under way. */
    public static final class Builder {

        private StoredModel start;
        private double interval = Double.NaN;
        private long publishEvery;
        private boolean publishAtEnd = true;
        private int blockBytes = DEFAULT_BLOCK_BYTES;
        private int openTrajectories = USUAL_OPEN_TRAJECTORIES;
        private long latenessMillis;
        private boolean predictions = true;
        private DriftConfig drift = DriftConfig.defaults();
        private double discount = 1;

        private Builder(StoredModel start) {
            this.start = start;
        }

        /** Names of the coordinates of an observation; they end up in published models. */
        public Builder names(List<String> names) {
            StateLabels labels = start.labels();
            start = new StoredModel(start.state(), new StateLabels(names, labels.delays(), labels.stride()));
            return this;
        }

        /** States are delay vectors (o_t, o_{t−s}, …, o_{t−ks}): k delays, stride s. The learner's dimension counts all of them. */
        public Builder delays(int delays, int stride) {
            start = new StoredModel(
                    start.state(), new StateLabels(start.labels().names(), delays, stride));
            return this;
        }

        /** The usual time between two observations; needed only where records have times and no steps. */
        public Builder interval(double value) {
            if (!Double.isNaN(value)) {
                InvalidConfigException.requirePositive("interval", value, "time between two observations");
            }
            interval = value;
            return this;
        }

        /** Publish a model whenever its version is a multiple of {@code samples}; 0, the default, never before the end. */
        public Builder publishEvery(long samples) {
            publishEvery = atLeast("publishEvery", samples, 0);
            return this;
        }

        /** Whether every model is published when the stream ends; default true. */
        public Builder publishAtEnd(boolean value) {
            publishAtEnd = value;
            return this;
        }

        /** The most bytes of a published record; default {@value LearnSettings#DEFAULT_BLOCK_BYTES}. */
        public Builder blockBytes(int value) {
            blockBytes = (int) atLeast("blockBytes", value, 1024);
            return this;
        }

        /** Trajectories of a key that are followed at once; default {@value LearnSettings#USUAL_OPEN_TRAJECTORIES}. */
        public Builder openTrajectories(int value) {
            openTrajectories = (int) atLeast("openTrajectories", value, 1);
            return this;
        }

        /** How far behind the watermark a record may be before it is {@link RejectedSample.Reason#LATE}; default none. */
        public Builder allowedLateness(Duration value) {
            latenessMillis = atLeast("allowedLateness", value.toMillis(), 0);
            return this;
        }

        /** Whether outputs carry predicted states; default true. */
        public Builder predictions(boolean value) {
            predictions = value;
            return this;
        }

        /**
         * How prequential errors are watched for drift; default {@link DriftConfig#defaults()}. Its {@code refresh} is also how often the
         * operator that predicts is taken anew.
         *
         * @param discount factor in (0, 1] on the weight of the past at a drift; 1 leaves it
         */
        public Builder drift(DriftConfig config, double discount) {
            this.drift = config;
            this.discount = discount;
            return this;
        }

        /** No predictions, no errors, no drift: learning alone, which is faster. */
        public Builder unwatched() {
            this.drift = null;
            this.discount = 1;
            this.predictions = false;
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
            if (predictions && drift == null) {
                throw new InvalidConfigException("predictions", true, "need a watched model: give drift settings");
            }
            LearnSettings settings = new LearnSettings(this);
            KoopmanModel.start(settings);
            return settings;
        }
    }
}
