package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Model files in a folder, and pointers to them. */
class ModelStoreTest {

    @TempDir
    Path folder;

    @Test
    void anyKeyIsAFolderNameOfItsOwn() {
        assertThat(ModelStore.folderName("well-1_a.b")).isEqualTo("well-1_a.b");
        assertThat(ModelStore.folderName("..")).isEqualTo("%2E.");
        assertThat(ModelStore.folderName("../x")).isEqualTo("%2E.%2Fx");
        assertThat(ModelStore.folderName("")).isEqualTo("%");
        assertThat(ModelStore.folderName("%")).isEqualTo("%25");
        assertThat(ModelStore.folderName("é")).isEqualTo("%C3%A9");
    }

    @Test
    void writesWholeFilesAgainAndPrunesWhatIsOld() throws IOException {
        ModelStore store = new ModelStore(folder.toUri().toString());
        for (long version = 100; version <= 500; version += 100) {
            store.write("a/b", version, new byte[] {(byte) version});
        }
        Path again = Path.of(store.write("a/b", 500, new byte[] {1, 2, 3}));
        assertThat(Files.readAllBytes(again)).containsExactly(1, 2, 3);
        assertThat(again.getFileName()).hasToString("0000000000000000500.safetensors");
        store.prune("a/b", 400, 2);
        assertThat(store.versions("a/b")).containsExactly(500L, 400L, 300L);
        assertThat(store.versions("other")).isEmpty();
        try (var files = Files.list(again.getParent())) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.endsWith(".tmp"));
        }
    }

    @Test
    void pointersAreReadBack() {
        byte[] model = {1, 2, 3};
        ModelPointer pointer =
                new ModelPointer("key \"1\"", 42, "file:///m/42.safetensors", 3, ModelPointer.checksum(model));
        assertThat(ModelPointer.parse(pointer.json(), "here")).isEqualTo(pointer);
        assertThat(pointer.checksum()).isEqualTo("039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81");
        assertThatThrownBy(() -> ModelPointer.parse("{\"key\":\"a\"}".getBytes(StandardCharsets.UTF_8), "models-0@7"))
                .hasMessageContaining("models-0@7")
                .hasMessageContaining("missing");
    }
}
