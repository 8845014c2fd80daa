package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.StoredModel;
import io.koopstream.kernel.Kernels;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job of docs/flink.md is this one, word for word, and it runs. */
class GuideTest {

    @TempDir
    private Path folder;

    @Test
    void theGuidesJobRuns() throws Exception {
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        DataStream<SampleEvent> events = Jobs.events(environment, n -> Streams.event(n, 3), 1800, 600);
        LearnSettings settings = LearnSettings.of(
                        StreamConfig.builder()
                                .set(StreamOption.KERNEL, Kernels.gaussian(0.5))
                                .build(),
                        2)
                .names(List.of("x", "y"))
                .publishEvery(500)
                .build();

        SingleOutputStreamOperator<Learned> learned = LearnOperator.of(
                        events.keyBy(SampleEvent.byKey()), new LearnFunction(settings))
                .uid("learn");

        DataStream<ModelRecord> models = learned.getSideOutput(LearnFunction.MODELS);
        DataStream<DriftNotice> drift = learned.getSideOutput(LearnFunction.DRIFT);
        DataStream<RejectedSample> rejected = learned.getSideOutput(LearnFunction.REJECTED);
        List<ModelRecord> published = new ArrayList<>();
        Jobs.collect(models, published::add);

        assertThat(List.of(drift, rejected)).hasSize(2);
        assertThat(published).extracting(model -> model.version).containsOnly(500L, 576L);
        ModelParts parts = new ModelParts();
        parts.add(published.get(0));
        StoredModel model = parts.model();
        assertThat(model.labels().names()).containsExactly("x", "y");
        assertThat(model.state().pairs()).isEqualTo(published.get(0).version);
        assertThat(model.state().samples()).as("a tenth is held out").isLessThan(published.get(0).version);
    }

    @Test
    void theGuideShowsThisJob() throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "flink.md"));
        String source = Files.readString(
                Path.of("src", "test", "java", "io", "koopstream", "flink", GuideTest.class.getSimpleName() + ".java"));
        String start = "```java\n";
        String shown = guide.substring(
                guide.indexOf(start) + start.length(), guide.indexOf("```\n", guide.indexOf(start) + 8));

        assertThat(source.replace("\n        ", "\n")).contains(shown);
    }
}
