package io.koopstream.io;

import io.koopstream.io.ModelStates.LogisticStream;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How the recorded model files were made. The streams are logistic maps, so that it takes nothing but +, - and * to repeat them. */
final class GoldenModels {

    private static final List<String> NAMES = List.of("model-v2", "model-v2-averaged", "model-v2-least-squares");

    private GoldenModels() {}

    /** The state in the file of a name. */
    static LearnerState of(String name) {
        Learner<?> learner = switch (name) {
            case "model-v2" -> SogdLearner.koopman(sogd().build());
            case "model-v2-averaged" ->
                SogdLearner.koopman(sogd().averaging(Averaging.tail(3))
                        .maxDictionary(6)
                        .blockSize(8)
                        .build());
            case "model-v2-least-squares" -> LeastSquaresLearner.koopman(leastSquares());
            default -> throw new IllegalArgumentException(name);
        };
        new LogisticStream(1).teach(learner, 100);
        return learner.state();
    }

    /** The model with its stream in {@code model-v2-stream}: two trajectories, one with steps, samples that wait for their block. */
    static StoredModel withStream() {
        LearningStream stream = LearningStream.of(StreamConfig.parse(
                Map.of("kernel", "gaussian(0.125)", "epsilon", "0.1", "maxDictionary", "6", "block", "8")));
        feed(stream, 0, 100);
        LearningStreamState state = stream.state();
        return StoredModel.of(state, state.learner().settled(), StateLabels.of(List.of("population")));
    }

    /** Gives a stream points of the logistic map, with a gap after every fortieth. */
    private static void feed(LearningStream stream, int from, int to) {
        LogisticStream points = new LogisticStream(1);
        for (int i = 0; i < to; i++) {
            double[] point = points.next();
            if (i >= from) {
                stream.accept(
                        i % 2 == 0
                                ? Observation.at("steps", i / 2 + i / 40, Double.NaN, point)
                                : Observation.of("bare", point));
            }
        }
    }

    /** Every bit of what going on with that stream for 50 more points leads to. */
    static String digestAfter50More(LearningStreamState state) {
        return StreamFile.digest(after50More(state));
    }

    static LearningStreamState after50More(LearningStreamState state) {
        LearningStream stream = LearningStream.resume(state);
        feed(stream, 100, 150);
        return stream.state();
    }

    private static SogdConfig.Builder sogd() {
        return SogdConfig.forState(1, Kernels.gaussian(0.125))
                .lambda(0.01)
                .stepSize(0.25)
                .budget(0.01);
    }

    /** With everything a file can hold: a limit that is reached, samples that wait, first pairs, pairs held out. */
    private static LeastSquaresConfig leastSquares() {
        return LeastSquaresConfig.forState(1, Kernels.gaussian(0.125))
                .epsilon(0.1)
                .maxDictionary(6)
                .blockSize(8)
                .holdOut(new HoldOutConfig(0.25, 50, HoldOutConfig.Keep.NEWEST))
                .build();
    }

    /**
     * What learning on leads to: 50 samples from the stream's 200th point on. The file's own checksum stands for every bit of the state. Those of
     * Algorithm 1 were recorded by the release that wrote version 1, so they are of files of that version.
     */
    static String checksumAfter50More(LearnerState state) {
        Learner<?> learner = state.resumeKoopman();
        LogisticStream stream = new LogisticStream(1);
        for (int i = 0; i < 200; i++) {
            stream.next();
        }
        stream.teach(learner, 50);
        byte[] file = ModelFile.encode(learner.state());
        return RawModel.checksum(state instanceof SogdState ? asVersion1(file) : file);
    }

    static byte[] asVersion1(byte[] file) {
        return RawModel.parse(file).set("version", "1").sealed();
    }

    /** Writes the files of the newest version into a folder and prints what {@link GoldenModelTest} records of each. */
    public static void main(String[] arguments) throws IOException {
        Files.createDirectories(Path.of(arguments[0]));
        for (String name : NAMES) {
            LearnerState state = of(name);
            ModelFile.write(Path.of(arguments[0], name + ".safetensors"), state);
            System.out.println(name + " " + state.digest() + " " + checksumAfter50More(state));
        }
        StoredModel model = withStream();
        ModelFile.write(Path.of(arguments[0], "model-v2-stream.safetensors"), model);
        System.out.println("model-v2-stream " + digestAfter50More(model.stream().orElseThrow()));
    }
}
