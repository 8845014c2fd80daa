package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.rows.Preparation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of coordinates travel with the model, and models without them are what they always were. */
class StateLabelsTest {

    private static final SogdState STATE = ModelStates.ofSize(4);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x,y",
                "Temperatur °C|p, bar",
                "\"quoted\"|back\\\\slash",
                "100 %|%2C",
                "θ₁|𝜔 (rad/s)",
                "a.b|a-b"
            })
    void namesComeBack(String line, @TempDir Path folder) {
        List<String> names = Arrays.asList(line.split(line.contains("|") ? "\\|" : ",", -1));
        Path file = folder.resolve("named.safetensors");
        ModelFile.write(file, new StoredModel(STATE, StateLabels.of(names)));
        StoredModel read = ModelFile.load(file);
        assertThat(read.labels().names()).isEqualTo(names);
        assertThat(read.labels().coordinates(2)).isEqualTo(names);
        assertThat(read.state().digest()).isEqualTo(STATE.digest());
        assertThat(ModelFile.encode(read)).isEqualTo(ModelFile.encode(new StoredModel(STATE, StateLabels.of(names))));
    }

    @Test
    void delaysComeBack(@TempDir Path folder) {
        StateLabels labels = new StateLabels(List.of("height"), 1, 5);
        Path file = folder.resolve("delayed.safetensors");
        ModelFile.write(file, new StoredModel(STATE, labels));
        assertThat(ModelFile.load(file).labels()).isEqualTo(labels);
        assertThat(labels.coordinates(2)).containsExactly("height", "height_lag5");
    }

    @Test
    void whatReadingTookComesBack(@TempDir Path folder) {
        StateLabels labels = new StateLabels(
                List.of(),
                0,
                1,
                Preparation.NONE,
                TimeAxis.NONE,
                new Reading("Gerät, Nr.", "Uhr", "15min,linear", "false"));
        Path file = folder.resolve("grouped.safetensors");
        ModelFile.write(file, new StoredModel(STATE, labels));
        assertThat(ModelFile.load(file).labels()).isEqualTo(labels);
    }

    @Test
    void aFileWithoutNamesIsByteForByteWhatItWas() {
        byte[] plain = ModelFile.encode(STATE);
        assertThat(new String(plain, StandardCharsets.ISO_8859_1)).doesNotContain("names", "delays", "stride");
        assertThat(StateLabels.NONE.coordinates(3)).containsExactly("x1", "x2", "x3");
    }

    @Test
    void labelsThatDoNotFitAreNotWritten() {
        StoredModel three = new StoredModel(STATE, StateLabels.of(List.of("a", "b", "c")));
        assertThatThrownBy(() -> ModelFile.encode(three))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_SETTING));
        StoredModel delayed = new StoredModel(STATE, new StateLabels(List.of(), 2, 1));
        assertThatThrownBy(() -> ModelFile.encode(delayed)).isInstanceOf(ModelFormatException.class);
    }

    @Test
    void badNames() {
        for (List<String> names :
                List.of(List.of("a", "a"), List.of(" "), List.of("a\nb"), Collections.nCopies(1, "n".repeat(16_001)))) {
            assertThatThrownBy(() -> StateLabels.of(names)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new StateLabels(List.of(), -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StateLabels(List.of(), 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
