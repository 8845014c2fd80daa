package io.koopstream.bench.accuracy;

import io.koopstream.kernel.Kernel;
import io.koopstream.learner.Averaging;
import io.koopstream.learner.BlockedLearner;
import io.koopstream.learner.Criterion;
import io.koopstream.learner.HoldOut;
import io.koopstream.learner.HoldOutConfig;
import io.koopstream.learner.HoldOutLearner;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.StepSize;
import io.koopstream.operator.BlockStatistics;
import io.koopstream.operator.KoopmanOperator;
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
                                .lambda(lambda)
                                .epsilon(epsilon)
                                .build(),
                        rule);
        };
    }

    /** Least squares with settings of the caller's. */
    static Run leastSquares(LeastSquaresConfig config, TrustRule rule) {
        return new Run(new BlockedLearner<>(LeastSquaresLearner.koopman(config)), rule);
    }

    /** A learner under way, with what is held out. */
    static final class Run {

        private static final int FEWEST_BLOCKS = 4;

        private final Learner<KoopmanOperator> inner;
        private final HoldOutLearner<KoopmanOperator> learner;
        private final TrustRule rule;

        private Run(Learner<KoopmanOperator> inner, TrustRule rule) {
            this.inner = inner;
            this.learner = new HoldOutLearner<>(inner, HoldOutConfig.defaults());
            this.rule = rule;
        }

        /** What the stream is fed to. */
        Learner<KoopmanOperator> learner() {
            return learner;
        }

        /** The leading eigenpairs, at most as many as there are. */
        Spectrum spectrum(int count) {
            KoopmanOperator operator = inner.snapshot();
            return Spectrum.leading(operator, Math.min(count, operator.dictionarySize()));
        }

        /** The judgement of a spectrum of the present operator. */
        TrustReport trust(Spectrum spectrum) {
            HoldOut kept = learner.holdOut();
            if (inner instanceof BlockedLearner<KoopmanOperator> blocked) {
                BlockStatistics blocks = blocked.blocks();
                // A removal from a full dictionary begins the blocks anew; until there are enough, there are no
                // standard errors.
                if (blocks.blocks().size() >= FEWEST_BLOCKS) {
                    return TrustReport.of(spectrum, blocks, kept.inputs(), kept.outputs(), rule);
                }
            }
            return TrustReport.of(spectrum, kept.inputs(), kept.outputs(), rule);
        }
    }
}
