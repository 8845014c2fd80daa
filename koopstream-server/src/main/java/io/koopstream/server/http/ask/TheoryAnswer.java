package io.koopstream.server.http.ask;

import io.koopstream.InvalidQueryException;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.Version;
import io.koopstream.io.Json;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.theory.ConvergenceTheory;
import io.koopstream.theory.ConvergenceTheory.Condition;
import io.koopstream.theory.Mixing;
import io.koopstream.theory.Mixing.Estimate;
import java.util.ArrayList;
import java.util.List;

/**
 * What the paper's theory says about a model.
 *
 * @param of which model it is about
 * @param mixing how fast the process forgets
 * @param norm ‖U_t‖ of the operator as learned so far, which is no bound of ‖U_λ‖
 * @param checks conditions of the theory
 */
public record TheoryAnswer(Version of, MixingRate mixing, double norm, List<Check> checks) {

    /** Bounds of the theory are checked up to so many samples. */
    private static final int MAX_THEORY = 1_000_000;

    /** How fast a process forgets, with where the numbers come from, or why there are none. */
    public record MixingRate(Numbers estimate, String note) {}

    /** By which factor correlations fall in a step, and in how many steps they fall by e. */
    public record Numbers(double rate, double relaxationSteps) implements Json.Part {}

    /** A condition of the theory, and whether it is met, with numbers. */
    public record Check(String statement, boolean holds, String reason) {}

    /** What the paper's theory says about the settings, in words with numbers. */
    public static TheoryAnswer of(LearnedModel model) {
        Regularised learned = model.forSpectra(Regularisation.USUAL);
        KoopmanOperator operator = learned.operator();
        Mixing mixing = null;
        MixingRate rate;
        try {
            Estimate estimate = Estimate.of(model.spectrum(learned, 2));
            mixing = estimate.assuming(1);
            rate = new MixingRate(
                    new Numbers(estimate.rate(), estimate.relaxationSteps()),
                    "estimated from the learned spectrum with factor R = 1; no guarantee");
        } catch (InvalidQueryException e) {
            rate = new MixingRate(null, e.getMessage());
        }
        List<Check> checks = new ArrayList<>();
        if (model.state() instanceof SogdState state) {
            int horizon = (int) Math.max(2, Math.min(MAX_THEORY, state.samples()));
            Mixing known = mixing;
            // ‖U_λ‖ is unknown, and the norm of what has been learned so far is no bound of it: the theory has one that
            // needs no data.
            ConvergenceTheory theory =
                    model.compute(() -> ConvergenceTheory.of(state.config(), known, Double.POSITIVE_INFINITY, horizon));
            for (Condition condition : theory.conditions()) {
                checks.add(new Check(condition.statement(), condition.holds(), condition.reason()));
            }
        } else {
            double bound = operator.domain().kernel().bound();
            checks.add(
                    new Check("Assumption 1", Double.isFinite(bound), "the kernel is bounded: sup k(x,x) = " + bound));
            checks.add(new Check(
                    "Least squares",
                    true,
                    "the exact minimiser on the dictionary: no step size, so the paper's conditions on steps"
                            + " do not apply"));
            long refusals = operator.pruning().refusals();
            checks.add(new Check(
                    "Dictionary",
                    refusals == 0,
                    refusals == 0
                            ? "never full: every sample beyond epsilon of it was kept"
                            : "full: " + operator.pruning().removals() + " kept samples were replaced, " + refusals
                                    + " new ones turned away"));
        }
        return new TheoryAnswer(model.version(), rate, operator.norm(), checks);
    }
}
