package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.answers.Phase;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.StreamFacts;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches in, acknowledgements and views out. */
class LiveModelTest {

    private static final ModelSettings SETTINGS = ModelSettings.of(
            Map.of("dimension", "1", "kernel", "gaussian(0.5)", "block", "8", "epsilon", "0.2", "holdout", "0.2"));

    @TempDir
    private Path directory;

    private LiveModels models;

    @BeforeEach
    void open() {
        models = LiveModels.open(directory, EngineConfig.defaults(), Storage.DISK, InstantSource.system());
    }

    @AfterEach
    void close() {
        models.close();
    }

    @Test
    void whatIsAcknowledgedIsLearnedAndSeen() {
        LiveModel model = models.create("wells", SETTINGS);
        Ack ack =
                model.submit(Batch.states(TestStreams.doubleWell(500, 1), true)).join();
        assertThat(ack).isEqualTo(new Ack(500, 0, 500, -1, Durability.FSYNC));
        ModelView view = model.viewAfter(500).join();
        assertThat(view.version()).isEqualTo(499);
        // Runs of 4, 8, 16 and 32 pairs of the first 20, 60, 140 and 300.
        assertThat(view.samples()).isEqualTo(439);
        assertThat(view.learned().heldOut()).isEqualTo(60);
        assertThat(view.facts().phase()).isEqualTo(Phase.LEARNING);
        assertThat(view.learned().spectrum(2).eigenvalue(0).modulus()).isBetween(0.9, 1.05);
        assertThat(view.learned().trust(view.learned().forSpectra(Regularisation.USUAL), 2))
                .isPresent();
        assertThat(view.facts().oneStepError()).isBetween(0.01, 1.0);
        assertThat(view.recentStates()).hasDimensions(500, 1);
        assertThat(view.learned().stored().state().samples()).isEqualTo(439);
        assertThat(model.view().learned().stored().state().pending().inputs().size())
                .isZero();
    }

    @Test
    void sendingAgainIsHarmlessAndOtherNumbersAreTyped() {
        LiveModel model = models.create("wells", SETTINGS);
        double[][] states = TestStreams.doubleWell(3000, 2);
        model.submit(TestStreams.part(states, 0, 100).numbered("a", 7)).join();
        Ack again =
                model.submit(TestStreams.part(states, 0, 100).numbered("a", 7)).join();
        assertThat(again).isEqualTo(new Ack(0, 100, 100, 107, Durability.FSYNC));
        Ack overlap = model.submit(TestStreams.part(states, 50, 150).numbered("a", 57))
                .join();
        assertThat(overlap).isEqualTo(new Ack(50, 50, 150, 157, Durability.FSYNC));
        refused(model, TestStreams.part(states, 151, 160).numbered("a", 158), SequenceException.Kind.GAP, 157, 158);
        refused(model, TestStreams.part(states, 0, 10).numbered("a", 100), SequenceException.Kind.CONFLICT, 157, 100);
        model.submit(TestStreams.part(states, 150, 1350).numbered("a", 157)).join();
        refused(model, TestStreams.part(states, 0, 10).numbered("a", 7), SequenceException.Kind.TOO_OLD, 1357, 7);
        // As many pairs as one unbroken trajectory has: nothing came twice, nothing is missing.
        assertThat(model.viewAfter(1350).join().version()).isEqualTo(1349);
        assertThat(model.counts()).isEqualTo(new LiveModel.Counts(1529, 1350, 150, 29, 0));
    }

