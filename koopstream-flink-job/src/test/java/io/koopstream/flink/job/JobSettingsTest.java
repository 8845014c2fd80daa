package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.LearnSettings;
import io.koopstream.io.ModelFile;
import io.koopstream.stream.StreamConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job file may say, what it may not, and what the dry run prints. */
class JobSettingsTest {

    static final String FILE = """
            name: wells
            source:
              brokers: 127.0.0.1:9092
              topic: samples
              columns: [well, step, x1, x2]
              key: well
              step: step
              state: [x1, x2]
            learn:
              kernel: gaussian(0.5)
            publish:
              predictions: {topic: predictions}
              models: {topic: models, folder: "file:///models", every: 100}
              drift: {folder: "file:///drift"}
              rejected: {topic: rejected}
            run:
              parallelism: 2
              checkpoint: 500 ms
            """;

    @TempDir
    Path folder;

    @Test
    void aWholeFileIsRead() {
        JobSettings job = JobSettings.parse(FILE);
        assertThat(job.source().layout().state()).containsExactly("x1", "x2");
        assertThat(job.source().group()).isEqualTo("koop-wells");
        assertThat(job.models().orElseThrow().every()).isEqualTo(100);
        assertThat(job.drift().orElseThrow().folder()).contains("file:///drift");
        assertThat(job.run().checkpoint()).isEqualTo(Duration.ofMillis(500));
        assertThat(job.run().maxParallelism()).isEqualTo(128);
        assertThat(job.run().delivery()).isEqualTo(RunSettings.Delivery.EXACTLY_ONCE);
        assertThat(job.learn().settings().build().observationDimension()).isEqualTo(2);
    }

    @Test
    void checkpointsAreAsTheFileSaysAndOtherwiseAsTheClusterSays() {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        KoopJob.configure(environment, JobSettings.parse(FILE));
        CheckpointConfig checkpoints = environment.getCheckpointConfig();
        long usual = checkpoints.getCheckpointTimeout();
        KoopJob.configure(
                environment,
                JobSettings.parse(
                        FILE + "  checkpointTimeout: 20 min\n  checkpointPause: 5 s\n  checkpointFailures: 3\n"));
        assertThat(usual)
                .isEqualTo(CheckpointingOptions.CHECKPOINTING_TIMEOUT
                        .defaultValue()
                        .toMillis());
        assertThat(checkpoints.getCheckpointTimeout()).isEqualTo(1_200_000);
        assertThat(checkpoints.getMinPauseBetweenCheckpoints()).isEqualTo(5000);
        assertThat(checkpoints.getTolerableCheckpointFailureNumber()).isEqualTo(3);
    }

