package io.koopstream.flink;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * How the recorded savepoint of format 1 was made, on Flink 1.20. The one of least squares was made so too, with the settings
 * {@code Streams.leastSquaresSettings()}, in the last release whose model files were of version 1.
 */
final class OlderSavepoint {

    static final int KEYS = 3;
    static final long RECORDS = 1500;
    static final long STOPPED_AFTER = 500;

    private OlderSavepoint() {}

    static LearnSettings settings() {
        return Streams.sogdSettings().build();
    }

    /** The job whose state it holds. */
    static void build(
            StreamExecutionEnvironment environment,
            String run,
            KeyedProcessFunction<String, SampleEvent, Learned> function) {
        DataStream<SampleEvent> events = Jobs.events(environment, n -> Streams.event(n, KEYS), RECORDS, 50)
                .map(Faults.of(run, List.of()))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
        SingleOutputStreamOperator<Learned> learned = events.keyBy(SampleEvent.byKey())
                .process(function)
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.sinkTo(new DiscardingSink<>()).uid("learned");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
    }

    /** Writes the savepoint into a folder. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("koopstream-savepoint");
        String run = Jobs.newRun();
        // All state in one file.
        StreamExecutionEnvironment environment =
                Jobs.environment(folder, 2, Map.of("state.storage.fs.memory-threshold", "1 mb"));
        build(environment, run, new FirstFormat.Learn(settings()));
        JobClient job = environment.executeAsync();
        while (Faults.memory(run).newest() < STOPPED_AFTER) {
            Thread.sleep(2);
        }
        String written = job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        store(folder, Path.of(URI.create(written)).resolve("_metadata"), Path.of(arguments[0]));
    }

    /** State within the file is called after the file it would have been: the name means nothing, and no machine's folder belongs there. */
    private static void store(Path folder, Path metadata, Path target) throws IOException {
        String path = folder.toString();
        String content = Files.readString(metadata, StandardCharsets.ISO_8859_1);
        Files.createDirectories(target);
        Files.writeString(
                target.resolve("_metadata"),
                content.replace(path, "/" + "s".repeat(path.length() - 1)),
                StandardCharsets.ISO_8859_1);
    }
}
