package io.koopstream.tuning;

import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.KoopmanOperator;
import java.util.List;

/**
 * The settings of one run, of one of the two methods, and why each has its value.
 *
 * @param sogd settings of Algorithm 1, or null
 * @param leastSquares settings of least squares, or null
 * @param explained what is set, to what, and why
 */
public record ChosenSettings(SogdConfig sogd, LeastSquaresConfig leastSquares, List<Explained> explained) {

    /**
     * One setting.
     *
     * @param name its name as an option of {@code koop learn}, without dashes in front
     * @param value as one would write it
     * @param reason why
     */
    public record Explained(String name, String value, String reason) {}

    /** Exactly one of the two methods. */
    public ChosenSettings {
        if ((sogd == null) == (leastSquares == null)) {
            throw new IllegalArgumentException("settings of one method are needed, and of no other");
        }
        explained = List.copyOf(explained);
    }

    /** A learner with these settings that has seen nothing. */
    public StorableLearner<KoopmanOperator> newLearner() {
        return sogd != null ? SogdLearner.koopman(sogd) : LeastSquaresLearner.koopman(leastSquares);
    }

    /** What these settings do not promise, in words. */
    public List<String> warnings() {
        return sogd != null ? sogd.warnings() : List.of();
    }
}
