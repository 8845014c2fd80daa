package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.theory.RegularisedRisk;
import org.junit.jupiter.api.Test;

/** Samples of which only one side is new (erratum 4): that side is kept, so nothing the sample says is lost. */
class OneSidedNoveltyTest {

    private static final Rkhs LINE = new Rkhs(Kernels.gaussian(0.5), 1);

    private static double[] at(double x) {
        return new double[] {x};
    }

    private static SogdLearner<KoopmanOperator> sogd() {
        return SogdLearner.koopman(SogdConfig.forState(1, Kernels.gaussian(0.5))
                .lambda(1e-3)
                .stepSize(0.3)
                .budget(1e-3)
                .build());
    }

    @Test
    void manyStatesThatLeadToOneAreAllRemembered() {
        SogdLearner<KoopmanOperator> sogd = sogd();
        LeastSquaresLearner<KoopmanOperator> leastSquares =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forTransition(LINE, LINE)
                        .lambda(1e-3)
                        .epsilon(0.01)
                        .build());
        double[][] x = {at(0), at(1), at(2)};
        double[][] y = {at(1), at(1), at(1)};
        for (int t = 0; t < 3000; t++) {
            StepOutcome outcome = sogd.update(x[t % 3], y[t % 3]);
            assertThat(outcome)
                    .as("sample %d", t)
                    .isEqualTo(t == 0 ? StepOutcome.ADMITTED : t < 3 ? StepOutcome.INPUT_ADMITTED : outcome);
            assertThat(t < 3 || !(outcome.keepsInput() || outcome.keepsOutput()))
                    .isTrue();
            leastSquares.update(x[t % 3], y[t % 3]);
        }
        KoopmanOperator operator = sogd.snapshot();
        assertThat(operator.inputBasis().size()).isEqualTo(3);
        assertThat(operator.outputBasis().size()).isEqualTo(1);
        assertThat(operator.coefficients()).hasDimensions(1, 3);
        TransitionOperator batch = new RegularisedRisk(x, y, 1e-3).minimiser(LINE, LINE);
        for (double[] start : x) {
            assertThat(operator.predict(start)[0]).isCloseTo(batch.predict(start)[0], within(0.005));
            assertThat(leastSquares.snapshot().predict(start)[0]).isCloseTo(batch.predict(start)[0], within(1e-6));
        }
        // A rectangular operator has a spectrum all the same: everything ends at 1, so the leading eigenvalue is one.
        assertThat(Spectrum.leading(operator, 1).eigenvalue(0).re()).isCloseTo(1.0, within(0.01));
        assertThat(operator.forecast(at(2), 4)[3][0]).isCloseTo(1.0, within(0.02));
    }

    @Test
    void oneStateWithTwoSuccessorsPredictsTheirMean() {
        SogdLearner<KoopmanOperator> sogd = SogdLearner.koopman(SogdConfig.forState(1, Kernels.gaussian(0.5))
                .lambda(1e-4)
                .stepSize(StepSize.decay(1, 1, 0.9))
                .budget(1e-3)
                .build());
        LeastSquaresLearner<KoopmanOperator> leastSquares =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forTransition(LINE, LINE)
                        .lambda(1e-6)
                        .epsilon(0.01)
                        .build());
        for (int t = 0; t < 4000; t++) {
            sogd.update(at(0), at(t % 2 == 0 ? 1 : -1));
            leastSquares.update(at(0), at(t % 2 == 0 ? 1 : -1));
        }
        assertThat(sogd.snapshot().inputBasis().size()).isEqualTo(1);
        assertThat(sogd.snapshot().outputBasis().size()).isEqualTo(2);
        assertThat(sogd.snapshot().predict(at(0))[0]).isCloseTo(0.0, within(0.01));
        assertThat(sogd.snapshot().expect(y -> y[0] * y[0], at(0))).isCloseTo(1.0, within(0.01));
        assertThat(leastSquares.snapshot().predict(at(0))[0]).isCloseTo(0.0, within(1e-9));
    }

    @Test
    void aRectangularStateCarriesOnBitForBit() {
        SogdLearner<KoopmanOperator> sogd = sogd();
        for (int t = 0; t < 50; t++) {
            sogd.update(at(t % 7), at(t % 2));
        }
        assertThat(sogd.snapshot().inputBasis().size())
                .isNotEqualTo(sogd.snapshot().outputBasis().size());
        SogdLearner<KoopmanOperator> resumed = sogd.state().resumeKoopman();
        for (int t = 0; t < 50; t++) {
            sogd.update(at(t % 11), at(t % 3));
            resumed.update(at(t % 11), at(t % 3));
        }
        assertThat(resumed.state().digest()).isEqualTo(sogd.state().digest());
    }
}
