package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The learner against streams worked out by a program of its own, in 80 bit arithmetic: see reference/README.md. */
class ReferenceStreamTest {

    /** What is in the files of one case. */
    static final class Case {
        private final String name;
        private final Properties config = new Properties();

        Case(int number) {
            this("case-" + number);
        }

        Case(String name) {
            this.name = name;
            try (InputStream in = open("config.properties")) {
                config.load(in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private InputStream open(String file) {
            InputStream in = ReferenceStreamTest.class.getResourceAsStream("/reference/" + name + "/" + file);
            assertThat(in).as("%s of %s", file, name).isNotNull();
            return in;
        }

        boolean isSquare() {
            return ReferenceStreamTest.class.getResource("/reference/" + name + "/eigenvalues.csv") != null;
        }

        double[][] read(String file, boolean header) {
            List<double[]> rows = new ArrayList<>();
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
                String line = header ? reader.readLine() : "";
                while (line != null && (line = reader.readLine()) != null) {
                    rows.add(Arrays.stream(line.split(",", -1))
                            .mapToDouble(Double::parseDouble)
                            .toArray());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return rows.toArray(double[][]::new);
        }

        private int dimension(String side) {
            return Integer.parseInt(config.getProperty(side + "Dimension"));
        }

        SogdConfig settings() {
            return SogdConfig.forTransition(space("input"), space("output"))
                    .lambda(lambda())
                    .stepSize(StepSize.parse(config.getProperty("stepSize")))
                    .budget(Budget.parse(config.getProperty("budget")))
                    .criterion(Criterion.valueOf(config.getProperty("criterion")))
                    .build();
        }

        private double lambda() {
            return number("lambda");
        }

        double number(String setting) {
            return Double.parseDouble(config.getProperty(setting));
        }

        String text(String setting) {
            return config.getProperty(setting);
        }

        private Rkhs space(String side) {
            return new Rkhs(Kernels.parse(config.getProperty(side + "Kernel")), dimension(side));
        }

        Samples samples() {
            double[][] rows = read("samples.csv", true);
            int in = dimension("input");
            double[][] inputs = new double[rows.length][];
            double[][] outputs = new double[rows.length][];
            for (int i = 0; i < rows.length; i++) {
                inputs[i] = Arrays.copyOf(rows[i], in);
                outputs[i] = Arrays.copyOfRange(rows[i], in, rows[i].length);
                assertThat(outputs[i]).hasSize(dimension("output"));
            }
            return new Samples("reference " + name, inputs, outputs);
        }
    }

    private static double largest(double[][] rows) {
        return Arrays.stream(rows)
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .max()
                .orElse(0);
    }

    /** Of the paper: algorithm.main, eq.CME.U.update. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyStepIsAsTheReferenceSays(int number) {
        Case reference = new Case(number);
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(reference.settings());
        Samples samples = reference.samples();
        double[][] trace = reference.read("trace.csv", true);
        List<Double> admitted = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            StepOutcome outcome = learner.update(samples.input(i), samples.output(i));
            double epsilon = trace[i][2];
            assertThat(outcome)
                    .as("%s, sample %d", samples, i + 1)
                    .isEqualTo(trace[i][3] == 1 ? StepOutcome.ADMITTED : StepOutcome.PROJECTED);
            assertThat(learner.lastBudget()).isCloseTo(epsilon, Offset.offset(1e-14 * epsilon));
            // Small values carry the error √eps of κ − ‖·‖², so they are compared on the scale of ε_t, as the README
            // asks.
            assertThat(learner.lastResidual())
                    .as("%s, test value of sample %d", samples, i + 1)
                    .isCloseTo(trace[i][1], Offset.offset(1e-6 * Math.max(epsilon, trace[i][1])));
            assertThat(learner.norm())
                    .as("%s, norm after sample %d", samples, i + 1)
                    .isCloseTo(trace[i][4], Offset.offset(1e-12 * trace[i][4]));
            if (outcome == StepOutcome.ADMITTED) {
                admitted.add(i + 1.0);
            }
        }
        double[] expected = Arrays.stream(reference.read("admitted.csv", false))
                .mapToDouble(row -> row[0])
                .toArray();
        assertThat(admitted.stream().mapToDouble(Double::doubleValue).toArray()).containsExactly(expected);
        assertOperator(reference, learner.snapshot());
    }

    /** Measured by the authors of the files: 1e-13 in W where the Gram matrices are well conditioned, 5e-11 in cases 3 and 6. */
    private static void assertOperator(Case reference, TransitionOperator operator) {
        double[][] w = reference.read("W.csv", false);
        double[][] actual = operator.coefficients();
        double scale = largest(w);
        assertThat(actual).hasDimensions(w.length, w.length);
        for (int i = 0; i < w.length; i++) {
            assertThat(actual[i]).as("row %d of W", i).containsExactly(w[i], Offset.offset(1e-9 * scale));
        }
        int dimension = operator.domain().dimension();
        for (double[] row : reference.read("query.csv", true)) {
            double[] weights = operator.weights(Arrays.copyOf(row, dimension));
            double[] expected = Arrays.copyOfRange(row, dimension, row.length);
            assertThat(weights).containsExactly(expected, Offset.offset(1e-9 * scale));
        }
        if (reference.isSquare()) {
            assertSpectrum(reference.read("eigenvalues.csv", true), operator);
        }
    }

    /** All eigenvalues, each with its nearest partner of the other list: order among nearly equal moduli is no promise. */
    private static void assertSpectrum(double[][] expected, TransitionOperator operator) {
        Complex[] found = Spectrum.full(operator.asKoopman()).eigenvalues();
        assertThat(found).hasSameSizeAs(expected);
        assertNearest(expected, found);
        for (int k = 0; k < 3; k++) {
            assertThat(found[k].modulus()).isCloseTo(Math.hypot(expected[k][0], expected[k][1]), Offset.offset(1e-9));
        }
    }

    /** Each expected value has a partner of its own among those found. */
    static void assertNearest(double[][] expected, Complex[] found) {
        boolean[] taken = new boolean[found.length];
        for (double[] value : expected) {
            int nearest = -1;
            for (int k = 0; k < found.length; k++) {
                if (!taken[k] && (nearest < 0 || distance(found[k], value) < distance(found[nearest], value))) {
                    nearest = k;
                }
            }
            taken[nearest] = true;
            // The matrix is far from normal, so that small eigenvalues move by the root of a perturbation.
            double tolerance = Math.hypot(value[0], value[1]) > 0.3 ? 1e-9 : 1e-5;
            assertThat(distance(found[nearest], value))
                    .as("eigenvalue %s", Arrays.toString(value))
                    .isLessThan(tolerance);
        }
    }

    private static double distance(Complex found, double[] value) {
        return Math.hypot(found.re() - value[0], found.im() - value[1]);
    }

    /** The two references against each other: our own literal formulas and the other program's. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLiteralFormulasAgreeWithTheReference(int number) {
        Case reference = new Case(number);
        SogdConfig config = reference.settings();
        LiteralSogd literal = new LiteralSogd(
                config.input().kernel(),
                config.output().kernel(),
                config.lambda(),
                LiteralSogd.Residual.valueOf(config.criterion().name()));
        Samples samples = reference.samples();
        double[][] trace = reference.read("trace.csv", true);
        // Up to here the dictionary is small enough for O(m³) in 32 digits.
        for (int i = 0; i < 60; i++) {
            double eta = config.stepSize().at(i + 1);
            boolean admitted = literal.update(samples.input(i), samples.output(i), eta, trace[i][2]);
            assertThat(admitted).as("%s, sample %d", samples, i + 1).isEqualTo(trace[i][3] == 1);
            // Its kernel values are doubles, those of the reference have 80 bits: a condition of 1e8 times eps at most.
            assertThat(literal.lastResidual()).isCloseTo(trace[i][1], Offset.offset(1e-7 * trace[i][2]));
        }
        assertThat(literal.norm()).isCloseTo(trace[59][4], Offset.offset(1e-11));
    }
}