    private static void refused(LiveModel model, Batch batch, SequenceException.Kind kind, long expected, long given) {
        assertThatThrownBy(() -> model.submit(batch).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(SequenceException.class, e -> {
                    assertThat(e.kind()).isEqualTo(kind);
                    assertThat(e.expected()).isEqualTo(expected);
                    assertThat(e.given()).isEqualTo(given);
                });
    }

    @Test
    void badSamplesChangeNothing() {
        LiveModel model = models.create("wells", SETTINGS);
        double[][] states = TestStreams.doubleWell(200, 3);
        states[77][0] = Double.NaN;
        assertThatThrownBy(() -> model.submit(Batch.states(states, false)).join())
                .hasCauseInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("states[77][0] = NaN");
        assertThatThrownBy(() -> model.submit(Batch.pairs(new double[][] {{1, 2}}, new double[][] {{3, 4}}))
                        .join())
                .hasCauseInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("2 coordinates");
        assertThat(model.view().received()).isZero();
        assertThat(model.counts().rejected()).isEqualTo(201);
        assertThatThrownBy(() -> model.view().learned().spectrum(1)).isInstanceOf(InvalidQueryException.class);
        assertThat(model.view().operator()).isEmpty();
    }

    @Test
    void settingsAreChosenFromTheFirstObservations() {
        ModelSettings free = ModelSettings.of(Map.of("warmUp", "300"));
        LiveModel model = models.create("free", free);
        double[][] states = TestStreams.doubleWell(700, 4);
        model.submit(TestStreams.part(states, 0, 299)).join();
        ModelView early = model.viewAfter(299).join();
        assertThat(early.facts().phase()).isEqualTo(Phase.WARMING);
        assertThatThrownBy(() -> early.learned().spectrum(1)).hasMessageContaining("299 of 300 observations");
        assertThat(early.facts().warmUp()).isEqualTo(new StreamFacts.WarmUp(299, 300));
        model.submit(TestStreams.part(states, 299, 700)).join();
        ModelView view = model.viewAfter(700).join();
        assertThat(view.facts().phase()).isEqualTo(Phase.LEARNING);
        assertThat(view.version()).isEqualTo(699);
        assertThat(view.facts().warmUp()).isEqualTo(new StreamFacts.WarmUp(0, 0));
        assertThat(view.facts().explained()).extracting(e -> e.name()).contains("kernel", "lambda", "delays");
        assertThat(view.dimension()).isEqualTo(1);
    }

    /** An observation that does not show the state needs the ones before it; the model says so, and pairs fit no more. */
    @Test
    void delaysThatTheStreamChoseAreSeenEverywhere() {
        LiveModel model = models.create("hidden", ModelSettings.of(Map.of("warmUp", "400"), List.of("angle")));
        double[][] angles = new double[600][];
        Arrays.setAll(angles, t -> new double[] {Math.sin(0.3 * t) + 0.3 * Math.sin(0.71 * t)});
        model.submit(Batch.states(angles, true)).join();
        ModelView view = model.viewAfter(600).join();
        assertThat(view.labels().delays()).isPositive();
        assertThat(view.stateDimension()).isEqualTo(view.labels().delays() + 1);
        assertThat(view.labels().coordinates(view.stateDimension()))
                .hasSize(view.labels().delays() + 1)
                .startsWith("angle", "angle_lag1");
        assertThat(view.learned().stored().labels().delays())
                .isEqualTo(view.labels().delays());
        assertThatThrownBy(() -> model.submit(Batch.pairs(new double[][] {{1}}, new double[][] {{2}}))
                        .join())
                .hasCauseInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("send states in order, not pairs");
    }

    /** Explicit pairs have no past, so while they are among the first ones no delays are chosen. */
    @Test
    void explicitPairsChooseNoDelays() {
        LiveModel model = models.create("pairs", ModelSettings.of(Map.of("warmUp", "400")));
        double[][] x = new double[500][];
        double[][] next = new double[500][];
        Arrays.setAll(x, t -> new double[] {Math.sin(0.3 * t) + 0.3 * Math.sin(0.71 * t)});
        Arrays.setAll(next, t -> new double[] {Math.sin(0.3 * t + 0.3) + 0.3 * Math.sin(0.71 * t + 0.71)});
        model.submit(Batch.pairs(x, next)).join();
        ModelView view = model.viewAfter(500).join();
        assertThat(view.facts().phase()).isEqualTo(Phase.LEARNING);
        assertThat(view.labels().delays()).isZero();
        assertThat(view.facts().rows().refused()).isZero();
        model.submit(Batch.pairs(x, next)).join();
    }

    @Test
    void namesAreUniqueAndPlain() {
        models.create("a", SETTINGS);
        assertThatThrownBy(() -> models.create("a", SETTINGS)).isInstanceOf(ModelExistsException.class);
        for (String name : new String[] {"", "-a", "A", "a/b", "..", "a\0", "a".repeat(65)}) {
            assertThatThrownBy(() -> models.create(name, SETTINGS)).isInstanceOf(InvalidConfigException.class);
        }
        models.delete("a");
        assertThat(models.find("a")).isEmpty();
        assertThatThrownBy(() -> models.delete("a")).isInstanceOf(UnknownModelException.class);
    }
}
