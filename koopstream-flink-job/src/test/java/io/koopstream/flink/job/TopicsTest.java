package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Topics are checked before a job starts; {@code lab/run flink runbook} does so with a real broker. */
class TopicsTest {

    private static JobSettings job(String brokers) {
        return JobSettings.parse("""
                name: test
                source: {brokers: "%s", topic: [a, b], columns: [x], state: [x]}
                learn: {kernel: gaussian(1), scores: true}
                publish:
                  predictions: {topic: p}
                  scores: {folder: "file:///data"}
                  gaps: {topic: g}
                  models: {topic: m, folder: "file:///data"}
                  rejected: {topic: r}
                """.formatted(brokers));
    }

    @Test
    void aTopicThatIsMissingIsNamedWithItsField() {
        JobSettings job = job("127.0.0.1:1");
        assertThat(Topics.written(job).values()).containsExactlyInAnyOrder("p", "g", "m", "r");
        Topics.require(Topics.written(job), Set.of("p", "g", "m", "r", "other"), job);
        assertThatThrownBy(() -> Topics.require(Topics.written(job), Set.of("p", "g", "m"), job))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("publish.rejected.topic = r: no such topic at 127.0.0.1:1");
    }

    /** The machine that submits a job need not reach the brokers. */
    @Test
    void brokersThatDoNotAnswerLeaveItOpen() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Topics.check(job("127.0.0.1:" + silent.getLocalPort())))
                    .hasValueSatisfying(reason -> assertThat(reason).startsWith("whether topics exist (127.0.0.1:"));
        }
    }
}
