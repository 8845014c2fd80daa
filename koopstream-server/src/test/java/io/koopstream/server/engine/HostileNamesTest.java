package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.answers.HeavyWork;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names as strangers choose them: what would not be the same after it was stored is refused, everything else is the same after a restart. */
class HostileNamesTest {

    private static final double[][] STATES = TestStreams.doubleWell(40, 1);
    private static final List<String> UNSTORABLE = List.of("\ud800", "\ud801", "a\udc00b", "\ud800\ud800", "\ufffd");
    private static final List<String> ODD = List.of(
            "?", "??", "\ud83d\ude00", "é", "e\u0301", "\u202e", "\u0000a".substring(1), "../../x", "a/b", "𐀀");

    @Test
    void textThatWouldBecomeAnotherIsRefused() {
        for (String name : UNSTORABLE) {
            Batch batch = Batch.states(STATES, false);
            assertThatThrownBy(() -> batch.numbered(name, 0)).isInstanceOf(InvalidSampleException.class);
            assertThatThrownBy(() -> batch.onStream(name)).isInstanceOf(InvalidSampleException.class);
            BatchRows rows = new BatchRows(1, false);
            rows.add(name, 0, Double.NaN, STATES[0], false);
            assertThatThrownBy(rows::batch).isInstanceOf(InvalidSampleException.class);
            assertThatThrownBy(() -> ModelSettings.of(Map.of("timeStyle", name)))
                    .isInstanceOf(InvalidConfigException.class);
            assertThatThrownBy(() -> ModelSettings.of(Map.of(), List.of(name)))
                    .isInstanceOf(InvalidConfigException.class);
        }
    }

    @Test
    void noTwoStreamsShareATrajectory() {
        Set<String> names = new HashSet<>();
        int count = 0;
        for (String stream : List.of("", "a", "a/b", "a/b/c", "a~1b", "a~", "~", "a/", "/")) {
            for (String name : Arrays.asList(null, "", "a", "b", "b/c", "/b", "a/b", "~1b")) {
                names.add(Places.trajectory(stream, name));
                count++;
            }
        }
        assertThat(names).hasSize(count);
        assertThat(Places.trajectory("a", null)).as("as ever").isEqualTo("a");
        assertThat(Places.trajectory("a", "b")).as("as ever").isEqualTo("a/b");

        ModelMachine machine = new ModelMachine(ModelSettings.of(Map.of("dimension", "1", "kernel", "gaussian(0.5)")));
        for (int i = 0; i < 10; i++) {
            machine.apply(Batch.states(1, new double[] {i}, false).onStream("a/b"), new long[0]);
            BatchRows rows = new BatchRows(1, false);
            rows.add("b", Double.NaN, Double.NaN, new double[] {100 + i}, false);
            machine.apply(rows.batch().onStream("a"), new long[0]);
            BatchRows nameless = new BatchRows(1, false);
            nameless.add("a/b", Double.NaN, Double.NaN, new double[] {200 + i}, false);
            machine.apply(nameless.batch(), new long[0]);
        }
        assertThat(machine.view(new HeavyWork(1)).version())
                .as("nine pairs of each of three trajectories, none across")
                .isEqualTo(27);
    }

    @Test
    void oddNamesAreTheSameAfterARestart() {
        EngineConfig config = new EngineConfig(Durability.FSYNC, 10_000, 1_000_000, 4, 64, 1 << 20, 1);
        ModelSettings settings = ModelSettings.of(
                Map.of("dimension", "1", "kernel", "gaussian(0.5)", "epsilon", "0.3", "block", "4", "delays", "0"));
        FaultyStorage storage = new FaultyStorage();
        LiveModels models = Workload.open(storage, config);
        LiveModel model = models.create("m", settings);
        long samples = 0;
        for (String name : ODD) {
            samples = model.submit(TestStreams.part(STATES, 0, 20).numbered(name, 0))
                    .join()
                    .samples();
            BatchRows rows = new BatchRows(1, false);
            rows.add(name, 0, Double.NaN, STATES[1], false);
            samples = model.submit(rows.batch().onStream("rows")).join().samples();
        }
        model.viewAfter(samples).join();
        String before = model.machine().capture().digest();
        storage.losePower();
        models.close();

        try (LiveModels again = Workload.open(storage.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0), config)) {
            LiveModel recovered = again.require("m");
            assertThat(recovered.machine().capture().digest()).isEqualTo(before);
            for (String name : ODD) {
                Ack ack = recovered
                        .submit(TestStreams.part(STATES, 0, 20).numbered(name, 0))
                        .join();
                assertThat(ack.duplicates()).as(name).isEqualTo(20);
            }
        }
    }
}
