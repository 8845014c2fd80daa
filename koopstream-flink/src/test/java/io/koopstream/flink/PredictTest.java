package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.operator.KoopmanOperator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers come from the version they name, or a question is told that there is no model yet; none is lost. */
class PredictTest {

    private static final int KEYS = 2;
    private static final int RECORDS = 600;
    private static final int EVERY = 100;
    private static final int STEPS = 3;

    @TempDir
    private Path folder;

    @Test
    void answersAreThoseOfTheVersionTheyName() throws Exception {
        LearnSettings settings = Streams.leastSquaresSettings()
                .publishEvery(EVERY)
                .blockBytes(4096)
                .build();
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        DataStream<SampleEvent> events = Jobs.events(environment, n -> Streams.event(n, KEYS), RECORDS, 60);
        DataStream<ModelRecord> models = events.keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn")
                .getSideOutput(LearnFunction.MODELS);
        SingleOutputStreamOperator<Prediction> keyed = events.connect(models)
                .keyBy(SampleEvent.byKey(), ModelRecord.byKey())
                .process(new PredictFunction(STEPS))
                .returns(TypeInformation.of(Prediction.class))
                .uid("keyed");
        SingleOutputStreamOperator<Prediction> broadcast =
                BroadcastPredictFunction.byKey(STEPS).connect(events, models).uid("broadcast");
        SingleOutputStreamOperator<Prediction> fromOne = BroadcastPredictFunction.fromOne("k1", STEPS)
                .connect(events, models)
                .uid("one");
        List<String> lines = new ArrayList<>();
        // One stream of text, so that one iterator sees everything.
        DataStream<String> said = text(keyed, "keyed").union(text(broadcast, "broadcast"), text(fromOne, "one"));
        Jobs.collect(said, lines::add);

        Map<String, String> expected = expected(settings);
        for (String kind : List.of("keyed", "broadcast", "one")) {
            List<String> mine =
                    lines.stream().filter(line -> line.startsWith(kind + " ")).toList();
            assertThat(mine).as("one answer or refusal a question").hasSize(RECORDS);
            List<String> answers = mine.stream()
                    .filter(line -> !line.contains(Reason.NO_MODEL.name()))
                    .toList();
            assertThat(answers).as("%s: some found a model", kind).isNotEmpty();
            for (String answer : answers) {
                String[] parts = answer.split(" ", 5);
                String key = kind.equals("one") ? "k1" : parts[1];
                assertThat(answer)
                        .isEqualTo(kind + " " + parts[1] + " " + parts[2] + " "
                                + expected.get(key + " " + parts[3] + " " + parts[2]));
            }
        }
    }

    private static DataStream<String> text(SingleOutputStreamOperator<Prediction> predictions, String kind) {
        return predictions
                .map(p -> kind + " " + p.key + " " + (long) p.time + " " + p.version + " "
                        + java.util.Arrays.deepToString(p.path) + p.coverage)
                .returns(TypeInformation.of(String.class))
                .uid(kind + "-answers")
                .union(predictions
                        .getSideOutput(LearnFunction.REJECTED)
                        .map(r -> kind + " " + r.key + " " + r.reason)
                        .returns(TypeInformation.of(String.class))
                        .uid(kind + "-refusals"));
    }

    /** What every version of every key says about every record, from a plain loop. */
    private static Map<String, String> expected(LearnSettings settings) {
        Map<String, KoopmanModel> models = new HashMap<>();
        Map<String, String> expected = new HashMap<>();
        for (long n = 0; n < RECORDS; n++) {
            SampleEvent event = Streams.event(n, KEYS);
            KoopmanModel model = models.computeIfAbsent(event.key, k -> KoopmanModel.start(settings));
            boolean learned = model.accept(event.key, event, false).learned().isPresent();
            if ((learned && model.version() % EVERY == 0) || n >= RECORDS - KEYS) {
                KoopmanOperator operator = model.state().forecastOperator().asKoopman();
                for (long q = 0; q < RECORDS; q++) {
                    double[] state = Streams.event(q, KEYS).state;
                    expected.put(
                            event.key + " " + model.version() + " " + q,
                            model.version() + " "
                                    + java.util.Arrays.deepToString(operator.forecast(state, STEPS))
                                    + operator.coverage(state));
                }
            }
        }
        return expected;
    }
}
