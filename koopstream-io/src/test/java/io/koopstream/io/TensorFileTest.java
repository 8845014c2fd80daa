package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorFileTest {

    private static final double[][] NUMBERS = {{1, -0.5, 1e-300}, {Math.PI, 0, 7}};
    private static final Set<String> KEYS = Set.of("cost", "names");

    @TempDir
    Path folder;

    private Path written() {
        Path file = folder.resolve("x.safetensors");
        new TensorFile(Map.of("cost", "x^2 + u", "names", "x,u"), Map.of("numbers", NUMBERS, "empty", new double[0][]))
                .write(file, "koopstream-test");
        return file;
    }

    @Test
    void whatWasWrittenIsRead() {
        TensorFile read = TensorFile.read(written(), "koopstream-test", KEYS);
        assertThat(read.texts()).isEqualTo(Map.of("cost", "x^2 + u", "names", "x,u"));
        assertThat(read.matrix("numbers")).isDeepEqualTo(NUMBERS);
        assertThat(read.names()).containsExactlyInAnyOrder("numbers", "empty");
        assertThat(read.matrix("none")).isNull();
    }

    @Test
    void everyDamagedByteAndEveryCutIsNoticed() throws IOException {
        byte[] good = Files.readAllBytes(written());
        Path file = folder.resolve("damaged.safetensors");
        for (int i = 0; i < good.length; i++) {
            byte[] bytes = good.clone();
            bytes[i] ^= 1;
            refuses(file, bytes);
            refuses(file, Arrays.copyOf(good, i));
        }
        refuses(file, Arrays.copyOf(good, good.length + 8));
    }

    private static void refuses(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        assertThatExceptionOfType(ModelFormatException.class)
                .isThrownBy(() -> TensorFile.read(file, "koopstream-test", KEYS));
    }

    @Test
    void otherFilesAreRefusedWithAReason() throws IOException {
        Path file = written();
        assertThatExceptionOfType(ModelFormatException.class)
                .isThrownBy(() -> TensorFile.read(file, "koopstream-policy", KEYS))
                .withMessageContaining("koopstream-policy");
        assertThatExceptionOfType(ModelFormatException.class)
                .isThrownBy(() -> TensorFile.read(file, "koopstream-test", Set.of("missing")))
                .withMessageContaining("missing");
        Path text = Files.writeString(folder.resolve("a.csv"), "x,y\n1,2\n3,4\n5,6\n");
        assertThatExceptionOfType(ModelFormatException.class)
                .isThrownBy(() -> TensorFile.read(text, "koopstream-test", KEYS));
        assertThatExceptionOfType(ModelAccessException.class)
                .isThrownBy(() -> TensorFile.read(folder.resolve("none"), "koopstream-test", KEYS));
    }

    @Test
    void whatCouldNotBeReadAgainIsNotWritten() {
        Path file = folder.resolve("bad.safetensors");
        assertThatExceptionOfType(ModelFormatException.class)
                .isThrownBy(
                        () -> new TensorFile(Map.of("cost", "\"quoted\""), Map.of()).write(file, "koopstream-test"));
        assertThatExceptionOfType(ModelFormatException.class)
                .isThrownBy(() -> new TensorFile(Map.of(), Map.of("n", new double[][] {{Double.NaN}}))
                        .write(file, "koopstream-test"));
        assertThat(file).doesNotExist();
    }
}
