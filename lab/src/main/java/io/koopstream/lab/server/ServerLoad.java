package io.koopstream.lab.server;

import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.TrajectoryStreams;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The figures of lab/records/performance.md about the server: a real one on the loopback, four wells with about 150 kept samples, the sender on the same
 * machine. Parts: ingest, single, readers, unchanged, forecasts, soak.
 */
public final class ServerLoad {

    static final String KERNEL = "0.4*gaussian(0.4)+0.6*gaussian(0.7)";
    static final int BATCH = 5_000;
    static final int BATCHES = 20;
    static final int READERS = 32;
    private static final int ROUNDS = 5;
    private static final int WARM_UPS = 15;
    private static final int INGEST_ROUNDS = 3;

    private final double[][] pairs;
    private final long samples;

    private ServerLoad(long samples) {
        this.samples = samples;
        this.pairs = fourWell();
    }

    /** Runs the parts that are named, all but the soak when none is. First argument: samples a figure. */
    public static void main(String[] arguments) throws Exception {
        ServerLoad load = new ServerLoad(Long.parseLong(arguments[0]));
        String words = String.join(" ", Arrays.asList(arguments).subList(1, arguments.length))
                .strip();
        Set<String> parts = words.isEmpty() ? Set.of() : Set.of(words.split(" +"));
        boolean all = parts.isEmpty();
        if (all || parts.contains("ingest")) {
            load.ingest();
        }
        if (all || parts.contains("single")) {
            load.single();
        }
        if (all || parts.contains("readers")) {
            load.readers();
        }
        if (all || parts.contains("unchanged")) {
            new AnswerLoad(load).unchanged();
        }
        if (all || parts.contains("forecasts")) {
            new AnswerLoad(load).forecasts();
        }
        if (parts.contains("soak")) {
            load.soak();
        }
        System.exit(0);
    }

    /** Pairs of 2,000 particles in turn, as {@code koop demo} observes them. */
    private static double[][] fourWell() {
        FourWell system = new FourWell();
        int particles = 2_000;
        double[][] states = new double[particles][];
        UniformRandomProvider[] random = new UniformRandomProvider[particles];
        for (int i = 0; i < particles; i++) {
            random[i] = TrajectoryStreams.of(1, i);
            states[i] = system.initialState(random[i]);
        }
        double[][] pairs = new double[BATCH * BATCHES][4];
        for (int t = 0; t < pairs.length; t++) {
            int i = t % particles;
            System.arraycopy(states[i], 0, pairs[t], 0, 2);
            system.step(states[i], random[i]);
            System.arraycopy(states[i], 0, pairs[t], 2, 2);
        }
        return pairs;
    }

    /** A form of samples. */
    enum Form {
        JSON("application/json", ""),
        LINES("application/x-ndjson", ""),
        PACKED("application/octet-stream", "?kind=pairs&dimension=2");

        private final String type;
        private final String query;

        Form(String type, String query) {
            this.type = type;
            this.query = query;
        }
    }

    private byte[] body(Form form, int batch) {
        StringBuilder text = new StringBuilder();
        ByteBuffer packed = ByteBuffer.allocate(BATCH * 32).order(ByteOrder.LITTLE_ENDIAN);
        for (int t = batch * BATCH; t < (batch + 1) * BATCH; t++) {
            double[] p = pairs[t];
            switch (form) {
                case JSON ->
                    text.append(text.length() == 0 ? "" : ",")
                            .append("[[" + p[0] + "," + p[1] + "],[" + p[2] + "," + p[3] + "]]");
                case LINES -> text.append("{\"x\":[" + p[0] + "," + p[1] + "],\"y\":[" + p[2] + "," + p[3] + "]}\n");
                case PACKED ->
                    packed.putDouble(p[0]).putDouble(p[1]).putDouble(p[2]).putDouble(p[3]);
            }
        }
        return switch (form) {
            case JSON -> ("{\"pairs\":[" + text + "]}").getBytes(StandardCharsets.UTF_8);
            case LINES -> text.toString().getBytes(StandardCharsets.UTF_8);
            case PACKED -> packed.array();
        };
    }

    /** A running server with one model. */
    static final class Subject implements AutoCloseable {
        private final Path folder;
        private final KoopServer server;
        final LiveModel model;
        private final ServerConfig config;

        Subject(Durability durability) throws IOException {
            this(durability, Map.of("kernel", KERNEL, "lambda", "1e-6", "dt", "0.1"));
        }

