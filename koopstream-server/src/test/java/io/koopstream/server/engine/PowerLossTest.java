package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.KoopstreamException;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import io.koopstream.server.durable.FaultyStorage.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Losses of power at every moment: nothing acknowledged is lost, and what is recovered is, bit for bit, what an undisturbed machine has after some
 * of the batches, all acknowledged ones among them.
 */
class PowerLossTest {

    private static final int BATCHES = 24;
    private static final Workload WORK = new Workload(BATCHES, 1);
    private static final int LOSSES = Integer.getInteger("koopstream.powerLosses", 2000);
    private static final long FIRST_SEED = Long.getLong("koopstream.powerLossSeed", 1);
    /** A simulation mostly waits for one of its threads to wake the next. */
    private static final int AT_ONCE = 8;

    /** What is known outside of the machine that fails. */
    private static final class Witness {
        private boolean created;
        private int acknowledged;
        private int losses;
    }

    /** Sends batches from one on, some at once, until something fails; counts those acknowledged. */
    private static void run(LiveModels models, Witness witness, SplittableRandom random) {
        LiveModel model = models.find(Workload.MODEL).orElse(null);
        if (model == null) {
            model = models.create(Workload.MODEL, WORK.settings());
            witness.created = true;
        }
        int sent = witness.acknowledged;
        while (sent < BATCHES) {
            int group = 1 + random.nextInt(3);
            List<CompletableFuture<Ack>> answers = new ArrayList<>();
            for (int i = 0; i < group && sent + i < BATCHES; i++) {
                answers.add(model.submit(WORK.batches().get(sent + i)));
            }
            for (CompletableFuture<Ack> answer : answers) {
                answer.join();
                sent++;
                witness.acknowledged = sent;
            }
        }
    }

    private static void check(LiveModels models, Witness witness, String what) {
        LiveModel model = models.find(Workload.MODEL).orElse(null);
        if (model == null) {
            assertThat(witness.created).as(what).isFalse();
            return;
        }
        witness.created = true;
        int prefix = WORK.prefix(model.machine().capture().digest());
        assertThat(prefix).as(what + ": recovered state").isGreaterThanOrEqualTo(witness.acknowledged);
    }

    /** Runs, loses the power at a call, recovers; up to three times; then to the end. */
    private static void simulate(long seed, int firstCall, Loss loss, Durability durability) {
        String what = "seed " + seed + ", call " + firstCall + ", " + loss + ", " + durability;
        SplittableRandom random = new SplittableRandom(seed);
        EngineConfig config = Workload.config(durability, 5 + random.nextInt(30));
        Witness witness = new Witness();
        FaultyStorage storage = new FaultyStorage().losePowerAt(firstCall);
        int rounds = 1 + random.nextInt(3);
        for (int round = 0; round < rounds; round++) {
            LiveModels models = null;
            try {
                models = Workload.open(storage, config);
                check(models, witness, what);
                run(models, witness, random);
            } catch (KoopstreamException | CompletionException e) {
                // The power is gone, or it is a bug that the next look at the files will show.
            } finally {
                storage.losePower();
                if (models != null) {
                    models.close();
                }
            }
            witness.losses++;
            storage = storage.afterPowerLoss(loss, random.nextLong());
            storage.losePowerAt(1 + random.nextInt(60));
        }
        FaultyStorage sound = storage.copy();
        try (LiveModels models = Workload.open(sound, config)) {
            check(models, witness, what);
            run(models, witness, random);
            models.find(Workload.MODEL).orElseThrow().viewAfter(total()).join();
        }
        try (LiveModels models = Workload.open(sound, config)) {
            LiveModel model = models.find(Workload.MODEL).orElseThrow();
            assertThat(model.machine().capture().digest()).as(what).isEqualTo(WORK.digest(BATCHES));
        }
        assertThat(sound.files().stream().filter(file -> file.toString().endsWith(".tmp")))
                .as(what)
                .isEmpty();
        total.addAndGet(witness.losses);
    }

    private static final AtomicInteger total = new AtomicInteger();

    private static long total() {
        return WORK.batches().stream().mapToLong(Batch::size).sum();
    }

    private static int calls() {
        FaultyStorage storage = new FaultyStorage();
        try (LiveModels models = Workload.open(storage, Workload.config(Durability.FSYNC, 10))) {
            run(models, new Witness(), new SplittableRandom(0));
        }
        return storage.calls();
    }

    @Test
    void nothingAcknowledgedIsLostWhenThePowerGoesAtAnyCall() throws Exception {
        int calls = calls();
        AtomicLong next = new AtomicLong(FIRST_SEED == 1 ? 1 - calls : FIRST_SEED);
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                all.add(pool.submit(() -> {
                    while (total.get() < LOSSES) {
                        lose(next.getAndIncrement(), calls);
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
        System.out.println("power lost " + total.get() + " times, seeds " + FIRST_SEED + " to " + (next.get() - 1)
                + ", " + calls + " storage calls in a run");
    }

    /** Seeds below one are the calls of a run in turn, all that is not synced lost; the others are random. */
    private static void lose(long seed, int calls) {
        if (seed < 1) {
            simulate(seed + calls, (int) seed + calls, Loss.ALL, Durability.FSYNC);
        } else {
            Loss loss = seed % 8 == 0 ? Loss.ALL : Loss.RANDOM;
            simulate(1_000_000 + seed, 1 + (int) (seed % calls), loss, Durability.FSYNC);
            if (seed % 1000 == 0) {
                System.out.println("seed " + seed + ", power lost " + total.get() + " times");
            }
        }
    }

    /** Without syncs: the death of the process alone, after which the operating system still has all that was written. */
    @Test
    void nothingAcknowledgedIsLostWhenOnlyTheProcessDies() {
        int calls = calls();
        for (int call = 1; call <= calls; call += 3) {
            simulate(2_000_000 + call, call, Loss.NOTHING, Durability.OS);
        }
    }
}
