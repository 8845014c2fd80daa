package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.answers.HeavyWork;
import io.koopstream.answers.Phase;
import io.koopstream.answers.RowCounts;
import io.koopstream.io.StreamFile;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The machine is a function of its settings and its batches: saved and restored anywhere, cut anyhow, it is the same. */
class ModelMachineTest {

    /** Interrupted and saved after any item, within batches too, it goes on as if nothing had been. */
    @Test
    void aBatchMayBeTakenInParts() {
        Workload work = new Workload(20, 5);
        ModelMachine machine = new ModelMachine(work.settings());
        SplittableRandom random = new SplittableRandom(6);
        int parts = 0;
        for (int i = 0; i < 20; i++) {
            Batch batch = work.batches().get(i);
            while (!machine.apply(batch, batch.hashes(), () -> random.nextInt(3) == 0)) {
                assertThat(machine.isWithinBatch()).isTrue();
                assertThat(machine.batches()).isEqualTo(i);
                machine =
                        ModelMachine.restore(work.settings(), machine.capture().parts(), "test");
                parts++;
            }
            assertThat(machine.capture().digest()).isEqualTo(work.digest(i + 1));
        }
        assertThat(parts).isGreaterThan(10);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                kind("least squares", "kernel", "gaussian(0.5)", "block", "8", "dimension", "1"),
                kind("one by one, forgetting", "kernel", "gaussian(0.5)", "block", "1", "forgetting", "0.999"),
                kind("capped", "kernel", "gaussian(0.2)", "block", "4", "maxDictionary", "9", "holdout", "0.3"),
                kind("delays", "kernel", "gaussian(0.7)", "delays", "3", "stride", "2", "block", "8"),
                kind("sogd", "method", "sogd", "kernel", "gaussian(0.5)", "average", "3"),
                kind("chosen from a window", "warmUp", "250", "block", "16", "drift", "false"),
                kind("drift", "kernel", "gaussian(0.5)", "driftDiscount", "0.05", "epsilon", "0.2"));
    }

    private static Arguments kind(String name, String... words) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            given.put(words[i], words[i + 1]);
        }
        return Arguments.of(name, ModelSettings.of(given));
    }

    /** Two streams of states with new trajectories here and there; from a quarter on the dynamics are others. */
    private static List<Batch> batches(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] states = TestStreams.doubleWell(12 * count, seed);
        for (int t = states.length / 4; t < states.length; t++) {
            states[t][0] = 1.5 * Math.sin(2.1 * t) + 0.1 * random.nextGaussian();
        }
        List<Batch> batches = new ArrayList<>();
        long[] next = new long[2];
        int at = 0;
        for (int b = 0; b < count; b++) {
            int size = 1 + random.nextInt(11);
            int stream = b < count / 3 ? 0 : random.nextInt(8) == 0 ? 1 : 0;
            batches.add(Batch.states(Arrays.copyOfRange(states, at, at + size), random.nextInt(20) == 0)
                    .numbered("s" + stream, next[stream]));
            next[stream] += size;
            at += size;
        }
        return batches;
    }

    private static ModelMachine restored(ModelSettings settings, MachineState state) {
        Map<String, ByteBuffer> parts = new LinkedHashMap<>(state.parts());
        return ModelMachine.restore(settings, parts, "a test");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void savedAndRestoredAnywhereItGoesOnBitForBit(String name, ModelSettings settings) {
        List<Batch> batches = batches(900, 3);
        ModelMachine whole = new ModelMachine(settings);
        ModelMachine interrupted = new ModelMachine(settings);
        SplittableRandom random = new SplittableRandom(4);
        for (int b = 0; b < batches.size(); b++) {
            Batch batch = batches.get(b);
            whole.apply(batch, batch.hashes());
            interrupted.apply(batch, batch.hashes());
            if (b < 25 || random.nextInt(60) == 0) {
                MachineState state = interrupted.capture();
                interrupted = restored(settings, state);
                assertThat(interrupted.capture().digest())
                        .as("right after restoring")
                        .isEqualTo(state.digest());
                assertThat(state.digest())
                        .as("batch " + b)
                        .isEqualTo(whole.capture().digest());
            }
        }
        assertThat(interrupted.capture().digest()).isEqualTo(whole.capture().digest());
        ModelView view = whole.view(new HeavyWork(1));
        assertThat(view.facts().phase()).isEqualTo(Phase.LEARNING);
        if (name.equals("drift")) {
            assertThat(view.facts().driftEvents()).isNotEmpty();
        }
    }

    /** What is learned does not depend on how the samples were cut into batches, nor on who looked. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void howTheSamplesWereCutDoesNotMatter(String name, ModelSettings settings) {
        double[][] states = TestStreams.doubleWell(1500, 8);
        List<String> digests = new ArrayList<>();
        for (int size : new int[] {1, 7, 64, 1500}) {
            ModelMachine machine = new ModelMachine(settings);
            for (int from = 0; from < states.length; from += size) {
                machine.apply(TestStreams.part(states, from, Math.min(states.length, from + size)), new long[0]);
                if (size == 7 && from % 70 == 0) {
                    machine.view(new HeavyWork(1)).operator();
                }
            }
            ModelView view = machine.view(new HeavyWork(1));
            digests.add(view.state().orElseThrow().digest() + " " + view.facts().oneStepError() + " "
                    + view.facts().curve() + " " + view.version() + " " + Arrays.deepToString(view.recentStates()));
        }
        assertThat(digests).as(name).containsOnly(digests.get(0));
    }

    /** Interleaved trajectories, gaps, late and repeated rows, rows that cannot be learned from or read: as a plain stream, saved anywhere. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void awkwardRowsGiveTheStateOfAPlainStream(String name, ModelSettings settings) {
        LearningStream plain = LearningStream.of(settings.stream());
        ModelMachine machine = new ModelMachine(settings);
        AwkwardRows rows = new AwkwardRows(5);
        for (int b = 0; b < 300; b++) {
            Batch batch = rows.next();
            Batch logged = Batch.unpacked(batch.packed(), "a test");
            for (Observation observation : rows.observations()) {
                plain.accept(observation);
            }
            machine.apply(logged, logged.isNumbered() ? logged.hashes() : new long[0]);
            if (b < 20 || b % 17 == 0) {
                machine = restored(settings, machine.capture());
            }
            if (b % 10 == 0) {
                assertThat(StreamFile.digest(machine.capture().stream()))
                        .as("batch " + b)
                        .isEqualTo(StreamFile.digest(plain.state()));
            }
        }
        assertThat(StreamFile.digest(machine.capture().stream())).isEqualTo(StreamFile.digest(plain.state()));
        RowCounts counts = machine.view(new HeavyWork(1)).facts().rows();
        assertThat(counts.rows())
                .isEqualTo(machine.received())
                .isEqualTo(plain.counts().observations());
        assertThat(counts.gaps()).isPositive().isEqualTo(plain.trajectories().gaps());
        assertThat(counts.late()).isPositive();
        assertThat(counts.duplicates()).isPositive();
        assertThat(counts.refused()).isPositive();
        assertThat(counts.missing()).isPositive();
        assertThat(counts.unreadable()).isPositive();
    }

    @Test
    void whatItHoldsOutItDoesNotLearn() {
        ModelSettings settings = ModelSettings.of(Map.of("kernel", "gaussian(0.5)", "holdout", "0.25"));
        ModelMachine machine = new ModelMachine(settings);
        machine.apply(TestStreams.part(TestStreams.doubleWell(401, 1), 0, 401), new long[0]);
        ModelView view = machine.view(new HeavyWork(1));
        // Runs of 4, 8, 16 and 32 pairs at the ends of 16, 32, 64 and 128, then 50 at the end of 200.
        assertThat(view.learned().heldOut()).isEqualTo(4 + 8 + 16 + 32 + 10);
        assertThat(view.samples()).isEqualTo(400 - 70);
        assertThat(view.version()).isEqualTo(400);
    }

    /** A start at which nothing moves says nothing about settings: the window grows, and in the end the usual ones serve. */
    @Test
    void aStillStartDoesNotChooseSettings() {
        ModelMachine machine = new ModelMachine(ModelSettings.of(Map.of("warmUp", "30")));
        double[][] still = new double[100][];
        Arrays.setAll(still, t -> new double[] {0.25});
        machine.apply(Batch.states(still, true), new long[0]);
        assertThat(machine.view(new HeavyWork(1)).facts().phase()).isEqualTo(Phase.WARMING);
        machine.apply(TestStreams.part(TestStreams.doubleWell(400, 2), 0, 400), new long[0]);
        ModelView view = machine.view(new HeavyWork(1));
        assertThat(view.facts().phase()).isEqualTo(Phase.LEARNING);
        assertThat(view.version()).isEqualTo(499);
    }
}