        Subject(Durability durability, Map<String, String> settings) throws IOException {
            folder = Files.createTempDirectory("koop-load");
            config = ServerConfig.in(folder.resolve("data"))
                    .withPort(0)
                    .withToken(AccessToken.of("token-of-a-measurement"))
                    .withEngine(EngineConfig.defaults().with(durability));
            server = KoopServer.start(config);
            model = server.models().create("wells", ModelSettings.of(settings));
        }

        byte[] request(String method, String path, String type, byte[] body) {
            return request(method, path, type, body, "");
        }

        byte[] request(String method, String path, String type, byte[] body, String headers) {
            return Connection.request(server.port(), config.token().reveal(), method, path, type, body, headers);
        }

        Connection connect() throws IOException {
            return new Connection(server.port());
        }

        @Override
        public void close() throws IOException {
            server.close();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    List<byte[]> requests(Subject subject, Form form) {
        List<byte[]> requests = new ArrayList<>();
        for (int b = 0; b < BATCHES; b++) {
            requests.add(subject.request("POST", "/models/wells/samples" + form.query, form.type, body(form, b)));
        }
        return requests;
    }

    /** Sends so many samples and waits until they are learned; samples per second. */
    static double send(Subject subject, List<byte[]> requests, long count) throws Exception {
        long target = subject.model.view().received() + count;
        long start = System.nanoTime();
        try (Connection connection = subject.connect()) {
            for (long sent = 0; sent < count; ) {
                int status = connection.exchange(requests.get((int) (sent / BATCH % BATCHES)));
                if (status == 200) {
                    sent += BATCH;
                } else if (status == 503) {
                    TimeUnit.MILLISECONDS.sleep(5);
                } else {
                    throw new IllegalStateException("status " + status);
                }
            }
        }
        subject.model.viewAfter(target).get();
        return count / ((System.nanoTime() - start) / 1e9);
    }

    /** A figure of one form. */
    private record Ingested(double rate, double learnerMicros, double otherMicros, int kept) {}

    /** All forms in turn, several times over: what is shown is the round with the median rate. The first round, which compiles, does not count. */
    private void ingest() throws Exception {
        Map<String, List<Ingested>> rounds = new LinkedHashMap<>();
        for (int round = 0; round <= INGEST_ROUNDS; round++) {
            for (Form form : Form.values()) {
                for (Durability durability : List.of(Durability.OS, Durability.FSYNC)) {
                    Ingested one = ingest(form, durability);
                    if (round > 0) {
                        rounds.computeIfAbsent(form.type + " | " + durability, any -> new ArrayList<>())
                                .add(one);
                    }
                }
            }
        }
        say(
                "| form, batches of %,d | durability | learned, samples/s | least and most | µs of the learner's thread | µs of all others, sender included | kept |",
                BATCH);
        say("|---|---|---|---|---|---|---|");
        rounds.forEach((what, all) -> {
            all.sort(Comparator.comparingDouble(Ingested::rate));
            Ingested median = all.get(all.size() / 2);
            say(
                    "| %s | %,.0f | %,.0f, %,.0f | %.1f | %.1f | %d |",
                    what,
                    median.rate,
                    all.get(0).rate,
                    all.get(all.size() - 1).rate,
                    median.learnerMicros,
                    median.otherMicros,
                    median.kept);
        });
    }

    private Ingested ingest(Form form, Durability durability) throws Exception {
        try (Subject subject = new Subject(durability)) {
            List<byte[]> requests = requests(subject, form);
            send(subject, requests, 2L * BATCH * BATCHES);
            long learner = learnerNanos();
            long all = processNanos();
            double rate = send(subject, requests, samples);
            double learned = (learnerNanos() - learner) / 1e3 / samples;
            double rest = (processNanos() - all) / 1e3 / samples - learned;
            return new Ingested(rate, learned, rest, subject.model.view().dictionarySize());
        }
    }

    /** Processor time of the thread that learns. */
    private static long learnerNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals("koopstream-learn-wells")) {
                return threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        throw new IllegalStateException("no thread learns");
    }

