package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.learner.LearnerState;
import io.koopstream.stream.LearningStreamState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of every format version. Those that must stay readable, and what learning on from them must lead to on every machine and JDK: if one of
 * these tests fails, models of users would change or be lost, and the code is wrong, not the file. And one that can no longer be read, which must
 * say so. The files of version 1 were written by the last release that wrote it, from the streams that {@link GoldenModels} repeats.
 */
class GoldenModelTest {

    private static final String DIGEST = "3c5d3c6365d9c04ca5a9d2bfa3731940fa44314edac9c593c51b9f6bf1e18ec6";
    private static final String CHECKSUM_AFTER_50_MORE =
            "05a07f6a7399315f008c775c2eba5dee97d6b1a1e4fae26f6fa5180d4c3f096e";
    private static final String AVERAGED_CHECKSUM = "91f0c066c55201e67035a3d5fcd6a70efc9fa6f1d85c33bcc0c907e95c08ae41";
    private static final String LEAST_SQUARES_DIGEST =
            "d249d42a8f065465062ac07e97288aa8289ce7673282a2c4f19ebe091687705d";
    private static final String LEAST_SQUARES_CHECKSUM =
            "a59591ae7ce002f5ebe34c189c5010cd29a08ebccd2b3228a9ca4784c457911c";

    private static final String AVERAGED_DIGEST = "35e1dcb23169d6b7aba9af0e9b8551ecddeb3082b7af39995b6d32991bd81382";

    private static final String STREAM_DIGEST = "da6323cb4f89d342d15b776bf33f10fe2af7759a8c4d1fd4f367866d3fb56efb";

    private static byte[] golden(String name) throws IOException {
        try (InputStream stream = GoldenModelTest.class.getResourceAsStream("/golden/" + name + ".safetensors")) {
            return stream.readAllBytes();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "model-v1, " + DIGEST + ", " + CHECKSUM_AFTER_50_MORE,
        "model-v1-averaged, " + AVERAGED_DIGEST + ", " + AVERAGED_CHECKSUM,
        "model-v2, " + DIGEST + ", " + CHECKSUM_AFTER_50_MORE,
        "model-v2-averaged, " + AVERAGED_DIGEST + ", " + AVERAGED_CHECKSUM,
        "model-v2-least-squares, " + LEAST_SQUARES_DIGEST + ", " + LEAST_SQUARES_CHECKSUM
    })
    void itIsReadAndGoingOnFromItLeadsToARecordedState(String name, String digest, String after) throws IOException {
        LearnerState state = ModelFile.decode(golden(name));
        assertThat(state.digest()).isEqualTo(digest);
        assertThat(GoldenModels.checksumAfter50More(state)).isEqualTo(after);
    }

    @ParameterizedTest
    @ValueSource(strings = {"model-v2", "model-v2-averaged", "model-v2-least-squares"})
    void itIsWrittenAgainByteForByteAndTheGeneratorStillMakesIt(String name) throws IOException {
        assertThat(ModelFile.encode(ModelFile.decode(golden(name)))).isEqualTo(golden(name));
        assertThat(ModelFile.encode(GoldenModels.of(name))).isEqualTo(golden(name));
    }

    @Test
    void aModelWithItsStreamIsReadAndGoingOnFromItLeadsToARecordedState() throws IOException {
        byte[] golden = golden("model-v2-stream");
        assertThat(ModelFile.encode(GoldenModels.withStream())).isEqualTo(golden);
        StoredModel model = ModelFile.read(new ByteArrayInputStream(golden), golden.length, CustomSchedules.none());
        assertThat(GoldenModels.digestAfter50More(model.stream().orElseThrow())).isEqualTo(STREAM_DIGEST);
        assertThat(ModelFile.encode(model)).isEqualTo(golden);
    }

    /** Earlier versions remembered fewer rows, had a SHA-256 in every model within the stream, or no record of forecasts or one in other units; they learn on like this one. */
    @Test
    void streamsOfEarlierVersionsLearnOnAsOthersDo() throws IOException {
        LearningStreamState known = GoldenModels.withStream().stream().orElseThrow();
        for (String name :
                List.of("model-v2-stream-2", "model-v2-stream-3", "model-v2-stream-4", "model-v2-stream-5")) {
            byte[] golden = golden(name);
            StoredModel model = ModelFile.read(new ByteArrayInputStream(golden), golden.length, CustomSchedules.none());
            LearningStreamState state = model.stream().orElseThrow();
            assertThat(state.record()).as(name).isNull();
            LearningStreamState later = GoldenModels.after50More(state);
            LearningStreamState expected = GoldenModels.after50More(known);
            assertThat(later.learner().digest())
                    .as(name)
                    .isEqualTo(expected.learner().digest());
            assertThat(later.counts()).as(name).isEqualTo(expected.counts());
        }
    }

    @Test
    void aModelWhoseStreamIsOfAnEarlierVersionAnswersButCannotBeGoneOnWith() throws IOException {
        byte[] golden = golden("model-v2-stream-1");
        StoredModel model = ModelFile.read(new ByteArrayInputStream(golden), golden.length, CustomSchedules.none());
        assertThat(model.state().pairs()).isEqualTo(96);
        assertThatThrownBy(model::stream)
                .isInstanceOfSatisfying(
                        ModelFormatException.class,
                        e -> assertThat(e.reason()).isEqualTo(ModelFormatException.Reason.TOO_OLD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-averaged"})
    void algorithm1IsInBothVersionsTheSameButForTheNumber(String suffix) throws IOException {
        LearnerState state = ModelFile.decode(golden("model-v1" + suffix));
        assertThat(ModelFile.encode(state)).isEqualTo(golden("model-v2" + suffix));
        assertThat(GoldenModels.asVersion1(ModelFile.encode(state))).isEqualTo(golden("model-v1" + suffix));
    }

    @Test
    void leastSquaresOfVersion1SaysThatItMustBeLearnedAgain() throws IOException {
        byte[] old = golden("model-v1-least-squares");
        assertThatThrownBy(() -> ModelFile.decode(old))
                .isInstanceOfSatisfying(
                        ModelFormatException.class,
                        e -> assertThat(e.reason()).isEqualTo(ModelFormatException.Reason.TOO_OLD))
                .hasMessageContaining("statistics cannot be carried over")
                .hasMessageEndingWith("learn the model again from its data");
    }
}
