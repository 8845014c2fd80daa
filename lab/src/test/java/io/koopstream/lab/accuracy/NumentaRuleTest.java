package io.koopstream.lab.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.lab.accuracy.NumentaRule.Profile;
import io.koopstream.lab.accuracy.NumentaRule.Verdict;
import io.koopstream.lab.accuracy.NumentaRule.Window;
import io.koopstream.lab.accuracy.WindowLabels.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule against scores made by hand, and the files that hold labels. */
class NumentaRuleTest {

    private static final List<Window> TWO = List.of(new Window(40, 49), new Window(70, 79));

    /** The values that the description of the rule prints. */
    @Test
    void theWeightIsTheScaledSigmoid() {
        assertThat(NumentaRule.weight(-1)).isCloseTo(0.98661, within(1e-5));
        assertThat(NumentaRule.weight(-0.5)).isCloseTo(0.84828, within(1e-5));
        assertThat(NumentaRule.weight(0)).isZero();
        assertThat(NumentaRule.weight(1)).isCloseTo(-0.98661, within(1e-5));
        assertThat(NumentaRule.weight(3)).isEqualTo(-1);
    }

    /**
     * 100 rows, windows 40..49 and 70..79, alarms at 10, 30, 44, 46 and 58. Row 10 is in the probation, 46 the second alarm in its window. Row 44 is at
     * −6/10 of the window: (2/(1 + e⁻³) − 1)/(2/(1 + e⁻⁵) − 1) = 0.90515/0.98661 = 0.91743. Row 30 costs 1, row 58, at 9/9 behind, 0.98661. One window
     * is missed.
     */
    @Test
    void scoresByHand() {
        Verdict verdict = NumentaRule.judge(100, TWO, List.of(10, 30, 44, 46, 58));
        assertThat(verdict.windows()).isEqualTo(2);
        assertThat(verdict.found()).isEqualTo(1);
        assertThat(verdict.falseAlarms()).isEqualTo(2);
        assertThat(verdict.rewards()).isCloseTo(0.91743, within(1e-5));
        assertThat(verdict.penalties()).isCloseTo(1.98661, within(1e-5));
        // (0.91743 − 0.11·1.98661 − 1 + 2)/4, (0.91743 − 0.22·1.98661 − 1 + 2)/4, (0.91743 − 0.11·1.98661 − 2 + 4)/6
        assertThat(verdict.score(Profile.STANDARD)).isCloseTo(42.4725, within(1e-3));
        assertThat(verdict.score(Profile.REWARD_LOW_FALSE_ALARMS)).isCloseTo(37.0094, within(1e-3));
        assertThat(verdict.score(Profile.REWARD_LOW_MISSES)).isCloseTo(44.9817, within(1e-3));
    }

    @Test
    void silenceIsZeroAndPerfectionAHundred() {
        Verdict perfect = NumentaRule.judge(100, TWO, List.of(40, 70));
        Verdict silent = NumentaRule.judge(100, TWO, List.of());
        for (Profile profile : Profile.values()) {
            assertThat(perfect.score(profile)).isCloseTo(100, within(1e-12));
            assertThat(silent.score(profile)).isZero();
        }
        assertThat(perfect.plus(silent).score(Profile.STANDARD)).isCloseTo(50, within(1e-12));
        assertThat(NumentaRule.judge(100, List.of(), List.of(50)).score(Profile.STANDARD))
                .isNegative();
    }

    /** A window that ends in the probation is nobody's; one that reaches out of it is found by an alarm after it only. */
    @Test
    void theProbationCountsForNothing() {
        List<Window> early = List.of(new Window(2, 8), new Window(10, 19));
        assertThat(NumentaRule.judge(100, early, List.of(3, 12))).isEqualTo(new Verdict(1, 0, 0, 0, 0));
        // Row 15 is in the middle: (2/(1 + e^−2.5) − 1)/0.98661.
        assertThat(NumentaRule.judge(100, early, List.of(15)).rewards()).isCloseTo(0.84828 / 0.98661, within(1e-5));
    }

    /** A rival's alarms: the lowest threshold within the budget; two rows close to each other are one alarm. */
    @Test
    void rivalsGetTheBestThresholdForTheirBudget() {
        double[] sizes = new double[1000];
        sizes[20] = 9;
        sizes[300] = 5;
        sizes[350] = 4;
        sizes[600] = 3;
        sizes[900] = 2;
        assertThat(AlarmStudy.best(sizes, 2)).containsExactly(300, 600);
        assertThat(AlarmStudy.best(sizes, 1)).containsExactly(300);
        assertThat(AlarmStudy.best(sizes, 0)).isEmpty();
        assertThat(AlarmStudy.differences(new double[][] {{1}, {1}, {4}, {4}, {4}}))
                .containsExactly(0, 0, 2, 0, 0);
    }

    @Test
    void labelsAreReadFromBothFormats(@TempDir Path folder) throws IOException {
        Path json = Files.writeString(
                folder.resolve("windows.json"),
                "{\"a/x.csv\": [[\"1970-01-02 00:00:00.000000\", \"1970-01-02 01:00:00.500000\"]], \"y.csv\": []}");
        assertThat(WindowLabels.read(json))
                .containsEntry("a/x.csv", List.of(new Span(86_400, 90_000.5)))
                .containsEntry("y.csv", List.of());
        Path csv = Files.writeString(
                folder.resolve("windows.csv"), "file,from,to\nx.csv,5,7.5\nx.csv,1970-01-02T00:00:00,86401\ny.csv,,\n");
        assertThat(WindowLabels.read(csv))
                .containsEntry("x.csv", List.of(new Span(5, 7.5), new Span(86_400, 86_401)))
                .containsEntry("y.csv", List.of());
        Path backwards = Files.writeString(folder.resolve("bad.csv"), "file,from,to\nx.csv,8,7.5\n");
        assertThatThrownBy(() -> WindowLabels.read(backwards))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.csv")
                .hasMessageContaining("8 and 7.5");
    }
}
