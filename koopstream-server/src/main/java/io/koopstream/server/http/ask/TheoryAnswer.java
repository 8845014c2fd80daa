package io.koopstream.server.http.ask;

import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.theory.ConvergenceTheory;
import io.koopstream.theory.ConvergenceTheory.Condition;
import io.koopstream.theory.Mixing;
import io.koopstream.theory.Mixing.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the paper's theory says about a model. */
public final class TheoryAnswer {

    /** Bounds of the theory are checked up to so many samples. */
    private static final int MAX_THEORY = 1_000_000;

    private TheoryAnswer() {}

    /** What the paper's theory says about the settings, in words with numbers. */
    public static Map<String, Object> theory(ModelView view) {
        KoopmanOperator operator = ModelAnswers.learned(view);
        Spectrum spectrum = view.spectrum(2);
        Mixing mixing = null;
        Map<String, Object> answer = ModelAnswers.start(view);
        try {
            Estimate estimate = Estimate.of(spectrum);
            mixing = estimate.assuming(1);
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("rate", estimate.rate());
            found.put("relaxationSteps", estimate.relaxationSteps());
            found.put("note", "estimated from the learned spectrum with factor R = 1; no guarantee");
            answer.put("mixing", found);
        } catch (io.koopstream.InvalidQueryException e) {
            answer.put("mixing", Map.of("note", e.getMessage()));
        }
        answer.put("norm", operator.norm());
        List<Object> checks = new ArrayList<>();
        if (view.state().orElseThrow() instanceof SogdState state) {
            int horizon = (int) Math.max(2, Math.min(MAX_THEORY, view.samples()));
            Mixing known = mixing;
            ConvergenceTheory theory =
                    view.compute(() -> ConvergenceTheory.of(state.config(), known, operator.norm(), horizon));
            for (Condition condition : theory.conditions()) {
                checks.add(check(condition.statement(), condition.holds(), condition.reason()));
            }
        } else {
            double bound = operator.domain().kernel().bound();
            checks.add(check("Assumption 1", Double.isFinite(bound), "the kernel is bounded: sup k(x,x) = " + bound));
            checks.add(check(
                    "Least squares",
                    true,
                    "the exact minimiser on the dictionary: no step size, so the paper's conditions on steps"
                            + " do not apply"));
            long refusals = operator.pruning().refusals();
            checks.add(check(
                    "Dictionary",
                    refusals == 0,
                    refusals == 0
                            ? "never full: every sample beyond epsilon of it was kept"
                            : "full: " + operator.pruning().removals() + " kept samples were replaced, " + refusals
                                    + " new ones turned away"));
        }
        answer.put("checks", checks);
        return answer;
    }

    private static Map<String, Object> check(String statement, boolean holds, String reason) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("statement", statement);
        entry.put("holds", holds);
        entry.put("reason", reason);
        return entry;
    }
}
