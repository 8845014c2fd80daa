package io.koopstream.flink.sql;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.Forecaster;
import io.koopstream.io.CustomSchedules;
import io.koopstream.io.ModelFile;
import io.koopstream.io.ModelFormatException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import io.koopstream.stream.LearningStreamState;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.functions.FunctionContext;

/** The models that one function of one task has opened, by their paths. A file that was replaced since is opened again. */
final class SqlModels {

    /** Models held at once. */
    private static final int MAX_MODELS = 100;

    /** Between two looks at a file, each of which is a request to an object store. */
    static final long LOOK_NANOS = 10_000_000_000L;

    private final LongSupplier clock;
    private final Counter missing;

    private final Map<String, Opened> opened = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Opened> eldest) {
            return size() > MAX_MODELS;
        }
    };

    /** For a function of a task. */
    SqlModels(FunctionContext context) {
        this(System::nanoTime, context.getMetricGroup().addGroup("koopstream").counter("missingModels"));
    }

    /**
     * @param clock in nanoseconds; only differences count
     * @param missing counts questions to models that do not exist
     */
    SqlModels(LongSupplier clock, Counter missing) {
        this.clock = clock;
        this.missing = missing;
    }

    /** What answers for a model. */
    static final class Opened {

        /** Null where there is no file. */
        private final StoredModel model;

        private final DelayLayout layout;
        private long bytes;
        private long modified;
        private long looked;
        private Forecaster forecaster;
        private Scorer scorer;

        private Opened(StoredModel model, DelayLayout layout) {
            this.model = model;
            this.layout = layout;
        }

        /** Refuses states of another length: the query is wrong, not the row. */
        Opened requireDimension(double[] state) {
            if (state.length != layout.dimension()) {
                throw new InvalidQueryException("a state of this model has " + layout.dimension() + " numbers, "
                        + state.length + " are given"
                        + (layout.delays() > 0
                                ? "; it is a delay vector of " + (layout.delays() + 1) + " observations, newest first"
                                : ""));
            }
            return this;
        }

        /** The record of the stream that learned the model; null where the file holds none. */
        private ForecastRecord record() {
            try {
                return model.stream().map(LearningStreamState::record).orElse(null);
            } catch (ModelFormatException e) {
                return null;
            }
        }

        Forecaster forecaster() {
            if (forecaster == null) {
                forecaster = Forecaster.of(model.state(), layout, record());
            }
            return forecaster;
        }

        /** How unusual a step is by itself: the answer must not depend on what was asked before. */
        Score score(double[] from, double[] to) {
            if (scorer == null) {
                scorer = Scorer.of(model.state(), layout.observed(), Score.DEFAULT_ALARM_RATE);
            }
            return scorer.alone(from, to);
        }
    }

    /** The model at a path of any file system that Flink knows; null where there is none. */
    Opened at(String path) {
        long now = clock.getAsLong();
        Opened known = opened.get(path);
        if (known == null || now - known.looked >= LOOK_NANOS) {
            known = look(path, known);
            known.looked = now;
            opened.put(path, known);
        }
        if (known.model == null) {
            missing.inc();
            return null;
        }
        return known;
    }

    private static Opened look(String path, Opened known) {
        StoredModel model;
        FileStatus status;
        try {
            Path file = new Path(path);
            FileSystem files = file.getFileSystem();
            status = files.getFileStatus(file);
            if (known != null && known.modified == status.getModificationTime() && known.bytes == status.getLen()) {
                return known;
            }
            try (InputStream from = new BufferedInputStream(files.open(file), 1 << 16)) {
                model = ModelFile.read(from, status.getLen(), CustomSchedules.none())
                        .requireColumns();
            }
        } catch (FileNotFoundException e) {
            return new Opened(null, null);
        } catch (IOException e) {
            throw new UncheckedIOException("the model " + path + " cannot be read: " + e.getMessage(), e);
        }
        StateLabels labels = model.labels();
        if (!labels.preparation().isNone()) {
            throw new InvalidQueryException("the model " + path + " prepares its observations ("
                    + labels.preparation().words().keySet()
                    + "), which needs more than a state; ask it with 'koop forecast' or 'koop score'");
        }
        int observed = labels.observed(model.state().input().dimension()).size();
        Opened found =
                new Opened(model, DelayLayout.of(labels.preparation(), observed, labels.delays(), labels.stride()));
        found.bytes = status.getLen();
        found.modified = status.getModificationTime();
        return found;
    }

    /** A state that was given as an SQL array; null when one of its numbers is not known. */
    static double[] state(Double[] numbers) {
        if (numbers == null) {
            return null;
        }
        double[] state = new double[numbers.length];
        for (int i = 0; i < state.length; i++) {
            if (numbers[i] == null || !Double.isFinite(numbers[i])) {
                return null;
            }
            state[i] = numbers[i];
        }
        return state;
    }
}
