package io.koopstream.flink.job;

import java.util.ArrayList;
import java.util.List;

/** What a job would do, in words: what {@code --dry-run} prints. */
final class Plan {

    private Plan() {}

    static List<String> of(JobSettings job) {
        List<String> lines = new ArrayList<>();
        SourceSettings source = job.source();
        RecordLayout layout = source.layout();
        lines.add("job " + job.name());
        lines.add("source");
        lines.add("  topic " + String.join(", ", source.topics()) + " at " + source.brokers() + ", group "
                + source.group() + ", from " + Section.word(source.from()) + ", until "
                + Section.word(source.until()));
        lines.add("  format " + Section.word(source.format())
                + (source.columns().isEmpty() ? "" : ", columns " + String.join(", ", source.columns())));
        job.registry().ifPresent(registry -> lines.add("  schemas: " + registry));
        lines.add("  key: " + (layout.key().isEmpty() ? "the record's key" : "field " + layout.key())
                + source.defaultKey()
                        .map(key -> "; records without one belong to " + key)
                        .orElse(
                                job.learn().mode() == MethodChoice.Mode.KEYED
                                        ? "; records without one are refused"
                                        : ""));
        lines.add("  trajectory: " + (layout.trajectory().isEmpty() ? "one per key" : "field " + layout.trajectory()));
        lines.add("  order: "
                + (!layout.step().isEmpty()
                        ? "field " + layout.step() + " counts steps"
                        : !layout.time().isEmpty()
                                ? "field " + layout.time() + " is the time"
                                : "in order of arrival"));
        lines.add("  state: " + String.join(", ", layout.state())
                + (layout.arrays() ? " (an array of " + layout.dimension() + ")" : "")
                + (layout.pairs() ? ", next state: " + String.join(", ", layout.next()) : ""));
        source.lateAfter()
                .ifPresent(span -> lines.add("  late: more than " + span.toMillis()
                        + " ms behind the newest "
                        + (source.timeUnit().isPresent() ? "field " + layout.time() : "record")
                        + " of every partition that had one within "
                        + source.idleAfter().toMillis() + " ms"));
        source.orderWait()
                .ifPresent(span -> lines.add("  order: by event time; a record waits up to " + span.toMillis()
                        + " ms of event time for earlier ones"));
        lines.add("learn");
        lines.add(
                job.learn().mode() == MethodChoice.Mode.KEYED
                        ? "  one model per key"
                        : "  one model for all, learned by " + job.learn().partitions()
                                + " parts, partition by partition; their models merge whenever each has learned models.every samples");
        job.learn().words().forEach(line -> lines.add("  " + line));
        lines.add("publish");
        job.predictions().ifPresent(target -> lines.add("  predictions: " + target.words()));
        job.models().ifPresent(target -> lines.add("  models: " + target.words()));
        job.drift().ifPresent(target -> lines.add("  drift: " + target.words()));
        job.scores().ifPresent(target -> lines.add("  scores: " + target.words()));
        job.gaps().ifPresent(target -> lines.add("  gaps: " + target.words()));
        lines.add("  rejected records: " + job.rejected().words());
        RunSettings run = job.run();
        lines.add("run");
        lines.add("  parallelism " + run.parallelism().map(String::valueOf).orElse("of the cluster") + ", at most "
                + run.maxParallelism() + " ever");
        lines.add("  checkpoint every " + run.checkpoint().toMillis() + " ms"
                + run.checkpointFolder().map(folder -> " to " + folder).orElse(" to the cluster's folder")
                + (run.retainCheckpoints() ? ", kept when the job is cancelled" : ""));
        lines.add("  delivery " + Section.word(run.delivery()) + ", transactions up to "
                + run.transactionTimeout().toMillis() + " ms");
        return lines;
    }
}
