package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.answers.HeavyWork;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Senders that send twice, out of order and with gaps, and clocks that jump: the model is that of the clean stream. */
class StreamNumbersTest {

    private static final ModelSettings SETTINGS = ModelSettings.of(
            Map.of("dimension", "1", "kernel", "gaussian(0.5)", "epsilon", "0.3", "block", "4", "maxDictionary", "15"));
    private static final int ITEMS = 160;
    private static final int SEEDS = 200;

    private static String learned(ModelView view) {
        return view.state().orElseThrow().digest() + " " + view.version() + " "
                + view.facts().oneStepError() + " " + view.facts().curve();
    }

    private static String clean(double[][] states) {
        ModelMachine machine = new ModelMachine(SETTINGS);
        machine.apply(TestStreams.part(states, 0, ITEMS), new long[0]);
        return learned(machine.view(new HeavyWork(1)));
    }

    @Test
    void whateverTheSenderDoesTheModelIsThatOfTheCleanStream() {
        EngineConfig config = Workload.config(Durability.OS, 1_000_000);
        int gaps = 0;
        long duplicates = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[][] states = TestStreams.doubleWell(ITEMS, seed);
            // Years back and forth: when something came does not matter to what is learned.
            Instant[] now = {Instant.EPOCH};
            try (LiveModels models = LiveModels.open(Workload.DIRECTORY, config, new FaultyStorage(), () -> {
                now[0] = now[0].plus(Duration.ofDays(random.nextInt(1000) - 500));
                return now[0];
            })) {
                LiveModel model = models.create("m", SETTINGS);
                long first = random.nextInt(5);
                long next = model.submit(TestStreams.part(states, 0, 1).numbered("s", first))
                        .join()
                        .next();
                while (next < first + ITEMS) {
                    // Anywhere around where the stream is, of any length.
                    int from = (int) Math.max(0, next - first + random.nextInt(40) - 30);
                    int to = Math.min(ITEMS, from + 1 + random.nextInt(30));
                    if (from >= to) {
                        continue;
                    }
                    try {
                        Ack ack = model.submit(
                                        TestStreams.part(states, from, to).numbered("s", first + from))
                                .join();
                        next = ack.next();
                        duplicates += ack.duplicates();
                    } catch (CompletionException e) {
                        SequenceException refused = (SequenceException) e.getCause();
                        assertThat(refused.kind()).isEqualTo(SequenceException.Kind.GAP);
                        assertThat(refused.expected()).isEqualTo(next);
                        gaps++;
                    }
                }
                ModelView view = model.viewAfter(ITEMS).join();
                assertThat(learned(view)).as("seed " + seed).isEqualTo(clean(states));
                LiveModel.Counts counts = model.counts();
                assertThat(counts.received()).isEqualTo(counts.accepted() + counts.duplicates() + counts.rejected());
                assertThat(counts.accepted()).isEqualTo(ITEMS);
            }
        }
        assertThat(gaps).isGreaterThan(SEEDS);
        assertThat(duplicates).isGreaterThan(SEEDS * 10);
    }

    @Test
    void aNewStreamStartsAnywhere() {
        try (LiveModels models = Workload.open(new FaultyStorage(), Workload.config(Durability.OS, 1_000_000))) {
            LiveModel model = models.create("m", SETTINGS);
            double[][] states = TestStreams.doubleWell(20, 1);
            assertThat(model.submit(TestStreams.part(states, 0, 5).numbered("a", 1L << 40))
                            .join()
                            .next())
                    .isEqualTo((1L << 40) + 5);
            assertThat(model.submit(TestStreams.part(states, 0, 5).numbered("b", 0))
                            .join()
                            .next())
                    .isEqualTo(5);
        }
    }
}
