package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Event time from a field through a running job: a record far behind the newest of its partition is put aside as late, no other is. */
class LateRecordsTest {

    @TempDir
    private Path folder;

    /** Two streams of one partition: the times of one are the newest, those of the other an hour behind. */
    private static RawRecord record(long n) {
        String text = n % 2 == 0 ? "timely," + n : "tardy," + (n - 3600);
        byte[] bytes = (text + "," + Math.sin((double) n)).getBytes(StandardCharsets.UTF_8);
        return new RawRecord("samples", 0, n, null, bytes);
    }

    private List<String> rejected() throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.exists(folder.resolve("rejected"))) {
            try (var files = Files.walk(folder.resolve("rejected"))) {
                // What begins with a dot is not finished yet.
                for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-"))
                        .toList()) {
                    lines.addAll(Files.readAllLines(file));
                }
            }
        }
        return lines;
    }

    @Test
    void onlyWhatIsFarBehindIsLate() throws Exception {
        JobSettings job = JobSettings.parse("""
                name: late
                source:
                  brokers: "127.0.0.1:9"
                  topic: samples
                  format: csv
                  columns: [well, t, x]
                  key: well
                  time: t
                  timeUnit: 1 s
                  lateAfter: 10 min
                  state: [x]
                learn: {kernel: gaussian(0.5), dt: 2}
                publish:
                  predictions: {folder: "%s"}
                  rejected: {folder: "%s"}
                run: {parallelism: 1, checkpoint: 200 ms, checkpointFolder: "%s"}
                """.formatted(
                        folder.resolve("predictions").toUri(),
                        folder.resolve("rejected").toUri(),
                        folder.resolve("checkpoints").toUri()));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, KoopJob.configuration(job));
        KoopJob.configure(environment, job);
        new Pipeline(job)
                .build(environment.fromSource(
                        new DataGeneratorSource<>(
                                LateRecordsTest::record,
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(200),
                                TypeInformation.of(RawRecord.class)),
                        WatermarkStrategy.noWatermarks(),
                        "samples"));
        JobClient client = environment.executeAsync();
        try {
            // A watermark comes when Flink finds the time for it, however long that takes.
            Await.until("a late record", () -> rejected().stream().anyMatch(line -> line.contains("LATE")));
        } finally {
            client.cancel().get();
        }
        assertThat(rejected())
                .allMatch(line -> line.contains("\"reason\":\"LATE\"") && line.contains("\"key\":\"tardy\""))
                .allMatch(line -> line.contains("samples-0@"));
    }
}
