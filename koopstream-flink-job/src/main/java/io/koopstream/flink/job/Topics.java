package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/** The topics of a job, which must exist before it starts: a task that writes to a missing one waits for a minute and restarts, over and over. */
final class Topics {

    /** A broker that answers does so in far less; the job does not need the submitting machine to reach one. */
    private static final int PATIENCE_MILLIS = 5000;

    private Topics() {}

    /** The topics that results go to, by field of the job file. */
    static Map<String, String> written(JobSettings job) {
        Map<String, String> topics = new LinkedHashMap<>();
        Map<String, Optional<TargetSettings>> targets = new LinkedHashMap<>();
        targets.put("predictions", job.predictions());
        targets.put("drift", job.drift());
        targets.put("scores", job.scores());
        targets.put("gaps", job.gaps());
        targets.put("rejected", Optional.of(job.rejected()));
        targets.forEach((name, target) -> target.flatMap(TargetSettings::topic)
                .ifPresent(topic -> topics.put("publish." + name + ".topic", topic)));
        job.models().flatMap(ModelTargetSettings::topic).ifPresent(topic -> topics.put("publish.models.topic", topic));
        return topics;
    }

    /**
     * Checks that all topics exist.
     *
     * @return why that is unknown; empty if all exist
     * @throws InvalidConfigException naming one that does not
     */
    static Optional<String> check(JobSettings job) {
        Map<String, String> read = new LinkedHashMap<>();
        job.source().topics().forEach(topic -> read.put("source.topic " + topic, topic));
        try {
            // Whoever may read the one need not see the others.
            require(read, existing(job, job.source().properties()), job);
            require(written(job), existing(job, job.run().properties()), job);
            return Optional.empty();
        } catch (KafkaException | ExecutionException e) {
            return Optional.of("whether topics exist (" + job.source().brokers() + ": " + e.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("whether topics exist (interrupted)");
        }
    }

    private static Set<String> existing(JobSettings job, Map<String, String> properties)
            throws ExecutionException, InterruptedException {
        Properties settings = new Properties();
        settings.putAll(properties);
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, job.source().brokers());
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        try (Admin admin = Admin.create(settings)) {
            return admin.listTopics().names().get();
        }
    }

    /** Refuses a topic that is not among the existing ones. */
    static void require(Map<String, String> topics, Set<String> existing, JobSettings job) {
        topics.forEach((field, topic) -> {
            if (!existing.contains(topic)) {
                throw new InvalidConfigException(
                        field.split(" ", 2)[0],
                        topic,
                        "no such topic at " + job.source().brokers()
                                + ", or none that these properties may see; create it first");
            }
        });
    }
}
