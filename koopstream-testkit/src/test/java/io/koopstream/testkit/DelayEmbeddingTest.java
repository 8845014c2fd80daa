package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.NoisyRotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delay vectors: which pairs are formed, and what they make of a system of which only one coordinate is seen. */
class DelayEmbeddingTest {

    /** Writes down what it is fed. */
    private static final class Recorder implements Learner<KoopmanOperator> {
        private final List<double[]> from = new ArrayList<>();
        private final List<double[]> to = new ArrayList<>();
        private final Rkhs space;

        Recorder(int dimension) {
            space = new Rkhs(Kernels.gaussian(1), dimension);
        }

        @Override
        public Rkhs input() {
            return space;
        }

        @Override
        public Rkhs output() {
            return space;
        }

        @Override
        public StepOutcome update(double[] x, double[] xNext) {
            from.add(x.clone());
            to.add(xNext.clone());
            return StepOutcome.PROJECTED;
        }

        @Override
        public KoopmanOperator snapshot() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long samples() {
            return from.size();
        }

        @Override
        public int dictionarySize() {
            return 0;
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Learner<KoopmanOperator> copy() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void vectorsHoldTheNewestFirstAndNeverReachOverABreak() {
        Recorder recorder = new Recorder(3);
        DelayEmbedding embedding = new DelayEmbedding(recorder, 2, 2);
        for (int t = 0; t < 7; t++) {
            assertThat(embedding.next(new double[] {t})).as("observation %d", t).isEqualTo(t >= 5);
        }
        assertThat(recorder.from).containsExactly(new double[] {4, 2, 0}, new double[] {5, 3, 1});
        assertThat(recorder.to).containsExactly(new double[] {5, 3, 1}, new double[] {6, 4, 2});
        assertThat(embedding.current()).containsExactly(6, 4, 2);
        embedding.breakTrajectory();
        assertThatThrownBy(embedding::current).isInstanceOf(InvalidQueryException.class);
        for (int t = 100; t < 106; t++) {
            embedding.next(new double[] {t});
        }
        assertThat(recorder.samples()).isEqualTo(3);
        assertThat(recorder.from.get(2)).containsExactly(104, 102, 100);
        // A refused observation breaks the trajectory.
        assertThatThrownBy(() -> embedding.next(new double[] {Double.NaN})).isInstanceOf(InvalidSampleException.class);
        for (int t = 200; t < 206; t++) {
            embedding.next(new double[] {t});
        }
        assertThat(recorder.samples()).isEqualTo(4);
        assertThat(recorder.from.get(3)).containsExactly(204, 202, 200);
    }

    @Test
    void severalCoordinatesStayTogether() {
        Recorder recorder = new Recorder(DelayEmbedding.dimension(2, 1));
        DelayEmbedding embedding = new DelayEmbedding(recorder, 1, 1);
        assertThat(embedding.observationDimension()).isEqualTo(2);
        for (int t = 0; t < 3; t++) {
            embedding.next(new double[] {t, 10 + t});
        }
        assertThat(recorder.from.get(0)).containsExactly(1, 11, 0, 10);
        assertThat(recorder.to.get(0)).containsExactly(2, 12, 1, 11);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theFrequencyOfARotationIsFoundFromOneOfItsCoordinates(long seed) {
        // Little noise, many short trajectories: the pairs across their ends would be wrong ones.
        NoisyRotation system = new NoisyRotation(0.99, 0.5, 0.02);
        LeastSquaresLearner<KoopmanOperator> delayed =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(0.4))
                        .lambda(1e-5)
                        .build());
        LeastSquaresLearner<KoopmanOperator> blind =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.4))
                        .lambda(1e-5)
                        .build());
        DelayEmbedding embedding = new DelayEmbedding(delayed, 1, 2);
        DelayEmbedding none = new DelayEmbedding(blind, 0, 1);
        for (double[][] path : system.simulate(100, 50, seed)) {
            for (double[] state : path) {
                embedding.next(new double[] {state[0]});
                none.next(new double[] {state[0]});
            }
            embedding.breakTrajectory();
            none.breakTrajectory();
        }
        assertThat(nearestAngle(delayed, 0.5)).as("seed %d", seed).isCloseTo(0.5, within(0.02));
        // What is seen of one coordinate alone is no rotation.
        assertThat(nearestAngle(blind, 0.5)).as("seed %d", seed).isLessThan(0.3);
    }

    /** The angle of the first of the leading eigenvalues that turns at all. */
    private static double nearestAngle(LeastSquaresLearner<KoopmanOperator> learner, double wanted) {
        double best = 0;
        for (Complex value : Spectrum.leading(learner.snapshot(), 3).eigenvalues()) {
            double angle = Math.abs(value.argument());
            best = Math.abs(angle - wanted) < Math.abs(best - wanted) ? angle : best;
        }
        return best;
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> new DelayEmbedding(new Recorder(3), -1, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("delays = -1");
        assertThatThrownBy(() -> new DelayEmbedding(new Recorder(3), 1, 1)).hasMessageContaining("multiple of");
        assertThatThrownBy(() -> new DelayEmbedding(new Recorder(3), 2, 0)).hasMessageStartingWith("stride = 0");
    }
}
