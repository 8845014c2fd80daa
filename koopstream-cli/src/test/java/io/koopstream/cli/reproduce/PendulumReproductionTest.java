package io.koopstream.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reduced version of the pendulum experiment, on the quantities of the full one. */
class PendulumReproductionTest {

    @TempDir
    Path folder;

    private static double figure(Findings findings, String start) {
        return findings.figures().stream()
                .filter(finding -> finding.quantity().startsWith(start))
                .findFirst()
                .orElseThrow()
                .ours();
    }

    /** Of the paper: fig.RL.bar, fig.RL.pendulum. */
    @Test
    void theReducedExperimentShowsTheSameQuantities() throws IOException {
        List<String> progress = new ArrayList<>();
        Findings findings = new PendulumReproduction().run(new ExperimentRun(folder, 1, true, line -> {
            synchronized (progress) {
                progress.add(line);
            }
        }));
        // 3 behaviours of 4 stages, the paper's settings twice, and the reference.
        assertThat(progress).hasSize(3 * 4 + 1 + 2 + 1);
        assertThat(findings.pictures())
                .extracting(Findings.Picture::name)
                .containsExactly("pendulum-scores", "pendulum-sizes", "pendulum-data", "pendulum-values");
        for (Findings.Picture picture : findings.pictures()) {
            assertThat(folder.resolve(picture.name() + ".png")).isNotEmptyFile();
            assertThat(folder.resolve(picture.name() + ".svg")).isNotEmptyFile();
        }
        double reference = figure(findings, "mean score of dynamic programming");
        assertThat(reference).isBetween(-180.0, -90.0);
        // 1,600 random transitions are enough for a controller near the reference; the first 400 are not.
        assertThat(figure(findings, "median score, last stage, uniform")).isGreaterThan(-160);
        assertThat(figure(findings, "mean score, last stage, uniform")).isGreaterThan(-260);
        assertThat(figure(findings, "kept transitions, last stage, uniform")).isLessThanOrEqualTo(1000);
        assertThat(figure(findings, "share kept of 400, paper's settings")).isGreaterThan(0.75);
        assertThat(rows(findings, "uniform")).hasSize(4);
        assertThat(rows(findings, "uniform").get(0).get("median"))
                .isEqualTo(rows(findings, "greedy").get(0).get("median"));
        assertThat(rows(findings, "uniform").get(3).get("median"))
                .isNotEqualTo(rows(findings, "greedy").get(3).get("median"));
        assertThat(findings.remarks()).isNotEmpty();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rows(Findings findings, String key) {
        return (List<Map<String, Object>>) findings.data().get(key);
    }
}
