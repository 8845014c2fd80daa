package io.koopstream.flink.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A whole job in this JVM, from records to files. */
final class LocalRun {

    private LocalRun() {}

    /** Runs a job over these records, to its end. */
    static void of(JobSettings job, List<RawRecord> records) throws Exception {
        of(job, records, Map.of());
    }

    /** Runs a job on a cluster with these settings, before which those of the job file go. */
    static void of(JobSettings job, List<RawRecord> records, Map<String, String> cluster) throws Exception {
        Configuration configuration = Configuration.fromMap(cluster);
        configuration.addAll(KoopJob.configuration(job));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        KoopJob.configure(environment, job);
        // As with Kafka: what is in one partition stays in order.
        new Pipeline(job)
                .build(environment
                        .fromData(records, TypeInformation.of(RawRecord.class))
                        .keyBy(record -> record.partition));
        environment.execute();
    }

    /** All lines that a job has written into a folder; none when there is none. */
    static List<String> lines(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.notExists(folder)) {
            return lines;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.getFileName().toString().startsWith("part-")) {
                    throw new AssertionError(file + " is no file of results that is finished");
                }
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
