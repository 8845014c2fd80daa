package io.koopstream.answers;

import io.koopstream.learner.leastsquares.RidgeFamily.By;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * With which ridge λ and which rank a model of least squares is to answer.
 *
 * @param lambda λ > 0; empty to leave it to the model: that of its settings, else the one that held-out pairs choose
 * @param choosesLambda whether held-out pairs choose λ whatever the settings say; only where no λ is given
 * @param rank the most directions that are kept, >= 1; empty for all of them
 * @param choosesRank whether held-out pairs choose the rank; only where no rank is given
 * @param by what a rank keeps: the directions that predict, or those in which the inputs vary
 */
public record Regularisation(
        OptionalDouble lambda, boolean choosesLambda, OptionalInt rank, boolean choosesRank, By by) {

    /** All left to the model. */
    public static final Regularisation USUAL =
            new Regularisation(OptionalDouble.empty(), false, OptionalInt.empty(), false, By.PREDICTION);

    /** Refuses what contradicts itself. */
    public Regularisation {
        if ((choosesLambda && lambda.isPresent()) || (choosesRank && rank.isPresent())) {
            throw new IllegalArgumentException("a value is given and is to be chosen");
        }
    }

    /** True if all directions are kept. */
    boolean isOfFullRank() {
        return rank.isEmpty() && !choosesRank;
    }
}
