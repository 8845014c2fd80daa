package io.koopstream.stream;

import io.koopstream.InvalidStateException;
import io.koopstream.change.Watch;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.MissingValues;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.score.Scorer;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a {@link LearningStream} needs to continue, bit for bit, as an immutable value.
 *
 * @param settings the configuration
 * @param dimension coordinates of an observation; 0 while that is unknown
 * @param delays earlier observations that are part of a state
 * @param stride steps between them
 * @param counts what was counted
 * @param preparation transformation of observations before they are learned: as configured, or with the calendar that was chosen
 * @param maxGap largest gap between observations that follow each other: as configured, or as it was chosen
 * @param trajectories where the open trajectories stand, to be read only; null while the dimension is unknown or settings are to be chosen
 * @param missing what is remembered to fill in missing values; empty where none are
 * @param waiting observations that wait for settings to be chosen; empty once they are
 * @param nextChoice how many usable ones are waited for; 0 once settings are chosen
 * @param explained what is set, to what, and why
 * @param warnings what the settings do not promise
 * @param watch the watch over the one-step error, to be read only
 * @param learner the learner; null while there is none
 * @param scorer what scores observations, to be read only; null where they are not scored, or there is no learner
 * @param record the record of forecasts, to be read only; null where there is none, as in states written before 0.3
 */
