package io.koopstream.server.engine;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import io.koopstream.systems.FourWell;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Samples a second through the engine with the four-well model, on the disk of this machine: batches in either mode, with and without readers, and
 * single samples with their times. Not a test: it prints what it measures (lab/records/durability.md). The processor time of the learner's thread a
 * sample says what a loaded machine hides.
 */
public final class EngineSpeed {

    private static final int BATCH = 1000;

    private EngineSpeed() {}

    /** @param args seconds a measurement; the directory to write in */
    public static void main(String[] args) throws IOException {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 5;
        Path directory = args.length > 1 ? Path.of(args[1]) : Files.createTempDirectory("koopstream-speed");
        double[][] pool = pool();
        System.out.println("mode   readers  samples/s  learner µs/sample  kept  answers/s");
        run(directory, pool, Durability.OS, 0, seconds);
        run(directory, pool, Durability.OS, 0, seconds);
        run(directory, pool, Durability.OS, 16, seconds);
        run(directory, pool, Durability.FSYNC, 0, seconds);
        singles(directory, pool, Durability.OS, seconds);
        singles(directory, pool, Durability.FSYNC, seconds);
    }

    /** Pairs of 400 paths, x then x⁺. */
    private static double[][] pool() {
        List<double[]> pairs = new ArrayList<>();
        for (double[][] path : new FourWell().simulate(400, 100, 1)) {
            for (int t = 1; t < path.length; t++) {
                pairs.add(new double[] {path[t - 1][0], path[t - 1][1], path[t][0], path[t][1]});
            }
        }
        return pairs.toArray(double[][]::new);
    }

    private static ModelSettings settings() {
        return ModelSettings.of(Map.of(
                "dimension", "2", "kernel", "0.4*gaussian(0.4)+0.6*gaussian(0.7)", "lambda", "1e-5", "epsilon", "0.1"));
    }

    private static Batch batch(double[][] pool, long from, int size) {
        double[] values = new double[4 * size];
        for (int i = 0; i < size; i++) {
            System.arraycopy(pool[(int) ((from + i) % pool.length)], 0, values, 4 * i, 4);
        }
        return Batch.pairs(2, values);
    }

    private static LiveModels open(Path directory, Durability durability) {
        return LiveModels.open(
                directory, EngineConfig.defaults().with(durability), Storage.DISK, InstantSource.system());
    }

    private static void run(Path directory, double[][] pool, Durability durability, int readers, double seconds)
            throws IOException {
        clear(directory);
        try (LiveModels models = open(directory, durability)) {
            LiveModel model = models.create("wells", settings());
            long sent = feed(model, pool, 0, 2);
            AtomicLong answers = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                Thread thread = new Thread(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        model.view().learned().spectrum(6);
                        answers.incrementAndGet();
                        // Whoever reads does something with the answer.
                        LockSupport.parkNanos(1_000_000);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            long start = System.nanoTime();
            long cpu = learnerTime();
            long before = model.view().received();
            sent = feed(model, pool, sent, seconds);
            long received = model.viewAfter(sent).join().received() - before;
            double time = (System.nanoTime() - start) / 1e9;
            double each = (learnerTime() - cpu) / 1e3 / received;
            threads.forEach(Thread::interrupt);
            System.out.printf(
                    Locale.ROOT,
                    "%-6s %7d %10.0f %18.2f %5d %10.0f%n",
                    durability,
                    readers,
                    received / time,
                    each,
                    model.view().dictionarySize(),
                    answers.get() / time);
        }
        clear(directory);
    }

    /** Sends batches as fast as they are taken, with a few under way. */
    private static long feed(LiveModel model, double[][] pool, long from, double seconds) {
        long sent = from;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        Deque<CompletableFuture<Ack>> underWay = new ArrayDeque<>();
        while (System.nanoTime() < end) {
            CompletableFuture<Ack> ack = model.submit(batch(pool, sent, BATCH));
            if (ack.isCompletedExceptionally()) {
                pause();
                continue;
            }
            sent += BATCH;
            underWay.add(ack);
            if (underWay.size() > 16) {
                underWay.remove().join();
            }
        }
        underWay.forEach(CompletableFuture::join);
        return sent;
    }

    private static void pause() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static long learnerTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("koopstream-learn-")) {
                return threads.getThreadCpuTime(id);
            }
        }
        return 0;
    }

    private static void singles(Path directory, double[][] pool, Durability durability, double seconds)
            throws IOException {
        clear(directory);
        try (LiveModels models = open(directory, durability)) {
            LiveModel model = models.create("wells", settings());
            long[] times = new long[1_000_000];
            int count = 0;
            long end = System.nanoTime() + (long) (seconds * 1e9);
            while (System.nanoTime() < end && count < times.length) {
                long start = System.nanoTime();
                model.submit(batch(pool, count, 1)).join();
                times[count++] = System.nanoTime() - start;
            }
            Arrays.sort(times, 0, count);
            System.out.printf(
                    Locale.ROOT,
                    "%-6s one by one: %.0f a second, p50 %.0f µs, p99 %.0f µs%n",
                    durability,
                    count / seconds,
                    times[count / 2] / 1e3,
                    times[(int) (count * 0.99)] / 1e3);
        }
        clear(directory);
    }

    private static void clear(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
