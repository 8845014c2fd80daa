package io.koopstream.flink.job;

import static io.koopstream.flink.job.ClusterProofs.OUT;
import static io.koopstream.flink.job.ClusterProofs.require;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * The runbook of docs/flink-job.md, one step after the other on one job: cancelled and resumed from its retained checkpoint, stopped with a savepoint and
 * resumed with other numbers of tasks, changed settings refused and then allowed for new keys only, and the JobManager lost without high availability.
 * At the end every model is that of a plain loop.
 */
final class RunbookProof {

    private static final int STREAMS = 8;
    private static final int STEPS = 2000;
    private static final Pattern SAVEPOINT = Pattern.compile("Path: (\\S+)");

    private final LocalCluster cluster;
    private final WellStreams wells = new WellStreams(STREAMS, STEPS, 3);
    private final KafkaProducer<byte[], byte[]> producer;
    private int sent;

    private RunbookProof(LocalCluster cluster, KafkaProducer<byte[], byte[]> producer) {
        this.cluster = cluster;
        this.producer = producer;
    }

    static void run(Path root, Path work) throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, work, 2, 2, Map.of())) {
            for (String topic : new String[] {"samples", "models", "rejected"}) {
                cluster.topic(topic, 2);
            }
            try (KafkaProducer<byte[], byte[]> producer =
                    new WellStreams(1, 1, 1).producer(cluster.brokers(), cluster.client())) {
                new RunbookProof(cluster, producer).run();
            }
        }
    }

    private void run() throws Exception {
        refusedForATopicThatIsMissing();
        String job = start(2, WellStreams.KERNEL, "refuse");
        progress(job);
        cluster.cancel(job);
        told("cancelled with 2 tasks");

        job = start(1, WellStreams.KERNEL, "refuse", "-s", newestCheckpoint(job));
        progress(job);
        String savepoint = stopped(job);
        told("resumed from the retained checkpoint with 1 task, stopped with a savepoint");

        job = start(4, WellStreams.KERNEL, "refuse", "-s", savepoint);
        progress(job);
        String address = cluster.brokers();
        cluster.kill("broker");
        cluster.script("broker", cluster.work().toString());
        require(cluster.brokers().equals(address), "the broker came back at " + cluster.brokers());
        progress(job);
        savepoint = stopped(job);
        told("resumed with 4 tasks, broker killed and started again at its address, stopped again");

        String refused = start(2, "gaussian(0.9)", "refuse", "-s", savepoint);
        LocalCluster.await(
                "an end", Duration.ofMinutes(3), () -> cluster.state(refused).equals("FAILED"));
        String why = String.valueOf(cluster.rest("/jobs/" + refused + "/exceptions"));
        require(why.contains("kernel=gaussian(0.9)") && why.contains("IncompatibleStateException"), why);
        told("other settings refused at the start, for good");

        job = start(2, "gaussian(0.9)", "new-keys", "-s", savepoint);
        progress(job);
        cluster.kill("jobmanager");
        cluster.script("jobmanager", cluster.work().toString(), "jobmanager-again");
        told("resumed with other settings for new keys, JobManager killed and another one started");

        String last = start(2, "gaussian(0.9)", "new-keys", "-s", newestCheckpoint(job));
        wells.send(producer, "samples", sent, STEPS + 1);
        LocalCluster.await(
                "all models",
                Duration.ofMinutes(5),
                () -> cluster.models("models").size() == STREAMS);
        require(KillProof.restoredFrom(cluster, last) != null, "the job started from nothing");
        require(cluster.learnMetric(last, "learned") < (double) STREAMS * STEPS, "the job learned everything again");
        require(cluster.records("rejected", "read_committed").isEmpty(), "records rejected");
        KillProof.compareModels(cluster, wells);
    }

    private void refusedForATopicThatIsMissing() throws Exception {
        try {
            submit(2, "nowhere", WellStreams.KERNEL, "refuse");
        } catch (IllegalStateException e) {
            String why = Files.readString(cluster.work().resolve("log").resolve("submit.out"));
            require(why.contains("publish.rejected.topic = nowhere: no such topic"), why);
            told("a job without one of its topics refused before it starts");
            return;
        }
        throw new IllegalStateException("a job without one of its topics was started");
    }

    private static void told(String step) {
        OUT.println("runbook: " + step);
    }

    private String start(int tasks, String kernel, String changed, String... from) throws Exception {
        return submit(tasks, "rejected", kernel, changed, from);
    }

    private String submit(int tasks, String rejected, String kernel, String changed, String... from) throws Exception {
        return cluster.submit(
                "runbook",
                "name: runbook\n" + ClusterProofs.source(cluster, "", "forever")
                        + """
                        learn: {kernel: "%s", changedSettings: %s}
                        publish:
                          models: {topic: models, folder: "file://%s/models", every: %d}
                          rejected: {topic: %s}
                        run: {parallelism: %d, checkpoint: 1 s}
                        """.formatted(kernel, changed, cluster.work(), STEPS, rejected, tasks),
                from);
    }

    /** Sends some more records, and waits until the job has learned some of them and kept them in a checkpoint. */
    private void progress(String job) throws Exception {
        int to = sent + STEPS / 5;
        wells.send(producer, "samples", sent, to);
        sent = to;
        LocalCluster.await("records learned", Duration.ofMinutes(5), () -> cluster.learnMetric(job, "learned") > 0);
        long before = KillProof.completed(cluster, job);
        LocalCluster.await(
                "two more checkpoints", Duration.ofMinutes(3), () -> KillProof.completed(cluster, job) >= before + 2);
    }

    private String stopped(String job) throws Exception {
        String said = cluster.script(
                "flink",
                cluster.work().toString(),
                "stop",
                "-p",
                cluster.work().resolve("savepoints").toUri().toString(),
                job);
        Matcher path = SAVEPOINT.matcher(said);
        require(path.find(), "no savepoint: " + said);
        return path.group(1);
    }

    /** The newest checkpoint that a job has left behind, a file that is complete. */
    private String newestCheckpoint(String job) throws Exception {
        try (var all = Files.list(cluster.work().resolve("checkpoints").resolve(job))) {
            return all.filter(folder -> Files.exists(folder.resolve("_metadata")))
                    .max(Comparator.comparingInt(folder ->
                            Integer.parseInt(folder.getFileName().toString().substring("chk-".length()))))
                    .orElseThrow()
                    .toUri()
                    .toString();
        }
    }
}
