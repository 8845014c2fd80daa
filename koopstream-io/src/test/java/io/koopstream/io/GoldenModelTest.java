package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.ModelStates.LogisticStream;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.SogdState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A file of format version 1 that must stay readable, and what learning on from it must lead to on every machine and JDK. If one of
 * these tests fails, models of users would change or be lost: the code is wrong, not the file.
 */
class GoldenModelTest {

    private static final String DIGEST = "3c5d3c6365d9c04ca5a9d2bfa3731940fa44314edac9c593c51b9f6bf1e18ec6";
    private static final String CHECKSUM_AFTER_50_MORE =
            "05a07f6a7399315f008c775c2eba5dee97d6b1a1e4fae26f6fa5180d4c3f096e";

    /** How the file was made. The stream is a logistic map, so that it takes nothing but +, - and * to repeat it. */
    static SogdState generate() {
        SogdConfig config = SogdConfig.forState(1, Kernels.gaussian(0.125))
                .lambda(0.01)
                .stepSize(0.25)
                .budget(0.01)
                .build();
        SogdLearner<?> learner = SogdLearner.koopman(config);
        new LogisticStream(1).teach(learner, 100);
        return learner.state();
    }

    /** The same stream, 50 samples from its 200th point on. The file's own checksum stands for every bit of the state. */
    private static String checksumAfter50More(SogdState state) {
        SogdLearner<?> learner = SogdLearner.resumeKoopman(state);
        LogisticStream stream = new LogisticStream(1);
        for (int i = 0; i < 200; i++) {
            stream.next();
        }
        stream.teach(learner, 50);
        return RawModel.checksum(ModelFile.encode(learner.state()));
    }

    /** Writes the file anew, for a new format version, and prints what is recorded above; the argument is its path. */
    public static void main(String[] arguments) {
        SogdState state = generate();
        ModelFile.write(Path.of(arguments[0]), state);
        System.out.println(state.digest() + "\n" + checksumAfter50More(state));
    }

    private static byte[] golden() throws IOException {
        try (InputStream stream = GoldenModelTest.class.getResourceAsStream("/golden/model-v1.safetensors")) {
            return stream.readAllBytes();
        }
    }

    @Test
    void itIsReadAndWrittenAgainByteForByte() throws IOException {
        SogdState state = (SogdState) ModelFile.decode(golden());
        assertThat(ModelFile.encode(state)).isEqualTo(golden());
        assertThat(state.digest()).isEqualTo(DIGEST);
        assertThat(state.samples()).isEqualTo(100);
    }

    @Test
    void theGeneratorStillMakesIt() throws IOException {
        assertThat(ModelFile.encode(generate())).isEqualTo(golden());
    }

    @Test
    void goingOnFromItLeadsToARecordedState() throws IOException {
        assertThat(checksumAfter50More((SogdState) ModelFile.decode(golden()))).isEqualTo(CHECKSUM_AFTER_50_MORE);
    }
}
