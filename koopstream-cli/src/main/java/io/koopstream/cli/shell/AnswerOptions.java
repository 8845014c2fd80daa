package io.koopstream.cli.shell;

import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.Regularisation;
import io.koopstream.learner.leastsquares.RidgeFamily;
import java.util.OptionalDouble;
import java.util.OptionalInt;
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

    /** The ridge and the rank that were asked for. */
    Regularisation wish(LearnedModel model) {
        if (lambda == null && rank == null) {
            return Regularisation.USUAL;
        }
        if (model.leastSquares().isEmpty()) {
            throw CommandFailure.usage((lambda != null ? "--lambda" : "--rank")
                    + " needs a least-squares model: a sogd model holds one operator, not statistics");
        }
        boolean auto = "auto".equals(rank);
        return new Regularisation(
                lambda == null ? OptionalDouble.empty() : OptionalDouble.of(lambda),
                false,
                rank == null || auto ? OptionalInt.empty() : OptionalInt.of(number()),
                auto,
                by());
    }

    /** Whether an operator of smaller rank is asked for. */
    public boolean limitsRank() {
        return rank != null;
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
