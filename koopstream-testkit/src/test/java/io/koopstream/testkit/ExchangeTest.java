package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a state takes another's place in the one dictionary, all sums are projected, and what that costs is accounted for. */
class ExchangeTest {

    private static final Rkhs PLANE = new Rkhs(Kernels.gaussian(0.7), 2);

    private static LeastSquaresLearner<KoopmanOperator> learner(int cap, double forgetting) {
        return LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, PLANE.kernel())
                .epsilon(0)
                .forgetting(forgetting)
                .maxDictionary(cap)
                .build());
    }

    private static double[] coordinates(NewtonBasis basis, double[] state) {
        double[] beta = new double[basis.size()];
        basis.coordinates(state, beta, new Scratch());
        return beta;
    }

    private static double distance(Matrix a, Matrix b) {
        Matrix difference = a.copy();
        difference.add(-1, b);
        return difference.frobeniusNorm();
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "15, 1", "8, 0.99"})
    void theSumsAreProjected(int cap, double forgetting) {
        LeastSquaresLearner<KoopmanOperator> learner = learner(cap, forgetting);
        Samples samples = Streams.vanDerPol(31, 1500);
        learner.update(samples.input(0), samples.output(0));
        // From here on nothing is counted again: the sums have to follow.
        learner.discount(1);
        int exchanges = 0;
        for (int i = 1; i < samples.size(); i++) {
            LeastSquaresState before = learner.state();
            learner.update(samples.input(i), samples.output(i));
            LeastSquaresState after = learner.state();
            if (after.counters().removals() != before.counters().removals() + 1 || before.dictionarySize() != cap) {
                continue;
            }
            exchanges++;
            NewtonBasis basis = after.inputBasis();
            // The newcomer is last, and earlier samples have nothing along it.
            Matrix change = basis.coordinatesOf(before.inputBasis());
            for (int j = 0; j < change.columns(); j++) {
                change.set(basis.size() - 1, j, 0);
            }
            double[] beta = coordinates(basis, samples.input(i));
            double[] alpha = coordinates(basis, samples.output(i));
            double[] increment = {
                samples.output(i)[0] - samples.input(i)[0], samples.output(i)[1] - samples.input(i)[1], 1
            };
            Matrix input = change.times(before.inputStatistics()).times(change.transposed());
            input.rankOne(forgetting, 1, beta, beta);
            Matrix cross = change.times(before.crossStatistics()).times(change.transposed());
            cross.rankOne(forgetting, 1, alpha, beta);
            Matrix increments = change.times(before.incrementStatistics());
            increments.rankOne(forgetting, 1, beta, increment);
            // Rounding times the condition of a dictionary that may hold neighbours.
            double rounding = 1e-7 * after.weight();
            assertThat(distance(after.inputStatistics(), input))
                    .as("S, sample %d", i)
                    .isLessThan(rounding);
            assertThat(distance(after.crossStatistics(), cross))
                    .as("T, sample %d", i)
                    .isLessThan(rounding);
            assertThat(distance(after.incrementStatistics(), increments))
                    .as("V, sample %d", i)
                    .isLessThan(rounding);
        }
        assertThat(exchanges).isGreaterThan(3);
    }

    private static TransitionOperator operator(LeastSquaresState state, Matrix sum) {
        return new TransitionOperator(state.inputBasis(), state.outputBasis(), sum, state.samples());
    }

    @Test
    void aStateThatMakesRoomForItsOwnSuccessorIsAccountedFor() {
        double[] kept = {0, 0};
        double[] near = {0.2, 0};
        double[] far = {2, 0};
        LeastSquaresLearner<KoopmanOperator> capped = learner(2, 1);
        LeastSquaresLearner<KoopmanOperator> free = learner(1000, 1);
        capped.update(kept, kept);
        free.update(kept, kept);
        capped.update(near, far);
        free.update(near, far);
        LeastSquaresState lost = capped.state();
        LeastSquaresState all = free.state().settled();
        assertThat(lost.inputBasis().points().toRows()).isDeepEqualTo(new double[][] {kept, far});
        double bound = lost.counters().loss() * (1 + 1e-12);
        assertThat(operator(lost, lost.inputStatistics()).distance(operator(all, all.inputStatistics())))
                .isPositive()
                .isLessThanOrEqualTo(bound);
        assertThat(operator(lost, lost.crossStatistics()).distance(operator(all, all.crossStatistics())))
                .isPositive()
                .isLessThanOrEqualTo(bound);
    }
}
