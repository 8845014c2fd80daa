package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import org.junit.jupiter.api.Test;

/** A step that fails for want of memory leaves the state as it was, the remembered pairs included. */
class FailedStepTest {

    /** A Gaussian whose row finds no memory when it is told so. */
    private static final class Failing implements Kernel {
        private final Kernel kernel = Kernels.gaussian(0.7);
        private boolean fails;

        @Override
        public double value(CoordinateView view, double[] x, double[] y) {
            return kernel.value(view, x, y);
        }

        @Override
        public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
            if (fails) {
                throw new OutOfMemoryError("as asked");
            }
            kernel.row(view, points, x, out, scratch);
        }

        @Override
        public double bound() {
            return kernel.bound();
        }

        @Override
        public String text() {
            return kernel.text();
        }
    }

    @Test
    void thePairIsNotRemembered() {
        Failing kernel = new Failing();
        LeastSquaresLearner<KoopmanOperator> failed = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, kernel).build());
        LeastSquaresLearner<KoopmanOperator> whole = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.gaussian(0.7)).build());
        Samples samples = Streams.vanDerPol(41, 120);
        for (int i = 0; i < samples.size(); i++) {
            double[] x = samples.input(i);
            double[] y = samples.output(i);
            if (i % 17 == 5) {
                String before = failed.state().digest();
                kernel.fails = true;
                double[] elsewhere = {0.1 * i, 0};
                assertThatThrownBy(() -> failed.update(elsewhere, y)).isInstanceOf(OutOfMemoryError.class);
                kernel.fails = false;
                assertThat(failed.state().digest()).as("after %d pairs", i).isEqualTo(before);
            }
            failed.update(x, y);
            whole.update(x, y);
        }
        assertThat(failed.state().digest()).isEqualTo(whole.state().digest());
        assertThat(failed.state().first().inputs().size()).isEqualTo(120);
    }
}
