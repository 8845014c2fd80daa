package io.koopstream.lab.accuracy;

import io.koopstream.kernel.Kernel;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;

/** A way to learn whose accuracy is studied, with every tenth pair held out to judge it. */
enum Method {
    /** Algorithm 1 with the settings of the paper's four-well experiment: η = 0.3, ε = η⁴, its own criterion, last iterate. */
    PAPER_SOGD("paper's SOGD"),
    /** η_t = 0.9 / (1 + t/200)^0.75 and a smaller ridge. */
    DECAYING_SOGD("SOGD, decaying step"),
    /** η_t = 0.9 / (1 + t/200)^0.55, and the weighted average of the iterates instead of the last. */
    AVERAGED_SOGD("SOGD, averaged"),
    /** Online least squares on the adaptive dictionary. */
    LEAST_SQUARES("least squares");

    private final String text;

    Method(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }

    /** A new learner; ridge and threshold are those of least squares, the others have their own. */
    Run start(int dimension, Kernel kernel, double lambda, double epsilon, TrustRule rule) {
        return switch (this) {
            case PAPER_SOGD ->
                new Run(
                        SogdLearner.koopman(SogdConfig.forState(dimension, kernel)
                                .lambda(1e-3)
                                .stepSize(0.3)
                                .budget(0.3 * 0.3 * 0.3 * 0.3)
                                .criterion(Criterion.PAPER)
                                .build()),
                        rule);
            case DECAYING_SOGD ->
                new Run(
                        SogdLearner.koopman(SogdConfig.forState(dimension, kernel)
                                .lambda(1e-5)
                                .stepSize(StepSize.decay(0.9 * Math.pow(200, 0.75), 200, 0.75))
                                .budget(0.01)
                                .build()),
                        rule);
            case AVERAGED_SOGD ->
                new Run(
                        SogdLearner.koopman(SogdConfig.forState(dimension, kernel)
                                .lambda(1e-5)
                                .stepSize(StepSize.decay(0.9 * Math.pow(200, 0.55), 200, 0.55))
                                .budget(0.01)
                                .averaging(Averaging.tail(3))
                                .build()),
                        rule);
            case LEAST_SQUARES ->
                leastSquares(
                        LeastSquaresConfig.forState(dimension, kernel)
                                .epsilon(epsilon)
                                .holdOut(HoldOutConfig.DEFAULT_SHARE)
                                .build(),
                        rule);
        };
    }

    /** Least squares with settings of the caller's. */
    static Run leastSquares(LeastSquaresConfig config, TrustRule rule) {
        return new Run(LeastSquaresLearner.koopman(config), rule);
    }

    /** A learner under way. */
    static final class Run {

        private final Learner<KoopmanOperator> learner;
        private final TrustRule rule;

        private Run(Learner<KoopmanOperator> learner, TrustRule rule) {
            this.learner = learner;
            this.rule = rule;
        }

        /** Takes the pairs of a stream from one position to before another. */
        void feed(PairStream stream, int from, int to) {
            stream.feed(learner, from, to);
        }

        int dictionarySize() {
            return learner.dictionarySize();
        }

        /** The leading eigenpairs, at most as many as there are. */
        Spectrum spectrum(int count) {
            return Spectrum.upTo(learner.snapshot(), count);
        }

        /** The judgement of a spectrum of the present operator on pairs of another stream. */
        TrustReport trust(Spectrum spectrum, PairStream test) {
            if (learner instanceof LeastSquaresLearner<KoopmanOperator> leastSquares) {
                double[] spread = EigenvalueSpread.fromHeldOut(
                        spectrum,
                        test.inputs(),
                        test.outputs(),
                        leastSquares.state().spectrumLambda(),
                        leastSquares.samples());
                return TrustReport.of(spectrum, spread, test.inputs(), test.outputs(), rule);
            }
            return TrustReport.of(spectrum, test.inputs(), test.outputs(), rule);
        }
    }
}
