package io.koopstream.flink.job;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The cluster and the broker of {@code deploy/flink/local.sh}, started and ended from Java. */
final class LocalCluster implements AutoCloseable {

    private final Path script;
    private final Path work;
    private final HttpClient http = HttpClient.newHttpClient();

    private final Map<String, String> environment;

    private LocalCluster(Path root, Path work, Map<String, String> environment) {
        this.environment = environment;
        this.script = root.resolve("deploy/flink/local.sh");
        this.work = work;
    }

    /**
     * Starts a broker, and a cluster of TaskManagers with slots.
     *
     * @param environment of the script, which says more about them
     */
    static LocalCluster start(Path root, Path work, int taskManagers, int slots, Map<String, String> environment)
            throws Exception {
        LocalCluster cluster = new LocalCluster(root, work, environment);
        try {
            cluster.script("cluster", work.toString(), Integer.toString(taskManagers), Integer.toString(slots));
            cluster.script("broker", work.toString());
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    Path work() {
        return work;
    }

    /** Runs a command of the script and returns what it printed. */
    String script(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(List.of(words));
        Files.createDirectories(work);
        Path output = work.resolve("script.out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(
                    String.join(" ", words) + " ended with " + code + ": " + Files.readString(output));
        }
        return Files.readString(output).strip();
    }

    /** Runs a command that must succeed, for all to see. */
    static void command(List<String> words) throws IOException, InterruptedException {
        int code = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(String.join(" ", words) + " ended with " + code);
        }
    }

    /** What a client needs to speak with the broker. */
    Map<String, String> client() throws IOException {
        Properties file = new Properties();
        try (Reader reader = Files.newBufferedReader(work.resolve("client.properties"))) {
            file.load(reader);
        }
        Map<String, String> properties = new TreeMap<>();
        file.stringPropertyNames().forEach(name -> properties.put(name, file.getProperty(name)));
        return properties;
    }

    /** The same for a part of a job file, with the password left where it is; empty when nothing is needed. */
    String jobProperties() throws IOException {
        Map<String, String> client = client();
        if (client.isEmpty()) {
            return "";
        }
        String secret = Files.readString(work.resolve("client.secret"));
        StringBuilder lines = new StringBuilder("  properties:\n");
        client.forEach((name, value) -> lines.append("    ")
                .append(name)
                .append(": '")
                .append(value.replace(secret, "${file:" + work.resolve("client.secret") + "}"))
                .append("'\n"));
        return lines.toString();
    }

    String brokers() throws IOException {
        return Files.readString(work.resolve("broker.address")).strip();
    }

    /** The newest model of every stream in a topic. */
    Map<String, byte[]> models(String topic) throws IOException {
        Map<String, byte[]> models = new HashMap<>();
        FetchModels.newest(brokers(), topic, client(), models::put);
        return models;
    }

    /** All records of a topic, at an isolation level of Kafka. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic, String isolation) throws IOException {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        FetchModels.read(brokers(), topic, isolation, client(), all::add);
        return all;
    }

    void topic(String name, int partitions) throws IOException, InterruptedException {
        script("topic", work.toString(), name, Integer.toString(partitions));
    }

    /** Starts a job and returns its id; with -s and a path it goes on from there. */
    String submit(String name, String yaml, String... from) throws IOException, InterruptedException {
        Path file = work.resolve(name + ".yaml");
        Files.writeString(file, yaml);
        List<String> words = new ArrayList<>(List.of("submit", work.toString(), file.toString()));
        words.addAll(List.of(from));
        return script(words.toArray(String[]::new));
    }

    private ProcessHandle process(String name) throws IOException {
        long id = Long.parseLong(
                Files.readString(work.resolve("pids").resolve(name + ".pid")).strip());
        return ProcessHandle.of(id).orElseThrow(() -> new IllegalStateException(name + " does not run"));
    }

    /** Ends a process as {@code kill -9} does. */
    void kill(String name) throws IOException {
        process(name).destroyForcibly();
    }

    /** What a process has used of the processors, and what of that its compilers have. */
    record Used(double cpuSeconds, double compilerSeconds) {

        Used since(Used before) {
            return new Used(cpuSeconds - before.cpuSeconds, compilerSeconds - before.compilerSeconds);
        }
    }

    /** What a process of the cluster has used. */
    Used used(String name) throws IOException {
        return used(process(name));
    }

    /** What a process has used; Linux tells the times of its threads. */
    static Used used(ProcessHandle process) throws IOException {
        double compilers = 0;
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                compilers += compilerSeconds(thread);
            }
        }
        return new Used(process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() * 1e-9, compilers);
    }

    private static double compilerSeconds(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int end = stat.lastIndexOf(')');
            String name = stat.substring(stat.indexOf('(') + 1, end);
            if (!name.startsWith("C1 Comp") && !name.startsWith("C2 Comp")) {
                return 0;
            }
            // Fields 14 and 15 of proc(5), in hundredths of a second; the name is field 2.
            String[] fields = stat.substring(end + 2).split(" ", -1);
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 1e-2;
        } catch (IOException e) {
            // It has ended meanwhile.
            return 0;
        }
    }

    /** Holds a process of the cluster to some of the processors, e.g. "0" or "0,1". */
    void hold(String name, String processors) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "taskset",
                        "-a",
                        "-p",
                        "-c",
                        processors,
                        Long.toString(process(name).pid()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("taskset could not hold " + name + " to processors " + processors);
        }
    }

    /** An answer of the JobManager that is an object. */
    Map<?, ?> rest(String path) throws IOException, InterruptedException {
        return (Map<?, ?>) answer(path);
    }

    private Object answer(String path) throws IOException, InterruptedException {
        String port = Files.readString(work.resolve("rest.port")).strip();
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        // JSON is YAML.
        return new Load(LoadSettings.builder().build()).loadFromString(answer.body());
    }

    /** The vertex of a job whose name begins so. */
    Map<?, ?> vertex(String job, String beginning) throws IOException, InterruptedException {
        for (Object vertex : (List<?>) rest("/jobs/" + job).get("vertices")) {
            if (String.valueOf(((Map<?, ?>) vertex).get("name")).startsWith(beginning)) {
                return (Map<?, ?>) vertex;
            }
        }
        throw new IllegalStateException("no operator " + beginning + " in job " + job);
    }

    /** A metric of the operator that learns, added over its subtasks; 0 before the JobManager has heard of it. */
    double learnMetric(String job, String name) throws IOException, InterruptedException {
        Object id = vertex(job, "learn").get("id");
        for (Object metric : (List<?>)
                answer("/jobs/" + job + "/vertices/" + id + "/subtasks/metrics?get=learn.koopstream." + name)) {
            return ((Number) ((Map<?, ?>) metric).get("sum")).doubleValue();
        }
        return 0;
    }

    String state(String job) throws IOException, InterruptedException {
        return String.valueOf(rest("/jobs/" + job).get("state"));
    }

    void cancel(String job) throws IOException, InterruptedException {
        script("flink", work.toString(), "cancel", job);
    }

    /** Asks again and again until it is so. */
    static void await(String what, Duration longest, Callable<Boolean> so) throws Exception {
        long end = System.nanoTime() + longest.toNanos();
        while (!so.call()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(what + ": not within " + longest.toSeconds() + " s");
            }
            Thread.sleep(500);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            script("stop", work.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
