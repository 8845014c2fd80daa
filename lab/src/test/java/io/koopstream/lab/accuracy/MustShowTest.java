package io.koopstream.lab.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.TrustRule;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The figures that lab/records/accuracy.md rests on, for fewer seeds, and the tools that make its tables. */
class MustShowTest {

    private static final int SEEDS = 2;

    @Test
    void leastSquaresFindsTheFourWellSpectrumAndNothingSpuriousGoesUnflagged() {
        SpectrumStudy.Outcome[] found = SpectrumStudy.run(
                Subject.FOUR_WELL,
                SpectrumStudy.with(Method.LEAST_SQUARES, Subject.FOUR_WELL),
                SEEDS,
                4,
                2_000,
                20_000,
                40_000);
        for (SpectrumStudy.Outcome outcome : found) {
            assertThat(outcome.unflagged).containsOnly(0);
        }
        assertThat(Figures.largest(found[2].leading)).as("eigenvalues 1 to 4").isLessThanOrEqualTo(0.001);
        assertThat(Figures.largest(found[2].following))
                .as("eigenvalues 5 and 6")
                .isLessThanOrEqualTo(0.03);
        assertThat(Arrays.stream(found[2].sizes).max().orElseThrow()).isLessThanOrEqualTo(170);
    }

    @Test
    void aHundredPointsAreEnoughForTheFourLeadingEigenvalues() {
        LeastSquaresConfig config = AccuracyStudy.capped(100, 0.15);
        SpectrumStudy.Outcome found = SpectrumStudy.run(
                Subject.FOUR_WELL, () -> Method.leastSquares(config, TrustRule.stochastic()), SEEDS, 4, 40_000)[0];
        assertThat(found.sizes).containsOnly(100);
        assertThat(Figures.largest(found.leading)).isLessThanOrEqualTo(0.003);
        assertThat(found.unflagged).containsOnly(0);
    }

    /**
     * Tolerances are a few times the scatter over the seeds of the study at so many pairs. The complex pair of the logistic map is ill-conditioned
     * (lab/records/accuracy.md), so its tolerance is only good to catch nonsense.
     */
    @TestFactory
    List<DynamicTest> otherSystemsComeOutRightToo() {
        return Subject.OTHERS.stream()
                .map(subject -> DynamicTest.dynamicTest(subject.name(), () -> {
                    SpectrumStudy.Outcome found = SpectrumStudy.run(
                            subject,
                            SpectrumStudy.with(Method.LEAST_SQUARES, subject),
                            1,
                            subject.eigenvalues(),
                            10_000)[0];
                    assertThat(found.leading[0])
                            .isLessThan(subject.system().id().startsWith("logistic") ? 0.25 : 0.05);
                    assertThat(found.unflagged).containsOnly(0);
                }))
                .toList();
    }

    @Test
    void everyKnownEigenvalueTakesTheNearestThatIsFree() {
        Complex[] learned = {new Complex(1, 0), new Complex(0.5, 0.1), new Complex(0.5, -0.1), new Complex(0.52, 0)};
        EigenvalueMatch match = EigenvalueMatch.of(learned, new double[][] {{1, 0}, {0.5, 0}, {0.51, 0}});
        assertThat(match.partner(1)).isEqualTo(3);
        assertThat(match.error(1)).isCloseTo(0.02, within(1e-12));
        assertThat(match.partner(2)).isEqualTo(1);
        assertThat(match.largest(0, 2)).isCloseTo(0.02, within(1e-12));
        assertThat(match.largest(0, 3)).isCloseTo(Math.hypot(0.01, 0.1), within(1e-12));
    }

    @Test
    void tablesAreMarkdown() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Table table = new Table(new PrintStream(bytes, true, StandardCharsets.UTF_8), "system", "a", "b");
        table.row("x", new String[] {"1", "2"});
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("| system | a | b |", "|---|---|---|", "| x | 1 | 2 |");
    }

    @Test
    void numbersAreWrittenWithTwoDigits() {
        assertThat(Figures.errors(new double[] {2.345, 0.2345, 0.02345, 0.002345, 0.0002345, 0.00002345, 0}))
                .containsExactly("2.3", "0.23", "0.023", "0.0023", "0.00023", "2.3e-05", "0.00000");
        assertThat(Figures.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        assertThat(Figures.median(new double[] {5, 1, 3})).isEqualTo(3);
        assertThat(Figures.scatter(new double[] {1, 3})).isCloseTo(Math.sqrt(2), within(1e-15));
        assertThat(Figures.range(new int[] {7, 5, 6})).isEqualTo("5..7");
    }
}
