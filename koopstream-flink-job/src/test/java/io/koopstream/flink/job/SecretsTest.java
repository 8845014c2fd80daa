package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets come from the environment or from files, and errors do not tell them. */
class SecretsTest {

    @TempDir
    Path folder;

    @Test
    void referencesStandForWhatIsThere() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "pass$1\\word\n");
        Map.Entry<String, String> variable = System.getenv().entrySet().stream()
                .filter(entry -> entry.getKey().matches("\\w+"))
                .findFirst()
                .orElseThrow();
        Section section = Section.parse("properties: {sasl.jaas.config: 'login password=\"${file:" + secret
                + "}\" user=${env:" + variable.getKey() + "}', plain: $x}");

        assertThat(section.passedOn("properties"))
                .containsEntry("sasl.jaas.config", "login password=\"pass$1\\word\" user=" + variable.getValue())
                .containsEntry("plain", "$x");
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Secrets.resolved("source.properties.a", "${env:NOT_SET_ANYWHERE}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("source.properties.a")
                .hasMessageContaining("NOT_SET_ANYWHERE");
        assertThatThrownBy(() -> Secrets.resolved("a", "${file:" + folder.resolve("none") + "}"))
                .hasMessageContaining("cannot be read");
    }
}
