package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;

/** The build runs these tests twice; this one makes sure that the second time is on another Flink. */
class FlinkLineTest {

    @Test
    void theTestsRunOnTheLineThatTheBuildMeans() {
        String line = System.getProperty("koopstream.flink.line", "1");

        assertThat(EnvironmentInformation.getVersion()).startsWith(line + ".");
    }
}
