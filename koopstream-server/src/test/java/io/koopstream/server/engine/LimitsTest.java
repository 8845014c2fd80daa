package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.io.Storage;
import io.koopstream.rows.MaxGap;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What there is too much of is refused, at once and wholly; readers see whole views. */
class LimitsTest {

    private static final ModelSettings SETTINGS =
            ModelSettings.of(Map.of("dimension", "1", "kernel", "gaussian(0.5)", "epsilon", "0.3", "block", "4"));

    /** A disk whose writes wait until they are let go. */
    private static final class SlowStorage extends ForwardingStorage {
        private final CountDownLatch gate = new CountDownLatch(1);
        private volatile boolean slow;

        SlowStorage() {
            super(new FaultyStorage());
        }

        @Override
        public Storage.AppendFile create(Path file) throws IOException {
            Storage.AppendFile opened = super.create(file);
            return new ForwardingFile(opened) {
                @Override
                public void write(ByteBuffer bytes) throws IOException {
                    if (slow) {
                        try {
                            gate.await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                    }
                    super.write(bytes);
                }
            };
        }
    }

    @Test
    void aFullQueueIsBusyAtOnceAndNothingIsHalfAccepted() {
        SlowStorage storage = new SlowStorage();
        EngineConfig config = Workload.config(Durability.FSYNC, 1_000_000).withQueueSamples(100);
        double[][] states = TestStreams.doubleWell(300, 1);
        try (LiveModels models = Workload.open(storage, config)) {
            LiveModel model = models.create("m", SETTINGS);
            storage.slow = true;
            List<CompletableFuture<Ack>> answers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                answers.add(model.submit(
                        TestStreams.part(states, 10 * i, 10 * i + 10).numbered("s", 10L * i)));
            }
            CompletableFuture<Ack> refused =
                    model.submit(TestStreams.part(states, 100, 101).numbered("s", 100));
            assertThat(refused).isCompletedExceptionally();
            assertThatThrownBy(refused::join).cause().isInstanceOfSatisfying(BusyException.class, e -> {
                assertThat(e.retryAfter().toMillis()).isBetween(10L, 10_000L);
                assertThat(e).hasMessageContaining("100 samples are queued");
            });
            assertThat(answers).noneMatch(CompletableFuture::isDone);
            storage.gate.countDown();
            answers.forEach(CompletableFuture::join);
            model.viewAfter(100).join();
            assertThat(model.submit(TestStreams.part(states, 100, 150).numbered("s", 100))
                            .join()
                            .samples())
                    .isEqualTo(150);
            assertThatThrownBy(
                            () -> model.submit(TestStreams.part(states, 0, 101)).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            LimitException.class, e -> assertThat(e.limit()).isEqualTo(100));
        }
    }

    @Test
    void modelsAndStreamsAreLimited() {
        try (LiveModels models = Workload.open(new FaultyStorage(), Workload.config(Durability.OS, 1000))) {
            for (int i = 0; i < 4; i++) {
                models.create("m" + i, SETTINGS);
            }
            assertThatThrownBy(() -> models.create("m4", SETTINGS)).isInstanceOf(LimitException.class);
            LiveModel model = models.find("m0").orElseThrow();
            double[][] states = TestStreams.doubleWell(5, 1);
            for (int i = 0; i < 8; i++) {
                model.submit(TestStreams.part(states, 0, 5).onStream("s" + i)).join();
            }
            assertThatThrownBy(() -> model.submit(TestStreams.part(states, 0, 5).onStream("s8"))
                            .join())
                    .hasCauseInstanceOf(LimitException.class);
            model.submit(TestStreams.part(states, 0, 5).onStream("s7")).join();
        }
    }

