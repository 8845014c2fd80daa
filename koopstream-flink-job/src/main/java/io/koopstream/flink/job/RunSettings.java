package io.koopstream.flink.job;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How the job runs.
 *
 * @param parallelism subtasks of each operator; empty: what the cluster or the command line says
 * @param maxParallelism the most it can ever be rescaled to; fixed for the life of a job's state
 * @param checkpoint time from one checkpoint to the next; results become visible to others then
 * @param checkpointTimeout after which a checkpoint is given up; empty: what the cluster says
 * @param checkpointPause time without a checkpoint after each; empty: what the cluster says
 * @param checkpointFailures checkpoints in a row that may fail before the job does; empty: what the cluster says
 * @param checkpointFolder where checkpoints go; empty: where the cluster's settings say
 * @param retainCheckpoints whether the last checkpoint stays when the job is cancelled
 * @param delivery of results
 * @param transactionTimeout after which the broker gives up a transaction; longer than the longest outage that may lose nothing
 * @param properties of Kafka producers, passed on as they are
 */
record RunSettings(
        Optional<Integer> parallelism,
        int maxParallelism,
        Duration checkpoint,
        Optional<Duration> checkpointTimeout,
        Optional<Duration> checkpointPause,
        Optional<Integer> checkpointFailures,
        Optional<String> checkpointFolder,
        boolean retainCheckpoints,
        Delivery delivery,
        Duration transactionTimeout,
        Map<String, String> properties) {

    /** What results promise after a failure. */
    enum Delivery {
        EXACTLY_ONCE,
        AT_LEAST_ONCE
    }

    private static final int MAX_PARALLELISM = 32768;

    static RunSettings of(Section section) {
        try (section) {
            RunSettings settings = new RunSettings(
                    section.has("parallelism") ? Optional.of(section.integer("parallelism", 1, 1)) : Optional.empty(),
                    (int) section.whole("maxParallelism", 128, 1, MAX_PARALLELISM),
                    section.duration("checkpoint", Duration.ofSeconds(10)),
                    Optional.ofNullable(section.duration("checkpointTimeout", null)),
                    Optional.ofNullable(section.duration("checkpointPause", null)),
                    section.has("checkpointFailures")
                            ? Optional.of(section.integer("checkpointFailures", 0, 0))
                            : Optional.empty(),
                    section.optionalText("checkpointFolder"),
                    section.flag("retainCheckpoints", true),
                    section.choice("delivery", Delivery.class, Delivery.EXACTLY_ONCE),
                    section.duration("transactionTimeout", Duration.ofMinutes(10)),
                    section.passedOn("properties"));
            if (settings.parallelism().isPresent() && settings.parallelism().get() > settings.maxParallelism()) {
                throw section.wrong(
                        "parallelism",
                        settings.parallelism().get(),
                        "is more than maxParallelism, " + settings.maxParallelism());
            }
            if (settings.transactionTimeout().compareTo(settings.checkpoint().multipliedBy(2)) < 0) {
                throw section.wrong(
                        "transactionTimeout",
                        settings.transactionTimeout(),
                        "must be at least twice the checkpoint interval, or transactions end before their checkpoint does");
            }
            return settings;
        }
    }
}
