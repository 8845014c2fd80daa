package io.koopstream.answers;

import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import java.util.List;

/**
 * A model in a file: the facts that every model has, and those that take computing.
 *
 * @param model facts that a served model has too
 * @param file where it is
 * @param warnings what the settings do not promise
 * @param removals kept samples that were replaced by better ones
 * @param refusals new samples that a full dictionary turned away
 * @param errorBound bound on the error made by the full dictionary, a sum of worst cases
 * @param norm of the operator
 * @param dependents samples that the dictionary represented
 * @param digest of all that was learned
 * @param forecasts accuracy of the forecasts made while it learned
 * @param projection of the rows before they were learned; null where their columns were
 */
public record StoredInfo(
        ModelInfo model,
        String file,
        List<String> warnings,
        long removals,
        long refusals,
        double errorBound,
        double norm,
        long dependents,
        String digest,
        List<Horizon> forecasts,
        Projected projection) {

    /** The facts about a model in a file. */
    public static StoredInfo of(LearnedModel model, String file, Regularisation wish) {
        KoopmanOperator operator = model.forSpectra(wish).operator();
        model.forecaster(Regularisation.USUAL, Double.NaN);
        Pruning pruning = operator.pruning();
        return new StoredInfo(
                ModelInfo.of(model),
                file,
                model.facts().map(StreamFacts::warnings).orElse(List.of()),
                pruning.removals(),
                pruning.refusals(),
                pruning.errorBound(),
                operator.norm(),
                model.settled().dependents(),
                model.settled().digest(),
                model.facts().flatMap(StreamFacts::record).map(Horizon::of).orElse(List.of()),
                Projected.of(model.projection().orElse(null)));
    }
}