    @Test
    void badSettingsSayWhatIsAllowed() {
        for (Map.Entry<String, String> wrong : List.of(
                Map.entry("dimension", "-1"),
                Map.entry("dimension", "two"),
                Map.entry("dimension", "10001"),
                Map.entry("dt", "0"),
                Map.entry("delays", "-1"),
                Map.entry("stride", "0"),
                Map.entry("warmUp", "2"),
                Map.entry("holdout", "0.6"),
                Map.entry("holdOutEvery", "10"),
                Map.entry("drift", "yes"),
                Map.entry("driftDiscount", "1.5"),
                Map.entry("kernel", "none(1)"),
                Map.entry("lamda", "1"))) {
            assertThatThrownBy(() -> ModelSettings.of(Map.of(wrong.getKey(), wrong.getValue())))
                    .as(wrong.toString())
                    .isInstanceOf(InvalidConfigException.class);
        }
        assertThatThrownBy(() -> ModelSettings.of(Map.of("lamda", "1")))
                .hasMessageContaining("robust, names, dimension");
        assertThatThrownBy(() -> ModelSettings.of(Map.of("holdOutEvery", "10")))
                .hasMessageContaining("0.1 instead of 10");
        assertThatThrownBy(() -> ModelSettings.of(Map.of("method", "sogd", "holdout", "0.1")))
                .isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> ModelSettings.of(Map.of(), List.of("x", "x")))
                .isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> ModelSettings.of(Map.of("dimension", "3"), List.of("x", "y")))
                .isInstanceOf(InvalidConfigException.class);
        ModelSettings named = ModelSettings.of(Map.of("delays", "2"), List.of("pressure, bar", "T"));
        assertThat(named.dimension()).isEqualTo(2);
        assertThat(named.labels(2, 1, named.stream().preparation(), Double.NaN, MaxGap.NONE)
                        .coordinates(6))
                .contains("T_lag2");
        assertThat(ModelSettings.of(Map.of("max-dictionary", "50")).given()).containsEntry("maxDictionary", "50");
    }

    @Test
    void pairsDoNotFitAModelWithDelays() {
        try (LiveModels models = Workload.open(new FaultyStorage(), Workload.config(Durability.OS, 1000))) {
            LiveModel model = models.create("m", ModelSettings.of(Map.of("kernel", "gaussian(1)", "delays", "2")));
            double[][] x = TestStreams.doubleWell(5, 1);
            assertThatThrownBy(() -> model.submit(Batch.pairs(x, x)).join())
                    .hasCauseInstanceOf(InvalidSampleException.class)
                    .hasMessageContaining("send states");
        }
    }

    /** Readers see versions that never fall, and views that are what they were however long they are held. */
    @Test
    void readersSeeWholeViews() throws InterruptedException {
        double[][] states = TestStreams.doubleWell(4000, 2);
        try (LiveModels models = Workload.open(new FaultyStorage(), Workload.config(Durability.OS, 1000))) {
            LiveModel model = models.create("m", SETTINGS);
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread reader = new Thread(() -> {
                    try {
                        long version = 0;
                        while (!done.get()) {
                            ModelView view = model.view();
                            assertThat(view.version()).isGreaterThanOrEqualTo(version);
                            version = view.version();
                            if (view.samples() > 20) {
                                String before = view.state().orElseThrow().digest();
                                assertThat(view.learned().spectrum(8))
                                        .isSameAs(view.learned().spectrum(8));
                                assertThat(view.operator().orElseThrow().samples())
                                        .isEqualTo(view.samples());
                                assertThat(view.state().orElseThrow().digest()).isEqualTo(before);
                            }
                        }
                    } catch (Throwable e) {
                        wrong.set(e);
                    }
                });
                reader.start();
                readers.add(reader);
            }
            for (int i = 0; i < 400; i++) {
                model.submit(TestStreams.part(states, 10 * i, 10 * i + 10)).join();
            }
            model.viewAfter(4000).join();
            done.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            assertThat(wrong.get()).isNull();
        }
    }

    @Test
    void aClosedModelRefuses() {
        LiveModels models = Workload.open(new FaultyStorage(), Workload.config(Durability.OS, 1000));
        LiveModel model = models.create("m", SETTINGS);
        models.close();
        assertThatThrownBy(() -> model.submit(TestStreams.part(TestStreams.doubleWell(3, 1), 0, 3))
                        .join())
                .hasCauseInstanceOf(ModelFailedException.class);
        assertThatThrownBy(() -> model.viewAfter(3).join()).hasCauseInstanceOf(ModelFailedException.class);
        models.close();
    }
}