    /** Processor time of this process: the server and the sender, and the compiler, which has little left to do after the warm-up. */
    private static long processNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private void single() throws Exception {
        say("| single posts | p50 | p99 | posts/s |");
        say("|---|---|---|---|");
        for (Durability durability : List.of(Durability.OS, Durability.FSYNC)) {
            try (Subject subject = new Subject(durability);
                    Connection connection = subject.connect()) {
                int posts = 10_000;
                long[] nanos = new long[posts];
                for (int i = -2_000; i < posts; i++) {
                    double[] p = pairs[(i + 2_000) % pairs.length];
                    byte[] request = subject.request(
                            "POST",
                            "/models/wells/samples",
                            "application/json",
                            ("{\"x\":[" + p[0] + "," + p[1] + "],\"y\":[" + p[2] + "," + p[3] + "]}")
                                    .getBytes(StandardCharsets.UTF_8));
                    long start = System.nanoTime();
                    connection.exchange(request);
                    if (i >= 0) {
                        nanos[i] = System.nanoTime() - start;
                    }
                }
                double total = Arrays.stream(nanos).sum() / 1e9;
                Arrays.sort(nanos);
                say(
                        "| %s | %.2f ms | %.2f ms | %,.0f |",
                        durability, nanos[posts / 2] / 1e6, nanos[posts * 99 / 100] / 1e6, posts / total);
            }
        }
    }

    /**
     * Stretches with and without readers in turn on one server, so that a machine that others use too slows both alike: each stretch with
     * readers is compared with the one before it and the one after.
     */
    private void readers() throws Exception {
        say("| readers | learned, samples/s | of the rate without, median and range | answers/s |");
        say("|---|---|---|---|");
        try (Subject subject = new Subject(Durability.OS)) {
            List<byte[]> requests = requests(subject, Form.PACKED);
            long stretch = Math.max(BATCH, samples / 2);
            // The compiler, which works beside the learner, is to be done with what readers call.
            for (int i = 0; i < WARM_UPS; i++) {
                read(subject, requests, stretch, 0);
            }
            for (int pauseMillis : new int[] {200, 0}) {
                double[] shares = new double[ROUNDS];
                double[] rates = new double[ROUNDS];
                double answers = 0;
                double before = read(subject, requests, stretch, -1)[0];
                for (int round = 0; round < ROUNDS; round++) {
                    double[] reading = read(subject, requests, stretch, pauseMillis);
                    double after = read(subject, requests, stretch, -1)[0];
                    rates[round] = reading[0];
                    shares[round] = reading[0] / ((before + after) / 2);
                    answers += reading[1] / ROUNDS;
                    before = after;
                }
                Arrays.sort(shares);
                Arrays.sort(rates);
                say(
                        "| %s | %,.0f | %.0f %% (%.0f to %.0f) | %,.0f |",
                        READERS + (pauseMillis == 0 ? ", without pause" : ", five times a second each"),
                        rates[ROUNDS / 2],
                        100 * shares[ROUNDS / 2],
                        100 * shares[0],
                        100 * shares[ROUNDS - 1],
                        answers);
            }
        }
    }

    /** Samples learned a second, and answers per second, with the readers that are wanted; a negative pause means none. */
    private static double[] read(Subject subject, List<byte[]> requests, long count, int pauseMillis) throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        AtomicLong answers = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int r = 0; r < (pauseMillis < 0 ? 0 : READERS); r++) {
            Thread thread = new Thread(() -> read(subject, pauseMillis, end, answers));
            thread.start();
            threads.add(thread);
        }
        long start = System.nanoTime();
        double rate = send(subject, requests, count);
        double seconds = (System.nanoTime() - start) / 1e9;
        end.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        return new double[] {rate, answers.get() / seconds};
    }

    private static void read(Subject subject, int pauseMillis, AtomicBoolean end, AtomicLong answers) {
        byte[][] both = {
            subject.request("GET", "/models/wells/spectrum?k=6", "", new byte[0]),
            subject.request(
                    "POST",
                    "/models/wells/forecast",
                    "application/json",
                    "{\"from\":[0.5,0.5],\"steps\":20}".getBytes(StandardCharsets.UTF_8))
        };
        read(subject, both, pauseMillis, end, answers);
    }

    static void read(Subject subject, byte[][] questions, int pauseMillis, AtomicBoolean end, AtomicLong answers) {
        try (Connection connection = subject.connect()) {
            for (int i = 0; !end.get(); i++) {
                connection.exchange(questions[i % questions.length]);
                answers.incrementAndGet();
                if (pauseMillis > 0) {
                    TimeUnit.MILLISECONDS.sleep(pauseMillis);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void soak() throws Exception {
        say("| samples | samples/s | heap after a collection, MB |");
        say("|---|---|---|");
        try (Subject subject = new Subject(Durability.OS)) {
            List<byte[]> requests = requests(subject, Form.PACKED);
            for (int part = 1; part <= 10; part++) {
                double rate = send(subject, requests, 1_000_000);
                Runtime runtime = Runtime.getRuntime();
                System.gc();
                long used = runtime.totalMemory() - runtime.freeMemory();
                say("| %,d | %,.0f | %.1f |", part * 1_000_000L, rate, used / 1e6);
            }
        }
    }

    static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
