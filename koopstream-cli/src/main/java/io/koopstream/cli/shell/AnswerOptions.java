package io.koopstream.cli.shell;

import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.RidgeFamily;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import picocli.CommandLine.Option;

/** The options that say which operator a least-squares model answers with: its statistics hold all of them. */
public final class AnswerOptions {

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description = "least-squares: use this regularisation; default: chosen on the held-out pairs")
    private Double lambda;

    @Option(
            names = "--rank",
            paramLabel = "R",
            description =
                    "least-squares: use an operator of rank R, or 'auto' to choose the rank on held-out pairs; for noisy data with many columns")
    private String rank;

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "prediction",
            description =
                    "what --rank keeps: prediction (reduced-rank regression) or input (principal components); default: ${DEFAULT-VALUE}")
    private String by;

    /** The answer, with what was used for it, and whether that is what the model chose by itself. */
    public record Answer(KoopmanOperator operator, double lambda, int rank, boolean isUsual) {

        /** In words, for the line under a table. */
        public String text() {
            return Double.isNaN(lambda)
                    ? ""
                    : "lambda " + Numbers.shortest(lambda) + (rank > 0 ? ", rank " + rank : "");
        }
    }

    /** @param forecasts whether the state is to be forecast, rather than a spectrum read */
    Answer from(LearnerState state, boolean forecasts) {
        if (!(state instanceof LeastSquaresState leastSquares)) {
            if (lambda != null || rank != null) {
                throw CommandFailure.usage((lambda != null ? "--lambda" : "--rank")
                        + " needs a least-squares model: a sogd model holds one operator, not statistics");
            }
            TransitionOperator operator = forecasts ? state.forecastOperator() : state.operator();
            return new Answer(operator.asKoopman(), Double.NaN, 0, true);
        }
        double used =
                lambda != null ? lambda : forecasts ? leastSquares.forecastLambda() : leastSquares.spectrumLambda();
        if (rank == null) {
            return new Answer(leastSquares.operator(used).asKoopman(), used, 0, lambda == null);
        }
        RidgeFamily.By kept = by();
        int limit = rank.equals("auto") ? leastSquares.chosenRank(used) : number();
        return new Answer(leastSquares.operator(used, limit, kept).asKoopman(), used, limit, false);
    }

    private RidgeFamily.By by() {
        return switch (by) {
            case "prediction" -> RidgeFamily.By.PREDICTION;
            case "input" -> RidgeFamily.By.INPUT;
            default -> throw CommandFailure.usage("--by " + by + ": must be prediction or input");
        };
    }

    private int number() {
        try {
            return Integer.parseInt(rank);
        } catch (NumberFormatException e) {
            throw CommandFailure.usage("--rank " + rank + ": must be a whole number, or auto");
        }
    }
}
