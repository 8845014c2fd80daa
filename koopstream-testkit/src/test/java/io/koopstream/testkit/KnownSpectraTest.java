package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.NoisyRotation;
import io.koopstream.systems.OrnsteinUhlenbeck;
import io.koopstream.theory.RegularisedRisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The learned spectrum against systems whose spectrum is known; tolerances are a few times the scatter over seeds. */
class KnownSpectraTest {

    private static final Kernel FOUR_WELL_KERNEL = Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)");

    /** Trajectories observed side by side: one pair of each, then the next of each. */
    private static SogdLearner<KoopmanOperator> learnSideBySide(SogdConfig config, double[][][] trajectories) {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config);
        int steps = trajectories[0].length - 1;
        for (int i = 0; i < steps; i++) {
            for (double[][] trajectory : trajectories) {
                learner.update(trajectory[i], trajectory[i + 1]);
            }
        }
        return learner;
    }

    private static double[][][] pairs(BenchmarkSystem system, int count, long seed) {
        double[][][] trajectories = system.simulate(count, 1, seed);
        double[][] x = new double[count][];
        double[][] y = new double[count][];
        for (int i = 0; i < count; i++) {
            x[i] = trajectories[i][0];
            y[i] = trajectories[i][1];
        }
        return new double[][][] {x, y};
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ornsteinUhlenbeckHasEigenvaluesOfItsDecayRate(long seed) {
        OrnsteinUhlenbeck system = new OrnsteinUhlenbeck(new double[] {1.0}, new double[] {1.0}, 0.2);
        SogdConfig config = SogdConfig.forState(1, Kernels.gaussian(0.7))
                .lambda(1e-5)
                .stepSize(StepSize.decay(Math.pow(100, 0.75), 100, 0.75))
                .budget(1e-3)
                .build();
        SogdLearner<KoopmanOperator> learner = learnSideBySide(config, system.simulate(400, 300, seed));
        Spectrum spectrum = Spectrum.leading(learner.snapshot(), 4);
        double[] tolerances = {0.002, 0.03, 0.04, 0.05};
        for (int k = 0; k < 4; k++) {
            assertThat(spectrum.eigenvalue(k).re())
                    .as("seed %d, eigenvalue %d", seed, k)
                    .isCloseTo(Math.exp(-0.2 * k), within(tolerances[k]));
        }
        assertThat(spectrum.timescales(0.2)[1]).isCloseTo(1.0, within(0.25));
    }

    @Test
    void secondEigenfunctionOfOrnsteinUhlenbeckIsTheStateItself() {
        OrnsteinUhlenbeck system = new OrnsteinUhlenbeck(new double[] {1.0}, new double[] {1.0}, 0.5);
        double[][][] pairs = pairs(system, 4000, 5);
        Rkhs space = new Rkhs(Kernels.gaussian(1.0), 1);
        KoopmanOperator operator = new RegularisedRisk(pairs[0], pairs[1], 1e-4)
                .minimiser(space, space)
                .asKoopman();
        double[][] grid = new double[41][1];
        for (int i = 0; i < grid.length; i++) {
            grid[i][0] = (i - 20) * 0.05;
        }
        Complex[][] values = Spectrum.leading(operator, 2).eigenfunctions(grid);
        double xx = 0;
        double ff = 0;
        double xf = 0;
        for (int i = 0; i < grid.length; i++) {
            double f = values[i][1].re();
            xx += grid[i][0] * grid[i][0];
            ff += f * f;
            xf += grid[i][0] * f;
            assertThat(values[i][0].re()).as("the constant").isCloseTo(1.0, within(0.02));
        }
        assertThat(Math.abs(xf) / Math.sqrt(xx * ff)).isGreaterThan(0.995);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void fourWellHasTheSpectrumOfItsGenerator(long seed) {
        FourWell system = new FourWell();
        SogdConfig config = SogdConfig.forState(2, FOUR_WELL_KERNEL)
                .lambda(1e-5)
                .stepSize(StepSize.decay(0.9 * Math.pow(200, 0.75), 200, 0.75))
                .budget(0.01)
                .build();
        SogdLearner<KoopmanOperator> learner = learnSideBySide(config, system.simulate(400, 100, seed));
        Spectrum spectrum = Spectrum.leading(learner.snapshot(), 6);
        double[][] exact = system.exactEigenvalues(6).orElseThrow();
        for (int k = 0; k < 6; k++) {
            assertThat(spectrum.eigenvalue(k).modulus())
                    .as("seed %d, eigenvalue %d", seed, k)
                    .isCloseTo(exact[k][0], within(k < 4 ? 0.01 : 0.06));
        }
        // The gap that says 'four metastable sets'.
        assertThat(spectrum.eigenvalue(3).modulus() - spectrum.eigenvalue(4).modulus())
                .isGreaterThan(0.2);
    }

    @Test
    void batchEstimatorFindsTheFourWellSpectrum() {
        FourWell system = new FourWell();
        double[][][] trajectories = system.simulate(150, 20, 3);
        double[][] x = new double[3000][];
        double[][] y = new double[3000][];
        for (int i = 0; i < 3000; i++) {
            x[i] = trajectories[i % 150][i / 150];
            y[i] = trajectories[i % 150][i / 150 + 1];
        }
        Rkhs space = new Rkhs(FOUR_WELL_KERNEL, 2);
        Spectrum spectrum = Spectrum.leading(
                new RegularisedRisk(x, y, 1e-4).minimiser(space, space).asKoopman(), 4);
        double[][] exact = system.exactEigenvalues(4).orElseThrow();
        for (int k = 0; k < 4; k++) {
            assertThat(spectrum.eigenvalue(k).modulus()).isCloseTo(exact[k][0], within(0.01));
        }
    }

    @Test
    void rotationHasConjugatePairsWithItsFrequency() {
        NoisyRotation system = new NoisyRotation();
        double[][][] pairs = pairs(system, 3000, 4);
        Rkhs space = new Rkhs(Kernels.gaussian(2 * Math.sqrt(system.stationaryVariance())), 2);
        Spectrum spectrum = Spectrum.leading(
                new RegularisedRisk(pairs[0], pairs[1], 1e-5)
                        .minimiser(space, space)
                        .asKoopman(),
                3);
        double[][] exact = system.exactEigenvalues(3).orElseThrow();
        for (int k = 0; k < 3; k++) {
            assertThat(spectrum.eigenvalue(k).re()).isCloseTo(exact[k][0], within(0.02));
            assertThat(spectrum.eigenvalue(k).im()).isCloseTo(exact[k][1], within(0.02));
        }
        assertThat(spectrum.eigenvalue(2))
                .isEqualTo(new Complex(
                        spectrum.eigenvalue(1).re(), -spectrum.eigenvalue(1).im()));
        assertThat(spectrum.frequencies(1.0)[1])
                .isCloseTo(Math.atan2(exact[1][1], exact[1][0]) / (2 * Math.PI), within(0.005));
        assertThat(spectrum.growthRates(0.5)[1]).isCloseTo(Math.log(0.95) / 0.5, within(0.05));
    }

    private static KoopmanOperator smallOperator() {
        SogdConfig config = SogdConfig.forState(2, FOUR_WELL_KERNEL)
                .lambda(1e-3)
                .stepSize(0.3)
                .budget(0.02)
                .build();
        return learnSideBySide(config, new FourWell().simulate(50, 60, 9)).snapshot();
    }

    @Test
    void everyPairIsExactForTheLearnedOperator() {
        KoopmanOperator operator = smallOperator();
        Spectrum full = Spectrum.full(operator);
        Spectrum leading = Spectrum.leading(operator, 5);
        int m = operator.dictionarySize();
        assertThat(m).as("large enough for the iterative method").isGreaterThan(64);
        assertThat(full.size()).isEqualTo(m);
        for (int k = 0; k < full.size(); k++) {
            assertThat(full.backwardError(k)).isLessThan(30 * m * Math.ulp(1.0));
        }
        for (int k = 0; k < leading.size(); k++) {
            assertThat(leading.backwardError(k)).isLessThan(30 * m * Math.ulp(1.0));
            assertThat(leading.eigenvalue(k).modulus())
                    .isCloseTo(full.eigenvalue(k).modulus(), within(1e-9));
        }
    }

    @Test
    void koopmanOperatorMultipliesItsEigenfunctionsByTheirEigenvalues() {
        KoopmanOperator operator = smallOperator();
        Spectrum spectrum = Spectrum.leading(operator, 3);
        double[][] points = {{0.3, -0.8}, {1.1, 0.9}, {-1.0, 1.0}};
        Complex[][] values = spectrum.eigenfunctions(points);
        for (int k = 0; k < 3; k++) {
            int index = k;
            for (int i = 0; i < points.length; i++) {
                double re = operator.expect(y -> spectrum.eigenfunctions(new double[][] {y})[0][index].re(), points[i]);
                double im = operator.expect(y -> spectrum.eigenfunctions(new double[][] {y})[0][index].im(), points[i]);
                Complex expected = values[i][k].times(spectrum.eigenvalue(k));
                assertThat(re).isCloseTo(expected.re(), within(1e-9));
                assertThat(im).isCloseTo(expected.im(), within(1e-9));
            }
        }
    }

    @Test
    void eigenfunctionsPeakAtOneOverTheDictionary() {
        KoopmanOperator operator = smallOperator();
        Complex[][] values = Spectrum.leading(operator, 4).eigenfunctions(operator.inputPoints());
        for (int k = 0; k < 4; k++) {
            double largest = 0;
            for (Complex[] row : values) {
                largest = Math.max(largest, row[k].modulus());
            }
            assertThat(largest).isCloseTo(1.0, within(1e-9));
        }
    }

    @Test
    void modesOfTheFullSpectrumReproduceTheForecast() {
        // A small, well separated dictionary, so that the eigenvectors are a well conditioned basis.
        SogdConfig config = SogdConfig.forState(2, FOUR_WELL_KERNEL)
                .stepSize(0.3)
                .budget(0.25)
                .build();
        KoopmanOperator operator =
                learnSideBySide(config, new FourWell().simulate(20, 60, 2)).snapshot();
        Spectrum spectrum = Spectrum.full(operator);
        Complex[][] modes = spectrum.modes();
        double[] start = {0.7, -0.4};
        Complex[] values = spectrum.eigenfunctions(new double[][] {start})[0];
        double[][] path = operator.forecast(start, 5);
        for (int step = 1; step <= 5; step++) {
            for (int c = 0; c < 2; c++) {
                Complex sum = new Complex(0, 0);
                for (int k = 0; k < spectrum.size(); k++) {
                    Complex power = new Complex(1, 0);
                    for (int s = 0; s < step; s++) {
                        power = power.times(spectrum.eigenvalue(k));
                    }
                    sum = sum.plus(power.times(modes[k][c]).times(values[k]));
                }
                assertThat(sum.re()).as("step %d", step).isCloseTo(path[step - 1][c], within(1e-8));
                assertThat(sum.im()).isCloseTo(0, within(1e-8));
            }
        }
    }

    @Test
    void leftEigenfunctionsAreThoseOfTheEmbeddingOperator() {
        SogdConfig config = SogdConfig.forState(2, FOUR_WELL_KERNEL)
                .stepSize(0.3)
                .budget(0.25)
                .build();
        KoopmanOperator operator =
                learnSideBySide(config, new FourWell().simulate(20, 60, 2)).snapshot();
        Spectrum spectrum = Spectrum.leading(operator, 3);
        // g in the span of the outputs is known from its values there: fit it back, apply U, compare.
        double[][] outputs = operator.outputPoints();
        Complex[][] left = spectrum.leftEigenfunctions(outputs);
        for (int k = 0; k < 3; k++) {
            double[] values = new double[outputs.length];
            double[] imaginary = new double[outputs.length];
            for (int i = 0; i < outputs.length; i++) {
                values[i] = left[i][k].re();
                imaginary[i] = left[i][k].im();
            }
            var element = io.koopstream.operator.RkhsElement.of(
                    operator.codomain(), outputs, interpolationWeights(operator, values));
            var other = io.koopstream.operator.RkhsElement.of(
                    operator.codomain(), outputs, interpolationWeights(operator, imaginary));
            double[] at = {0.2, 0.9};
            Complex expected = spectrum.eigenvalue(k).times(new Complex(element.at(at), other.at(at)));
            assertThat(operator.apply(element).at(at)).isCloseTo(expected.re(), within(1e-8));
            assertThat(operator.apply(other).at(at)).isCloseTo(expected.im(), within(1e-8));
        }
    }

    /** Coefficients of the function in the span of the outputs that takes these values there. */
    private static double[] interpolationWeights(KoopmanOperator operator, double[] values) {
        double[] coordinates = values.clone();
        io.koopstream.internal.linalg.Triangular.solve(operator.outputBasis().factor(), coordinates);
        return operator.outputBasis().coefficients(coordinates);
    }

    @Test
    void aModeThatDoesNotDecayHasAnInfiniteTimeScale() {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.linear(0, 2))
                        .lambda(1e-9)
                        .build());
        for (int i = 1; i <= 50; i++) {
            learner.update(new double[] {0.02 * i}, new double[] {0.022 * i});
        }
        Spectrum spectrum = Spectrum.leading(learner.snapshot(), 1);
        assertThat(spectrum.eigenvalue(0).re()).isCloseTo(1.1, within(1e-3));
        assertThat(spectrum.timescales(1)).containsExactly(Double.POSITIVE_INFINITY);
        assertThat(spectrum.growthRates(1)[0]).isCloseTo(Math.log(1.1), within(1e-3));
    }

    @Test
    void refusesQuestionsWithoutAnswer() {
        KoopmanOperator operator = smallOperator();
        KoopmanOperator empty = SogdLearner.koopman(
                        SogdConfig.forState(1, Kernels.gaussian(1)).build())
                .snapshot();
        assertThatThrownBy(() -> Spectrum.leading(operator, 0)).isInstanceOf(InvalidQueryException.class);
        assertThatThrownBy(() -> Spectrum.leading(operator, operator.dictionarySize() + 1))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("there are 1 to");
        assertThatThrownBy(() -> Spectrum.full(empty)).hasMessageContaining("nothing was learned yet");
        Spectrum spectrum = Spectrum.leading(operator, 2);
        assertThatThrownBy(() -> spectrum.eigenvalue(spectrum.size())).isInstanceOf(InvalidQueryException.class);
        assertThatThrownBy(() -> spectrum.timescales(0)).hasMessageContaining("dt = 0.0");
        assertThatThrownBy(() -> spectrum.eigenfunctions(new double[][] {{Double.NaN, 0}}))
                .hasMessageContaining("points[0][0] = NaN");
    }
}
