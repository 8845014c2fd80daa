package io.koopstream.server.engine;

import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;

/** How far eigenpairs can be trusted, by the pairs that were held out. */
final class Judgement {

    private Judgement() {}

    static TrustReport of(ModelSettings settings, Regularised learned, Spectrum judged, LeastSquaresState statistics) {
        TrustRule rule = settings.deterministic() ? TrustRule.deterministic() : TrustRule.stochastic();
        double[][] x = statistics.holdOut().inputs();
        double[][] xNext = statistics.holdOut().outputs();
        if (learned.rank() < learned.operator().inputBasis().size()) {
            // The spread follows from normal equations that an operator of smaller rank does not solve.
            return TrustReport.of(judged, x, xNext, rule);
        }
        EigenvalueSpread spread =
                EigenvalueSpread.fromHeldOut(judged, x, xNext, learned.lambda(), statistics.samples());
        return TrustReport.of(judged, spread, x, xNext, rule);
    }
}
