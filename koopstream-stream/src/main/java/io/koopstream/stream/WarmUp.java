package io.koopstream.stream;

import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.tuning.AdvisorConfig;
import io.koopstream.tuning.ChosenSettings.Explained;
import io.koopstream.tuning.Proposal;
import io.koopstream.tuning.SettingsAdvisor;
import io.koopstream.tuning.YearlyCycle;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Observations that wait for settings to be chosen from them, as they came. One writer. */
final class WarmUp {

    /** Numbers that wait at most, so that memory does not depend on how wide observations are. */
    static final int MAX_NUMBERS = 1_000_000;

    /** The most earlier observations that are proposed as parts of a state. */
    private static final int MAX_DELAYS = 100;

    private static final int MAX_COORDINATES = 400;

    /** Number of times the wait is doubled when it shows nothing, e.g. because nothing moved yet. */
    private static final int MAX_DOUBLINGS = 6;

    /** Fewest observations from which anything is chosen, however wide they are. */
    private static final int MIN_AWAITED = 3;

    private final StreamConfig settings;
    private final int stateDimension;
    private final List<Observation> waiting = new ArrayList<>();
    private int usable;
    private int awaited;

    WarmUp(StreamConfig settings, int stateDimension) {
        this.settings = settings;
        this.stateDimension = stateDimension;
        this.awaited = Math.max(MIN_AWAITED, Math.min(settings.warmUp(), MAX_NUMBERS / stateDimension));
    }

    /** Restores how many are awaited. */
    void resume(int stored) {
        awaited = stored;
    }

    /** Keeps an observation, or the mark of one that interrupts; copied. */
    void add(Observation observation) {
        waiting.add(observation.copy());
        usable += observation.isUnreadable() ? 0 : 1;
    }

    /** True if as many as are awaited are there. */
    boolean isFull() {
        return usable == awaited;
    }

    /** False where every observation that waits has the same values. */
    boolean varies() {
        return waiting.stream()
                        .filter(observation -> !observation.isUnreadable())
                        .map(observation -> DoubleBuffer.wrap(observation.values()))
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
    }

    /** Waits for twice as many; false when there is no room for them. */
    boolean waitsLonger() {
        boolean more =
                awaited < (long) settings.warmUp() << MAX_DOUBLINGS && 2L * awaited * stateDimension <= MAX_NUMBERS;
        awaited *= more ? 2 : 1;
        return more;
    }

    List<Observation> waiting() {
        return waiting;
    }

    /** Number of waiting observations, without marks. */
    int usable() {
        return usable;
    }

    int awaited() {
        return awaited;
    }

    /** Transformation of observations that are learned like those that wait. */
    Preparation preparation(double interval) {
        Preparation said = settings.preparation();
        return settings.choosesCalendar() && YearlyCycle.shows(waiting, interval)
                ? said.with(Preparation.Cycle.SEASON.word())
                : said;
    }

    /** Largest gap between observations that follow each other, as those that wait suggest. */
    MaxGap maxGap(double interval) {
        return settings.choosesMaxGap() ? MaxGap.of(waiting, interval) : settings.maxGap();
    }

    /** Reasons for what was chosen with a proposal: how many earlier observations are part of a state, and the calendar and the largest gap where there is one. */
    static List<Explained> explained(
            StreamConfig settings, List<Explained> explained, int delays, Preparation preparation, MaxGap maxGap) {
        List<Explained> all = new ArrayList<>(explained);
        if (settings.choosesDelays()) {
            all.add(new Explained(
                    "delays",
                    Integer.toString(delays),
                    delays > 0 ? "they lower the forecast error" : "one observation determines the state"));
        }
        if (!preparation.equals(settings.preparation())) {
            all.add(new Explained(
                    StreamOption.CALENDAR.name(),
                    Preparation.Cycle.SEASON.word(),
                    "the next value depends on the time of year; 'none' turns this off"));
        }
        if (!maxGap.equals(settings.maxGap())) {
            all.add(new Explained(
                    StreamOption.MAX_GAP.name(),
                    maxGap.text(),
                    "no row is of a Saturday or Sunday, so Monday follows Friday"));
        }
        return all;
    }

    /**
     * Proposal from the pairs among the observations; null when there is none.
     *
     * @param scout new trajectories
     */
    Proposal proposal(Trajectories scout) {
        Map<String, List<double[]>> inputs = new LinkedHashMap<>();
        Map<String, List<double[]>> outputs = new LinkedHashMap<>();
        boolean explicit = false;
        for (Observation observation : waiting) {
            explicit |= observation.isPair();
            Outcome outcome = scout.next(observation);
            if (outcome.isPair()) {
                // Trajectory by trajectory, so that the advisor sees them also where they are interleaved.
                String name = observation.trajectory();
                inputs.computeIfAbsent(name, key -> new ArrayList<>()).add(outcome.from());
                outputs.computeIfAbsent(name, key -> new ArrayList<>()).add(outcome.to());
            }
        }
        double[][] x = inputs.values().stream().flatMap(List::stream).toArray(double[][]::new);
        double[][] xNext = outputs.values().stream().flatMap(List::stream).toArray(double[][]::new);
        if (x.length == 0) {
            return null;
        }
        AdvisorConfig usual = AdvisorConfig.defaults();
        int maxDelays =
                settings.choosesDelays() && !explicit ? Math.min(MAX_DELAYS, MAX_COORDINATES / scout.dimension()) : 0;
        return SettingsAdvisor.suggest(
                x,
                xNext,
                new AdvisorConfig(Math.max(usual.window(), x.length), usual.maxDictionary(), maxDelays)
                        .keepingAtMost(settings.get(StreamOption.MAX_DICTIONARY)));
    }
}