    /** Each row replaces a line of the good file and must be refused by the name of the field. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "  topic: samples|  topik: samples|source.topic|is missing",
                "  key: well|  keyy: well|source.keyy|no such field",
                "  key: well|  key: nowhere|source.columns|no column 'nowhere'",
                "  brokers: 127.0.0.1:9092|  broker: a|source.brokers|is missing",
                "  state: [x1, x2]|  state: [x1, x1]|source.state|names something twice",
                "  kernel: gaussian(0.5)|  kernel: gaussian(-1)|learn.sigma|-1",
                "  kernel: gaussian(0.5)|  {mode: merged, merge: operators}|learn.kernel|koop learn",
                "  kernel: gaussian(0.5)|  interval: 0.1|learn.interval|is now called dt",
                "  kernel: gaussian(0.5)|  discount: 0.5|learn.discount|is now called driftDiscount",
                "  kernel: gaussian(0.5)|  refresh: 50|learn.refresh|leave it out",
                "  kernel: gaussian(0.5)|  dt: soon|learn.dt|must be a time",
                "  kernel: gaussian(0.5)|  warmUp: 1|learn.warmUp|from 3 to",
                "  kernel: gaussian(0.5)|  openTrajectories: 0|learn.openTrajectories|>= 1",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), delays: -1}|learn.delays|from 0 to",
                "  kernel: gaussian(0.5)|  drift: false|learn.drift|publish.drift",
                "  drift: {folder: \"file:///drift\"}|  scores: {topic: scores}|learn.scores|say scores: true",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), eta: 0.1}|learn.eta|needs method = sogd",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), holdout: 0.9}|learn.holdout|from 0 to 0.5",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), method: sogd, holdout: 0.1}|learn.holdout|needs method = least-squares",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), partitions: 3}|learn.partitions|belongs to mode merged",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), mode: merged}|learn.dictionary|is missing",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), exchange: \"file:///x\"}|learn.exchange|belongs to mode merged",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), mode: merged, merge: operators, exchange: \"file:///x\"}|learn.exchange|merge: statistics",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), method: sogd, mode: merged, exchange: \"file:///x\"}|learn.exchange|least-squares",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), changedSettings: ignore}|learn.changedSettings|refuse, new-keys",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), mode: merged, merge: operators, changedSettings: new-keys}|learn.changedSettings|mode keyed",
                "  kernel: gaussian(0.5)|  {kernel: gaussian(1), mode: both}|learn.mode|keyed, merged",
                "  rejected: {topic: rejected}|  nothing: 1|publish.rejected|is missing",
                "  rejected: {topic: rejected}|  rejected: {topic: a, folder: b}|publish.rejected.topic|either a topic or a folder",
                "  checkpoint: 500 ms|  checkpoint: soon|run.checkpoint|10 s",
                "  checkpoint: 500 ms|  checkpoint: 6 min|run.transactionTimeout|twice the checkpoint interval",
                "  parallelism: 2|  parallelism: 200|run.parallelism|more than maxParallelism",
                "  parallelism: 2|  parallelism: two|run.parallelism|whole number",
                "name: wells|name: two words|name|letters, digits",
            })
    void whatIsWrongIsNamed(String line, String replacement, String field, String words) {
        String wrong = FILE.replace(line, replacement);
        assertThat(wrong).isNotEqualTo(FILE);
        assertThatThrownBy(() -> JobSettings.parse(wrong))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class, e -> assertThat(e.field()).isEqualTo(field))
                .hasMessageContaining(words);
    }

    @Test
    void filesThatAreNoMappingAreRefused() {
        assertThatThrownBy(() -> JobSettings.parse("")).hasMessageContaining("is empty");
        assertThatThrownBy(() -> JobSettings.parse("[1, 2]")).hasMessageContaining("must be a mapping");
        assertThatThrownBy(() -> JobSettings.parse("name: a\nname: b")).hasMessageContaining("duplicate key");
        assertThatThrownBy(() -> JobSettings.parse("a: [")).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> JobSettings.parse("name: !!java.net.URL [http://localhost]"))
                .isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void aWarmStartBringsItsSettingsAndMustFit() {
        Path file = folder.resolve("start.safetensors");
        ModelFile.write(
                file,
                StreamConfig.parse(Map.of("kernel", "laplacian(2)"))
                        .choose(2, 2, null)
                        .newLearner()
                        .state());
        String warm = FILE.replace("  kernel: gaussian(0.5)", "  warmStart: " + file);
        assertThat(JobSettings.parse(warm).learn().words()).anyMatch(line -> line.contains("laplacian"));
        assertThatThrownBy(() -> JobSettings.parse(warm.replace("state: [x1, x2]", "state: [x1]")))
                .hasMessageContaining("learn.warmStart")
                .hasMessageContaining("2 coordinates");
        for (String own : List.of("lambda: 0.1", "delays: 2", "stride: 2", "warmUp: 100")) {
            assertThatThrownBy(() -> JobSettings.parse(warm.replace("publish:", "  " + own + "\npublish:")))
                    .hasMessageContaining("learn." + own.substring(0, own.indexOf(':')))
                    .hasMessageContaining("the model has its own settings");
        }
        LearnSettings settings = JobSettings.parse(
                        warm.replace("publish:", "  {dt: 0.1, openTrajectories: 5}\npublish:")
                                .replace("  warmStart: " + file + "\n  {", "  {warmStart: \"" + file + "\", "))
                .learn()
                .settings()
                .build();
        assertThat(settings.stream().interval()).isEqualTo(0.1);
        assertThat(settings.stream().openTrajectories()).isEqualTo(5);
        assertThatThrownBy(() -> JobSettings.parse(FILE.replace("  kernel: gaussian(0.5)", "  warmStart: nowhere")))
                .hasMessageContaining("nowhere");
    }

    @Test
    void withoutAKernelEveryStreamChoosesItsOwn() {
        MethodChoice learn = JobSettings.parse(FILE.replace("learn:\n  kernel: gaussian(0.5)\n", ""))
                .learn();

        assertThat(learn.settings().build().stream()).isEqualTo(StreamConfig.defaults());
        assertThat(learn.words()).anyMatch(line -> line.contains("from its first 2000 records"));
    }

    @Test
    void theDryRunBuildsTheGraphAndSaysWhatItWouldDo() {
        JobSettings job = JobSettings.parse(FILE);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, KoopJob.configuration(job));
        KoopJob.prepare(environment, job);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        KoopJob.check(environment, new PrintStream(text, true, StandardCharsets.UTF_8), job);
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains(
                        "topic samples at 127.0.0.1:9092",
                        "key: field well",
                        "one model per key",
                        "kernel = gaussian(sigma=0.5)")
                .contains(
                        "topic models up to 1000000 bytes",
                        "files in file:///drift",
                        "delivery exactly-once",
                        "The job file is valid");
    }
}
