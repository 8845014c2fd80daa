package io.koopstream.cli;

import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.SogdConfig;
import java.util.List;

/**
 * The settings of one run, of one of the two methods, and why each has its value.
 *
 * @param sogd settings of Algorithm 1, or null
 * @param leastSquares settings of least squares, or null
 * @param explained what is set, to what, and why
 */
record Settings(SogdConfig sogd, LeastSquaresConfig leastSquares, List<Explained> explained) {

    /**
     * One setting.
     *
     * @param name the option's name without dashes
     * @param value as one would write it
     * @param reason why
     */
    record Explained(String name, String value, String reason) {}
}