public record LearningStreamState(
        StreamConfig settings,
        int dimension,
        int delays,
        int stride,
        Counts counts,
        Preparation preparation,
        MaxGap maxGap,
        Trajectories trajectories,
        List<MissingValues.Track> missing,
        List<Observation> waiting,
        int nextChoice,
        List<Explained> explained,
        List<String> warnings,
        Watch watch,
        LearnerState learner,
        Scorer scorer,
        ForecastRecord record) {

    /**
     * Counts of a stream.
     *
     * @param observations records that arrived, whatever their outcome
     * @param pairs pairs given to the learner
     * @param refused records whose values could not be learned from
     * @param unreadable records that could not be read
     * @param missing records of which values were missing
     * @param filled those of them that were filled in
     */
    public record Counts(long observations, long pairs, long refused, long unreadable, long missing, long filled) {

        /** Refuses counts that cannot be. */
        public Counts {
            InvalidStateException.require(
                    pairs >= 0
                            && refused >= 0
                            && unreadable >= 0
                            && filled >= 0
                            && missing >= filled
                            && observations >= Math.max(refused, missing) + unreadable,
                    "counts",
                    "counts that no stream can have");
        }

        private Counts parts(StateParts parts) {
            return new Counts(
                    parts.count("observations", observations),
                    parts.count("pairs", pairs),
                    parts.count("refused", refused),
                    parts.count("unreadable", unreadable),
                    parts.count("missing", missing),
                    parts.count("filled", filled));
        }
    }

    /** Keeps its own lists; refuses parts that do not go together. */
    public LearningStreamState {
        missing = List.copyOf(missing);
        waiting = List.copyOf(waiting);
        explained = List.copyOf(explained);
        warnings = List.copyOf(warnings);
        DelayVectors.requireLegal(delays, stride);
        InvalidStateException.require(dimension >= 0, "dimension", dimension + " coordinates");
        InvalidStateException.require(
                (settings.choosesCalendar() && learner != null) || preparation.equals(settings.preparation()),
                "preparation",
                "not that of the settings");
        InvalidStateException.require(
                (settings.choosesMaxGap() && learner != null) || maxGap.equals(settings.maxGap()),
                "maxGap",
                "not that of the settings");
        MissingValues.require(missing, settings.get(StreamOption.FILL), settings.get(StreamOption.FILL_MAX), dimension);
        long vector = preparation.dimension(dimension) * (delays + 1L);
        InvalidStateException.require(
                vector <= Integer.MAX_VALUE, "dimension", dimension + " with " + delays + " delays");
        InvalidStateException.require(
                (learner != null) == (trajectories != null), "learner", "without its trajectories, or they without it");
        if (learner != null) {
            InvalidStateException.require(
                    waiting.isEmpty() && nextChoice == 0, "waiting", "settings are chosen already");
            InvalidStateException.require(
                    learner.input().dimension() == vector, "learner", "states of another dimension than " + vector);
            InvalidStateException.require(
                    learner.input().equals(learner.output()), "learner", "inputs and outputs differ");
            InvalidStateException.require(
                    trajectories.isOf(preparation, dimension, delays, stride), "trajectories", "of other states");
        } else if (dimension > 0) {
            InvalidStateException.require(
                    delays == settings.delays().orElse(0) && stride == settings.stride(),
                    "delays",
                    "not those of the settings");
            InvalidStateException.require(
                    settings.choosesKernel(), "learner", "missing, though nothing is to be chosen");
            waiting.forEach(observation -> observation.requireDimension(dimension));
            InvalidStateException.require(
                    delays == 0 || waiting.stream().noneMatch(Observation::isPair),
                    "waiting",
                    "pairs where states have delays");
            long usable = waiting.stream().filter(o -> !o.isUnreadable()).count();
            InvalidStateException.require(
                    usable < nextChoice, "waiting", usable + " observations, " + nextChoice + " are enough");
        } else {
            InvalidStateException.require(
                    waiting.isEmpty() && nextChoice == 0, "waiting", "observations of an unknown dimension");
        }
        InvalidStateException.require(
                (scorer != null) == (learner != null && settings.scores()), "scores", "not as the settings say");
        if (scorer != null) {
            scorer.requireOf(preparation.dimension(dimension), learner.input());
        }
        watch.requireOf(
                settings.drift(),
                settings.tellsChanges(),
                preparation.dimension(dimension),
                learner == null ? null : learner.input());
    }

    /** Writes all of it. */
    public void save(LearnerState.Sink sink) {
        sink.list("settings", settings.given().entrySet(), word -> {
            sink.text("name", word.getKey());
            sink.text("value", word.getValue());
        });
        sink.size("dimension", dimension);
        sink.size("delays", delays);
        sink.size("stride", stride);
        counts.parts(StateParts.to(sink));
        // Listeners get the numbers of rows that wait when they are learned at last.
        boolean withRows = settings.scores() || settings.tellsChanges();
        sink.list("missing", missing, track -> track.save(sink, withRows));
        watch.save(sink);
        sink.flag("learner", learner != null);
        if (learner == null) {
            sink.size("nextChoice", nextChoice);
            sink.list("waiting", waiting, observation -> observation.save(sink, withRows));
            return;
        }
        sink.list("explained", explained, one -> {
            sink.text("name", one.name());
            sink.text("value", one.value());
            sink.text("reason", one.reason());
        });
        sink.list("warnings", warnings, warning -> sink.text("warning", warning));
        trajectories.save(sink);
        sink.model("learner", learner);
        // There is one exactly where the settings ask for scores.
        if (scorer != null) {
            scorer.save(sink);
        }
        sink.flag("record", record != null);
        if (record != null) {
            record.save(sink);
        }
    }

    /**
     * Reads what {@link #save} wrote, checked.
     *
     * @param version of the format: 3 and before have no record of forecasts, 4 has one in other units, which is not used
     */
    public static LearningStreamState read(LearnerState.Source source, int version) {
        Map<String, String> words = new LinkedHashMap<>();
        for (int i = source.size("settings"); i > 0; i--) {
            words.put(source.text("name"), source.text("value"));
        }
        StreamConfig settings = StreamConfig.parse(words);
        int dimension = source.size("dimension");
        int delays = source.size("delays");
        int stride = source.size("stride");
        Counts counts = new Counts(0, 0, 0, 0, 0, 0).parts(StateParts.from(source));
        List<MissingValues.Track> missing = source.list("missing", () -> MissingValues.Track.read(source));
        Watch watch = Watch.read(source, settings.tellsChanges());
        boolean learns = source.flag("learner");
        int nextChoice = learns ? 0 : source.size("nextChoice");
        List<Observation> waiting = learns ? List.of() : source.list("waiting", () -> Observation.read(source));
        List<Explained> explained = learns
                ? source.list(
                        "explained",
                        () -> new Explained(source.text("name"), source.text("value"), source.text("reason")))
                : List.of();
        List<String> warnings = learns ? source.list("warnings", () -> source.text("warning")) : List.of();
        InvalidStateException.require(dimension > 0 || !learns, "learner", "states of unknown dimension");
        Preparation preparation = chosen(explained, StreamOption.CALENDAR)
                .map(settings.preparation()::with)
                .orElse(settings.preparation());
        MaxGap maxGap =
                chosen(explained, StreamOption.MAX_GAP).map(MaxGap::parse).orElse(settings.maxGap());
        Trajectories trajectories = !learns
                ? null
                : new Trajectories(
                                preparation,
                                dimension,
                                null,
                                delays,
                                stride,
                                Double.NaN,
                                maxGap,
                                settings.openTrajectories())
                        .read(source);
        LearnerState learner = learns ? source.model("learner") : null;
        Scorer scorer = learns && settings.scores()
                ? Scorer.read(source, learner.input(), preparation.dimension(dimension), settings.alarmRate())
                : null;
        ForecastRecord record = null;
        if (learns && version > 3 && source.flag("record")) {
            DelayLayout layout = DelayLayout.of(preparation, dimension, delays, stride);
            InvalidStateException.require(
                    learner.input().dimension() == layout.dimension(), "learner", "states of another dimension");
            record = ForecastRecord.read(source, layout, learner.input(), version == 4);
        }
        return new LearningStreamState(
                settings,
                dimension,
                delays,
                stride,
                counts,
                preparation,
                maxGap,
                trajectories,
                missing,
                waiting,
                nextChoice,
                explained,
                warnings,
                watch,
                learner,
                scorer,
                record);
    }

    /** A calendar or largest gap that was chosen: it is stored with its reason alone. */
    private static Optional<String> chosen(List<Explained> explained, StreamOption<?> option) {
        return explained.stream()
                .filter(one -> one.name().equals(option.name()))
                .map(Explained::value)
                .findFirst();
    }
}
