package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.io.ModelFile;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Algorithm 1 with the paper's schedules through the command is Algorithm 1 in Java. */
class PaperRunTest {

    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void simulate() {
        data = folder.resolve("wells.csv");
        model = folder.resolve("wells.safetensors");
        LearnedWells.succeed("simulate", "fourwell", "--trajectories", 1, "--steps", 400, "--seed", 3, "-o", data);
    }

    private static final SogdConfig CONFIG = SogdConfig.forState(2, Kernels.gaussian(0.5))
            .lambda(1e-3)
            .stepSize(StepSize.decay(0.3 * Math.pow(50, 0.6), 50, 0.6))
            .budget(Budget.proportional(0.3))
            .criterion(Criterion.PAPER)
            .delta(Criterion.Delta.SQUARED)
            .build();

    private CommandRun learn(Object... more) {
        List<Object> words = new ArrayList<>(List.of("learn", data, "-o", model, "--method", "sogd"));
        words.addAll(List.of("--kernel", "gaussian(0.5)", "--lambda", "1e-3", "--eta", "0.3", "--decay", "0.6,50"));
        words.addAll(List.of("--budget", "eta-squared(0.3)", "--criterion", "paper", "--delta", "squared"));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray());
    }

    @Test
    void theTraceAndTheSnapshotsAreThoseOfTheLearner() throws IOException {
        Path trace = folder.resolve("t.csv");
        CommandRun run = learn("--max-dictionary", "none", "--trace", trace, "--snapshots", "150,400,1000");
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        assertThat(run.err()).contains("no snapshot after [1000] pairs");
        List<String> lines = Files.readAllLines(trace);
        assertThat(lines).hasSize(401);
        assertThat(lines.get(0)).isEqualTo("outcome,t,dictionary,eta,epsilon,delta,norm");
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(CONFIG);
        int kept = 0;
        try (SampleReader reader = SampleReaders.open(data)) {
            Sample sample = new Sample();
            reader.read(sample);
            double[] before = sample.state().clone();
            for (int t = 1; reader.read(sample); t++) {
                StepOutcome outcome = learner.update(before, sample.state());
                before = sample.state().clone();
                kept += outcome == StepOutcome.ADMITTED ? 1 : 0;
                double eta = CONFIG.stepSize().at(t);
                assertThat(lines.get(t))
                        .isEqualTo(String.join(
                                ",",
                                outcome.name().toLowerCase(Locale.ROOT),
                                Integer.toString(t),
                                Integer.toString(learner.dictionarySize()),
                                Double.toString(eta),
                                Double.toString(0.3 * eta * eta),
                                Double.toString(learner.lastResidual()),
                                Double.toString(learner.norm())));
                if (t == 150 || t == 400) {
                    assertThat(ModelFile.read(folder.resolve("wells-" + t + ".safetensors"))
                                    .resumeKoopman()
                                    .snapshot()
                                    .norm())
                            .isEqualTo(learner.norm());
                }
            }
        }
        assertThat(kept).isGreaterThan(3);
        assertThat(folder.resolve("wells-1000.safetensors")).doesNotExist();
        assertThat(((SogdConfig) ModelFile.read(model).config())
                        .toBuilder().build().canonicalText())
                .isEqualTo(CONFIG.canonicalText());
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        assertThat(learn("--epsilon", "0.1").err()).contains("--budget proportional(0.3): epsilon is given too");
        assertThat(learn("--trace", folder.resolve("t.csv"), "--block", "8").err())
                .contains("leave out --block");
        assertThat(learn("--snapshots", "0").err()).contains("--snapshots 0: must be at least 1");
        assertThat(CommandRun.of("learn", data, "-o", model, "--trace", folder.resolve("t.csv"))
                        .err())
                .contains("add --method sogd");
        assertThat(CommandRun.of("learn", data, "-o", model, "--budget", "constant(0.1)")
                        .err())
                .contains("needs method = sogd");
        assertThat(CommandRun.of("learn", data, "-o", model, "--max-dictionary", "0")
                        .err())
                .contains("must be a whole number >= 1, or none");
    }

    @Test
    void theTheoryOfSettingsAndOfTheirModelIsOne() {
        Object[] settings = {
            "--kernel",
            "gaussian(0.5)",
            "--lambda",
            "1",
            "--eta",
            "2e-4",
            "--budget",
            "constant(0)",
            "--max-dictionary",
            "none"
        };
        List<Object> of = new ArrayList<>(List.of("learn", data, "-o", model, "--method", "sogd"));
        of.addAll(List.of(settings));
        LearnedWells.succeed(of.toArray());
        List<Object> theory = new ArrayList<>(List.of("theory", "--gamma", "0.324", "--horizon", "400", "--json"));
        String ofModel = LearnedWells.succeed("theory", model, "--gamma", "0.324", "--json")
                .out();
        theory.addAll(List.of(settings));
        String ofSettings = LearnedWells.succeed(theory.toArray()).out();
        String checks = ofSettings.substring(ofSettings.indexOf("\"checks\""));
        assertThat(ofModel).startsWith("{\"version\":400").endsWith(checks);
        assertThat(LearnedWells.number(ofSettings, "drift")).isEqualTo(456);
        assertThat(LearnedWells.number(ofSettings, "mixingTime")).isEqualTo(8);
        assertThat(LearnedWells.number(ofSettings, "largestWindow")).isEqualTo(1 / 456.0);
        assertThat(LearnedWells.succeed("theory", model, "--gamma", "0.324").out())
                .contains("Theorem 9                      holds", "after 400 samples");
        assertThat(CommandRun.of("theory", model, "--eta", "0.1").err()).contains("the model has its own settings");
        assertThat(CommandRun.of("theory", "--eta", "0.1").err()).contains("--kernel is needed");
        assertThat(CommandRun.of("theory", "--kernel", "gaussian(1)", "--method", "least-squares")
                        .err())
                .contains("the theory is about --method sogd");
    }
}
