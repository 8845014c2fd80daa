package io.koopstream.flink.job;

import io.koopstream.KoopstreamException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job's main class: {@code --config JOB.yaml [--dry-run]}. */
public final class KoopJob {

    private static final int WRONG = 3;
    private static final int IO_ERROR = 4;

    private KoopJob() {}

    /** Starts the job, or with {@code --dry-run} checks the file and prints what the job would do. */
    public static void main(String[] arguments) throws Exception {
        boolean dryRun = List.of(arguments).contains("--dry-run");
        try {
            Arguments given = Arguments.of(arguments, List.of("--config"), List.of("--dry-run"));
            JobSettings job = JobSettings.read(Path.of(given.text("--config")));
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.getExecutionEnvironment(configuration(job));
            prepare(environment, job);
            if (dryRun) {
                check(environment, System.out, job);
            } else {
                Topics.check(job).ifPresent(unknown -> System.err.println("koop job: not checked: " + unknown));
                environment.execute("koop " + job.name());
            }
        } catch (KoopstreamException | IOException e) {
            if (!dryRun) {
                // Flink's client shows what a main class throws; it must not be ended from within.
                throw e;
            }
            System.err.println("koop job: "
                    + (e instanceof NoSuchFileException
                            ? e.getMessage() + ": no such file; check the path"
                            : e.getMessage()));
            System.exit(e instanceof IOException ? IO_ERROR : WRONG);
        }
    }

    /** Builds the graph, which is when Flink refuses types it would need a generic serializer for, and prints the plan. */
    static void check(StreamExecutionEnvironment environment, PrintStream words, JobSettings job) {
        environment.getStreamGraph().getJobGraph();
        Plan.of(job).forEach(words::println);
        Optional<String> unknown = Topics.check(job);
        words.println("The job file is valid"
                + unknown.map(reason -> ". Not checked: " + reason + ", and folders.")
                        .orElse(", and all topics exist. Not checked: folders."));
    }

    /** Settings that must not be left to the cluster, because correctness hangs on them. */
    static Configuration configuration(JobSettings job) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        // Whoever cancels a job, or loses its JobManager, can go on from the last checkpoint.
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                job.run().retainCheckpoints()
                        ? ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION
                        : ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION);
        // Functions here neither keep nor change what they are given, so records need not be copied from one to the
        // next.
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        job.run()
                .checkpointFolder()
                .ifPresent(folder -> configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder));
        return configuration;
    }

    /** Sets what the settings say and builds the graph. */
    static void prepare(StreamExecutionEnvironment environment, JobSettings job) {
        configure(environment, job);
        new Pipeline(job).build(environment);
    }

    /** Sets what the settings say. */
    static void configure(StreamExecutionEnvironment environment, JobSettings job) {
        RunSettings run = job.run();
        environment.setMaxParallelism(run.maxParallelism());
        run.parallelism().ifPresent(environment::setParallelism);
        // Whatever the delivery of results: a model that learned a sample twice would be another model.
        environment.enableCheckpointing(run.checkpoint().toMillis(), CheckpointingMode.EXACTLY_ONCE);
        CheckpointConfig checkpoints = environment.getCheckpointConfig();
        run.checkpointTimeout().ifPresent(span -> checkpoints.setCheckpointTimeout(span.toMillis()));
        run.checkpointPause().ifPresent(span -> checkpoints.setMinPauseBetweenCheckpoints(span.toMillis()));
        run.checkpointFailures().ifPresent(checkpoints::setTolerableCheckpointFailureNumber);
    }
}
