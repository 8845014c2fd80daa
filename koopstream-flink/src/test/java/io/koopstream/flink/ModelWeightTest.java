package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.stream.StreamConfig;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of a model that the cache and the documents speak of, beside what it takes on the heap. */
class ModelWeightTest {

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        // What tests before this one have left goes in several collections.
        for (int i = 0; i < 20; i++) {
            System.gc();
            long now = runtime.totalMemory() - runtime.freeMemory();
            if (now > 0.99 * used) {
                return now;
            }
            used = now;
        }
        return used;
    }

    private static KoopmanModel model(LearnSettings settings, int dimension, int key, int records) {
        KoopmanModel model = KoopmanModel.start(settings);
        for (int t = 0; t < records; t++) {
            int step = t;
            double[] state = IntStream.range(0, dimension)
                    .mapToDouble(c -> {
                        double phase = 0.7 * key + 0.31 * step * (1 + 0.1 * c);
                        return Math.sin(phase) + 0.1 * Math.sin(17 * phase * phase + c);
                    })
                    .toArray();
            model.accept("k" + key, SampleEvent.atStep("k" + key, "t", (double) t, state), true);
        }
        return model;
    }

    /** As many models as take about a hundred megabytes, beside which other memory of the JVM is little. */
    @ParameterizedTest
    @CsvSource({
        "least-squares, 2, 34, 5000",
        "least-squares, 2, 100, 500",
        "least-squares, 2, 1000, 250",
        "least-squares, 2, 7500, 60",
        "least-squares, 20, 1000, 20",
        "sogd, 2, 1000, 300"
    })
    void aWeightIsWhatAModelTakesOnTheHeap(String method, int dimension, int records, int count) {
        StreamConfig config =
                Streams.words("method", method, "kernel", dimension == 2 ? "gaussian(0.5)" : "gaussian(3)");
        LearnSettings settings = LearnSettings.of(config, dimension).build();
        model(settings, dimension, 0, records);
        KoopmanModel[] models = new KoopmanModel[count];
        long before = used();
        for (int key = 0; key < count; key++) {
            models[key] = model(settings, dimension, key, records);
        }
        double heap = (used() - before) / (double) count;

        double weight = 0;
        for (KoopmanModel model : models) {
            weight += model.weight() / (double) count;
        }
        assertThat(weight / heap)
                .as("%s: %.0f bytes on the heap, told %.0f; m = %d", method, heap, weight, models[0].dictionarySize())
                .isBetween(0.75, 1.35);
    }
}
