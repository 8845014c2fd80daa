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
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The job whose savepoints are among the resources, and the program that writes one, on Flink 1.20: see CONTRIBUTING.md. */
final class GoldenSavepoint {

    static final int KEYS = 3;
    static final long RECORDS = 1500;
    static final long STOPPED_AFTER = 500;

    private GoldenSavepoint() {}

    /** The settings of the savepoint of the present format. */
    static LearnSettings settings() {
        return LearnSettings.of(Streams.words("method", "sogd", "kernel", "gaussian(0.5)", "maxDictionary", "20"), 2)
                .names(List.of("x", "y"))
                .build();
    }

    /** Builds the job; what it publishes is remembered under the name of the run. */
    static void build(StreamExecutionEnvironment environment, String run, LearnSettings settings) {
        DataStream<SampleEvent> events = Jobs.events(environment, n -> Streams.event(n, KEYS), RECORDS, 50)
                .map(Faults.of(run, List.of()))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
        SingleOutputStreamOperator<Learned> learned = LearnOperator.of(
                        events.keyBy(SampleEvent.byKey()), new LearnFunction(settings))
                .uid("learn");
        learned.sinkTo(new DiscardingSink<>()).uid("learned");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
    }

    /**
     * Writes the savepoint.
     *
     * @param arguments the folder to write to
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("golden");
        String run = Jobs.newRun();
        // All state in one file.
        StreamExecutionEnvironment environment =
                Jobs.environment(folder, 2, Map.of("state.storage.fs.memory-threshold", "1 mb"));
        build(environment, run, settings());
        JobClient job = environment.executeAsync();
        while (Faults.memory(run).newest() < STOPPED_AFTER) {
            Thread.sleep(2);
        }
        String written = job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        store(Path.of(URI.create(written)), folder, Files.createDirectories(Path.of(arguments[0])));
    }

    /** State within the file is called after the file it would have been: the name means nothing, and no machine's folder belongs there. */
    private static void store(Path savepoint, Path folder, Path target) throws IOException {
        String path = folder.toString();
        String content = new String(Files.readAllBytes(savepoint.resolve("_metadata")), StandardCharsets.ISO_8859_1);
        Files.writeString(
                target.resolve("_metadata"),
                content.replace(path, "/" + "s".repeat(path.length() - 1)),
                StandardCharsets.ISO_8859_1);
    }
}
