package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import io.koopstream.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nobody waits at the start for a model that he does not ask for, and nobody for what its log has still to teach it. */
class UpAtOnceTest {

    private static final int BATCHES = 30;
    private static final int SAVED = 10;
    private static final String OPENER = "koopstream-opener";
    private static final String LEARNER = "koopstream-learn-m";
    private static final Workload WORK = new Workload(BATCHES, 3);
    private static final EngineConfig CONFIG = Workload.config(Durability.FSYNC, 1_000_000);

    /** Two models; of one the log holds more than its last snapshot. */
    private static FaultyStorage stored() {
        FaultyStorage storage = new FaultyStorage();
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            send(models.create("m", WORK.settings()), 0, SAVED);
            send(models.create("other", WORK.settings()), 0, SAVED);
        }
        LiveModels models = Workload.open(storage, CONFIG);
        send(models.require("m"), SAVED, 20);
        storage.losePower();
        models.close();
        return storage.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0);
    }

    private static void send(LiveModel model, int from, int to) {
        WORK.batches().subList(from, to).stream().map(model::submit).toList().forEach(CompletableFuture::join);
    }

    /** A disk on which a thread that reads the log of one model waits for its gate. */
    private static final class SlowLog extends ForwardingStorage {
        private final CountDownLatch gate = new CountDownLatch(1);
        private final String thread;

        SlowLog(Storage storage, String thread) {
            super(storage);
            this.thread = thread;
        }

        @Override
        public ByteBuffer read(Path file) throws IOException {
            if (file.getFileName().toString().startsWith("m.log")
                    && Thread.currentThread().getName().startsWith(thread)) {
                try {
                    assertThat(gate.await(5, TimeUnit.MINUTES)).isTrue();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return super.read(file);
        }
    }

    private static LiveModels open(Storage storage) {
        return LiveModels.open(Workload.DIRECTORY, CONFIG, storage, InstantSource.system());
    }

    @Test
    void theOthersServeWhileTheFilesOfOneAreRead() throws Exception {
        SlowLog storage = new SlowLog(stored(), OPENER);
        try (LiveModels models = open(storage)) {
            LiveModel other = models.require("other");
            send(other, SAVED, BATCHES);
            other.viewAfter(other.startedWith() + 1).join();
            assertThat(models.opening()).containsExactly("m");
            assertThat(models.list()).containsExactly(other);
            assertThat(models.isWhole()).isTrue();
            storage.gate.countDown();
            Await.until("the slow one", () -> models.opening().isEmpty());
            assertThat(models.require("m").machine().capture().digest()).isEqualTo(WORK.digest(20));
        }
    }

    @Test
    void aModelAnswersAndAcceptsWhileItsLogIsLearned() throws Exception {
        SlowLog storage = new SlowLog(stored(), LEARNER);
        try (LiveModels models = open(storage)) {
            LiveModel model = models.require("m");
            long samples = model.startedWith();
            assertThat(model.health().state()).isEqualTo(Health.State.REPLAYING);
            assertThat(model.health().reason()).startsWith("replaying, 0 %");
            assertThat(models.isWhole()).isTrue();
            // From its snapshot.
            assertThat(model.view().samples()).isPositive();
            assertThat(model.view().received()).isLessThan(samples);
            // What is acknowledged now is counted after what the log holds, and what came before is known.
            send(model, SAVED, BATCHES);
            assertThat(model.counts().accepted()).isPositive();
            Ack again = model.submit(WORK.batches().get(BATCHES - 1)).join();
            assertThat(again.samples()).isEqualTo(samples + model.counts().accepted());
            assertThat(model.health().state()).isEqualTo(Health.State.REPLAYING);
            storage.gate.countDown();
            model.viewAfter(again.samples()).join();
            assertThat(model.health()).isEqualTo(Health.RUNNING);
        }
    }

    /** Batches without numbers are learned once and in order, those before the death of a process and those sent while it replays. */
    @Test
    void nothingIsLostOrOutOfOrder() throws Exception {
        ModelSettings settings = WORK.settings();
        double[][] states = TestStreams.doubleWell(400, 4);
        ModelMachine plain = new ModelMachine(settings);
        FaultyStorage disk = new FaultyStorage();
        LiveModels first = Workload.open(disk, CONFIG);
        LiveModel dying = first.create("m", settings);
        for (int i = 0; i < 200; i += 10) {
            dying.submit(TestStreams.part(states, i, i + 10)).join();
        }
        disk.losePower();
        first.close();
        SlowLog storage = new SlowLog(disk.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0), LEARNER);
        try (LiveModels models = open(storage)) {
            LiveModel model = models.require("m");
            for (int i = 200; i < 400; i += 10) {
                model.submit(TestStreams.part(states, i, i + 10)).join();
            }
            assertThat(model.view().received()).isZero();
            storage.gate.countDown();
            model.viewAfter(400).join();
            for (int i = 0; i < 400; i += 10) {
                Batch batch = TestStreams.part(states, i, i + 10);
                plain.apply(batch, batch.hashesOfNumbered());
            }
            assertThat(model.machine().capture().digest())
                    .isEqualTo(plain.capture().digest());
        }
    }

    /** Stopped in the middle of a batch that takes long, it has saved what it had learned, and goes on from there. */
    @Test
    void anEndInTheMiddleOfABatchLeavesTheRestOfIt() {
        ModelSettings settings = WORK.settings();
        Batch batch = TestStreams.part(TestStreams.doubleWell(10_000, 5), 0, 10_000);
        ModelMachine plain = new ModelMachine(settings);
        plain.apply(batch, batch.hashesOfNumbered());
        FaultyStorage disk = new FaultyStorage();
        LiveModels models = Workload.open(disk, CONFIG);
        models.create("m", settings).submit(batch).join();
        models.close(0);
        try (LiveModels again = Workload.open(disk.copy(), CONFIG)) {
            assertThat(again.require("m").machine().capture().digest())
                    .isEqualTo(plain.capture().digest());
        }
    }

    @Test
    void whoAsksForAModelThatIsBeingOpenedIsToldWhenToAskAgain() {
        SlowLog storage = new SlowLog(stored(), OPENER);
        try (LiveModels models = open(storage)) {
            try {
                assertThatThrownBy(() -> models.require("m"))
                        .isInstanceOfSatisfying(
                                BusyException.class,
                                e -> assertThat(e.retryAfter()).isPositive())
                        .hasMessageContaining("being opened");
                assertThatThrownBy(() -> models.create("m", WORK.settings())).isInstanceOf(BusyException.class);
                assertThat(List.copyOf(models.opening())).containsExactly("m");
            } finally {
                storage.gate.countDown();
            }
        }
    }
}
