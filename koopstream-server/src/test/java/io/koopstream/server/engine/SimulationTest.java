package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.HeavyWork;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import io.koopstream.server.durable.FaultyStorage.Loss;
import io.koopstream.server.durable.ModelDirectory;
import io.koopstream.server.durable.ModelStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/**
 * The engine without threads: one seeded scheduler decides who goes next, a sender, the thread that accepts, the one that learns, the one that writes
 * snapshots, a reader, the clock, or a disk that is full, fails or loses its power. What is promised is looked at after every single event.
 */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("koopstream.simulations", 60);
    private static final int BATCHES = 24;
    private static final Workload WORK = new Workload(BATCHES, 2);

    /** One run of one seed; what is known outside of the machine that fails is kept over its deaths. */
    private static final class World {
        private final long seed;
        private final SplittableRandom random;
        private final Durability durability;
        private final Loss loss;
        private final EngineConfig config;
        private FaultyStorage storage = new FaultyStorage();
        private Instant now = Instant.EPOCH;
        private int acknowledged;
        private int events;
        private int deaths;

        private LiveModel model;
        private ModelDirectory files;
        private final Deque<Runnable> snapshots = new ArrayDeque<>();
        private final List<CompletableFuture<Ack>> underWay = new ArrayList<>();
        private int sent;
        private long seen;

        World(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            // Without syncs only the process may die; with them the machine may.
            this.durability = random.nextInt(4) == 0 ? Durability.OS : Durability.FSYNC;
            this.loss = durability == Durability.OS ? Loss.NOTHING : random.nextBoolean() ? Loss.RANDOM : Loss.ALL;
            this.config = Workload.config(durability, 5 + random.nextInt(40));
        }

        private String what() {
            return "seed " + seed + ", event " + events + ", " + durability + ", " + loss;
        }

        private void begin() {
            files = ModelDirectory.open(storage, Workload.DIRECTORY);
            if (files.names().isEmpty()) {
                assertThat(acknowledged).as(what()).isZero();
                files.create(Workload.MODEL, WORK.settings().packed());
            }
            ModelStore store = files.open(Workload.MODEL, durability, config.segmentBytes());
            Recovered recovered = new Recovered(WORK.settings());
            ModelStore.Recovery recovery = store.recover(recovered);
            MemoryBudget memory = new MemoryBudget(1L << 30);
            LiveModel begun = new LiveModel(
                    Workload.MODEL,
                    recovered,
                    store,
                    recovery,
                    config,
                    new HeavyWork(1),
                    () -> now,
                    snapshots::add,
                    new Semaphore(1),
                    memory,
                    memory.share(1).orElseThrow());
            begun.begin();
            model = begun;
            sent = acknowledged;
            seen = 0;
            assertThat(recovery.lost()).as(what()).isZero();
            assertThat(recovery.records()).as(what()).isGreaterThanOrEqualTo(acknowledged);
        }

        private void die() {
            deaths++;
            storage.losePower();
            storage = storage.afterPowerLoss(loss, random.nextLong());
            model = null;
            snapshots.clear();
            underWay.clear();
        }

        private void event() {
            events++;
            try {
                if (model == null) {
                    if (random.nextInt(3) == 0) {
                        storage.losePowerAt(1 + random.nextInt(30));
                    }
                    begin();
                } else {
                    act();
                }
            } catch (KoopstreamException e) {
                // Only while it begins may anything be thrown: the power went again.
                assertThat(model).as(what() + ": " + e).isNull();
                die();
            }
            if (model != null) {
                look();
            }
        }

        private void act() {
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4 -> send();
                case 5, 6, 7, 8 -> model.acceptWaiting();
                case 9, 10, 11, 12, 13 -> model.learnWaiting();
                case 14 -> {
                    Runnable next = snapshots.poll();
                    if (next != null) {
                        next.run();
                    }
                }
                case 15 -> now = now.plus(Duration.ofDays(random.nextInt(-400, 400)));
                case 16 -> storage.space(random.nextBoolean() ? storage.used() + random.nextInt(200) : Long.MAX_VALUE);
                case 17 -> storage.failAt(1 + random.nextInt(10), false);
                case 18 -> model.syncAckRecord();
                default -> {
                    if (random.nextInt(4) == 0) {
                        die();
                    }
                }
            }
        }

        private void send() {
            if (underWay.isEmpty()) {
                sent = acknowledged;
                // Sometimes what was acknowledged is sent once more.
                int from = Math.max(0, sent - random.nextInt(3));
                for (int i = from; i < Math.min(BATCHES, sent + 1 + random.nextInt(3)); i++) {
                    underWay.add(model.submit(WORK.batches().get(i)));
                }
                sent = from;
            }
        }

        private void look() {
            while (!underWay.isEmpty() && underWay.get(0).isDone()) {
                CompletableFuture<Ack> answer = underWay.remove(0);
                if (answer.isCompletedExceptionally()) {
                    // Those behind it were refused with it or wait for nothing; the sender begins again.
                    assertThat(answer.handle((ack, error) -> error).join())
                            .as(what())
                            .isInstanceOf(KoopstreamException.class);
                    sent = Integer.MIN_VALUE / 2;
                } else {
                    sent++;
                    acknowledged = Math.max(acknowledged, sent);
                }
            }
            ModelMachine machine = model.machine();
            if (machine == null) {
                // Its log could not be read on.
                assertThat(model.health().state()).as(what()).isEqualTo(Health.State.FAILED);
                die();
                return;
            }
            assertThat(machine.capture().digest()).as(what()).isEqualTo(WORK.digest((int) machine.batches()));
            assertThat(model.view().received()).as(what()).isGreaterThanOrEqualTo(seen);
            seen = model.view().received();
            LiveModel.Counts counts = model.counts();
            assertThat(counts.received())
                    .as(what())
                    .isGreaterThanOrEqualTo(counts.accepted() + counts.duplicates() + counts.rejected());
            assertThat(counts.waiting()).as(what()).isNotNegative();
            if (model.health().state() == Health.State.FAILED) {
                die();
            }
        }

        /** To the end without further faults: everything is there, once. */
        void finish() {
            die();
            storage = storage.copy();
            begin();
            while (acknowledged < BATCHES) {
                CompletableFuture<Ack> answer = model.submit(WORK.batches().get(acknowledged));
                model.acceptWaiting();
                answer.join();
                acknowledged++;
            }
            while (model.counts().waiting() > 0 || model.health().state() == Health.State.REPLAYING) {
                model.learnWaiting();
            }
            assertThat(model.machine().capture().digest()).as(what()).isEqualTo(WORK.digest(BATCHES));
        }
    }

    @Test
    void everySeedKeepsEveryPromiseAfterEveryEvent() {
        long events = 0;
        long deaths = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            World world = new World(seed);
            for (int i = 0; i < 150; i++) {
                world.event();
            }
            world.finish();
            events += world.events;
            deaths += world.deaths;
        }
        System.out.println("simulated " + SEEDS + " seeds, " + events + " events, " + deaths + " deaths");
    }
}
