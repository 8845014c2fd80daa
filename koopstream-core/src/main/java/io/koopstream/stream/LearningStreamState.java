package io.koopstream.stream;

import io.koopstream.InvalidStateException;
import io.koopstream.learner.LearnerState;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.List;

/**
 * Everything a {@link LearningStream} needs to go on, bit for bit, as an immutable value.
 *
 * @param settings what was said
 * @param dimension coordinates of an observation; 0 while that is unknown
 * @param delays earlier observations that are part of a state
 * @param stride steps between them
 * @param counts what was counted
 * @param trajectories where the open trajectories stand; null while the dimension is unknown or settings are to be chosen
 * @param waiting observations that wait for settings to be chosen; empty once they are
 * @param nextChoice how many usable ones are waited for; 0 once settings are chosen
 * @param explained what is set, to what, and why
 * @param warnings what the settings do not promise
 * @param watch the watch over the one-step error
 * @param learner the learner; null while there is none
 */
public record LearningStreamState(
        StreamSettings settings,
        int dimension,
        int delays,
        int stride,
        Counts counts,
        Trajectories.State trajectories,
        List<Observation> waiting,
        int nextChoice,
        List<Explained> explained,
        List<String> warnings,
        Watch.State watch,
        LearnerState learner) {

    /**
     * What a stream counts.
     *
     * @param observations records that came, whatever became of them
     * @param pairs pairs given to the learner
     * @param refused records whose values could not be learned from
     * @param unreadable records that could not be read
     */
    public record Counts(long observations, long pairs, long refused, long unreadable) {

        /** Refuses counts that cannot be. */
        public Counts {
            if (pairs < 0 || refused < 0 || unreadable < 0 || observations < refused + unreadable) {
                throw new InvalidStateException("counts", "counts that no stream can have");
            }
        }
    }

    /** Keeps its own lists; refuses parts that do not go together. */
    public LearningStreamState {
        waiting = List.copyOf(waiting);
        explained = List.copyOf(explained);
        warnings = List.copyOf(warnings);
        require(dimension >= 0 && delays >= 0 && stride >= 1, "dimension", dimension + ", delays " + delays);
        require((learner != null) == (trajectories != null), "learner", "without its trajectories, or they without it");
        require(learner == null || (waiting.isEmpty() && nextChoice == 0), "waiting", "settings are chosen already");
        require(
                learner == null || learner.input().dimension() == DelayVectors.dimension(dimension, delays),
                "learner",
                "states of another dimension than " + DelayVectors.dimension(dimension, delays));
        require(learner == null || learner.input().equals(learner.output()), "learner", "inputs and outputs differ");
    }

    private static void require(boolean holds, String part, String problem) {
        if (!holds) {
            throw new InvalidStateException(part, problem);
        }
    }
}
