package io.koopstream.stream;

import io.koopstream.InvalidStateException;
import io.koopstream.change.Watch;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Rkhs;
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

    /** Version of the format that had the first version of records. */
    private static final int FIRST_RECORDS = 4;

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
        parts(StateParts.to(sink), Integer.MAX_VALUE);
    }

    /**
     * Reads what {@link #save} wrote, checked.
     *
     * @param version of the format: 3 and before have no record of forecasts, 4 has one in other units, which is not used
     */
    public static LearningStreamState read(LearnerState.Source source, int version) {
        LearningStreamState empty = LearningStream.of(StreamConfig.defaults()).state();
        return empty.parts(StateParts.from(source), version);
    }

    private LearningStreamState parts(StateParts parts, int version) {
        Map<String, String> words = new LinkedHashMap<>();
        parts.list(
                        "settings",
                        settings.given().entrySet(),
                        (sink, word) -> {
                            sink.text("name", word.getKey());
                            sink.text("value", word.getValue());
                        },
                        source -> Map.entry(source.text("name"), source.text("value")))
                .forEach(word -> words.put(word.getKey(), word.getValue()));
        boolean reads = parts.restores();
        StreamConfig config = reads ? StreamConfig.parse(words) : settings;
        int observed = parts.size("dimension", dimension);
        int earlier = parts.size("delays", delays);
        int steps = parts.size("stride", stride);
        Counts counted = counts.parts(parts);
        // Listeners get the numbers of rows that wait when they are learned at last.
        boolean withRows = config.scores() || config.tellsChanges();
        List<MissingValues.Track> incomplete =
                parts.list("missing", missing, (sink, track) -> track.save(sink, withRows), MissingValues.Track::read);
        Watch watches = (reads ? config.newWatch() : watch).parts(parts);
        boolean learns = parts.flag("learner", learner != null);
        int next = learns ? 0 : parts.size("nextChoice", nextChoice);
        List<Observation> rows = learns
                ? List.of()
                : parts.list("waiting", waiting, (sink, one) -> one.save(sink, withRows), Observation::read);
        InvalidStateException.require(observed > 0 || !learns, "learner", "states of unknown dimension");
        List<Explained> reasons = !learns
                ? List.of()
                : parts.list(
                        "explained",
                        explained,
                        (sink, one) -> {
                            sink.text("name", one.name());
                            sink.text("value", one.value());
                            sink.text("reason", one.reason());
                        },
                        source -> new Explained(source.text("name"), source.text("value"), source.text("reason")));
        List<String> warned = !learns
                ? List.of()
                : parts.list(
                        "warnings",
                        warnings,
                        (sink, one) -> sink.text("warning", one),
                        source -> source.text("warning"));
        Preparation prepared = chosen(reasons, StreamOption.CALENDAR)
                .map(config.preparation()::with)
                .orElse(config.preparation());
        MaxGap gap = chosen(reasons, StreamOption.MAX_GAP).map(MaxGap::parse).orElse(config.maxGap());
        Trajectories open = null;
        LearnerState model = null;
        Scorer scores = null;
        ForecastRecord judged = null;
        if (learns) {
            open = reads
                    ? new Trajectories(
                            prepared, observed, null, earlier, steps, Double.NaN, gap, config.openTrajectories())
                    : trajectories;
            open.parts(parts);
            LearnerState known = parts.model("learner", learner, one -> one, one -> one);
            model = known;
            if (config.scores()) {
                scores = reads ? new Scorer(prepared.dimension(observed), config.alarmRate()) : scorer;
                scores.parts(parts, known.input());
            }
            DelayLayout layout = DelayLayout.of(prepared, observed, earlier, steps);
            judged = version < FIRST_RECORDS
                    ? null
                    : parts.optional(
                            "record",
                            record,
                            (sink, one) -> one.save(sink),
                            source -> record(source, layout, known.input(), version == FIRST_RECORDS));
        }
        return !reads
                ? this
                : new LearningStreamState(
                        config,
                        observed,
                        earlier,
                        steps,
                        counted,
                        prepared,
                        gap,
                        open,
                        incomplete,
                        rows,
                        next,
                        reasons,
                        warned,
                        watches,
                        model,
                        scores,
                        judged);
    }

    private static ForecastRecord record(LearnerState.Source source, DelayLayout layout, Rkhs space, boolean first) {
        InvalidStateException.require(
                space.dimension() == layout.dimension(), "learner", "states of another dimension");
        return ForecastRecord.read(source, layout, space, first);
    }

    /** A calendar or largest gap that was chosen: it is stored with its reason alone. */
    private static Optional<String> chosen(List<Explained> explained, StreamOption<?> option) {
        return explained.stream()
                .filter(one -> one.name().equals(option.name()))
                .map(Explained::value)
                .findFirst();
    }
}
