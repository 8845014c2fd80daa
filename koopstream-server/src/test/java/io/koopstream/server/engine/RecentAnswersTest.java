package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Time is told here, not measured. */
class RecentAnswersTest {

    private static final long SECOND = 1_000_000_000;

    private long now;
    private int computed;
    private final RecentAnswers recent = new RecentAnswers(() -> now);

    private String ask(String question, Supplier<String> answer) {
        ResponseCache.Answer given = recent.get(
                question,
                () -> new ResponseCache().get(question, () -> {
                    computed++;
                    return answer.get().getBytes(StandardCharsets.UTF_8);
                }));
        return new String(given.body(), StandardCharsets.UTF_8);
    }

    @Test
    void anAnswerIsGoodForASecond() {
        assertThat(ask("q", () -> "one")).isEqualTo("one");
        now += SECOND - 1;
        assertThat(ask("q", () -> "two")).isEqualTo("one");
        assertThat(recent.known("q")).isPresent();
        assertThat(ask("other", () -> "three")).isEqualTo("three");
        now += 1;
        assertThat(recent.known("q")).isEmpty();
        assertThat(ask("q", () -> "two")).isEqualTo("two");
        assertThat(computed).isEqualTo(3);
    }

    @Test
    void whileOneComputesTheNextAnswerOthersGetTheLast() {
        ask("q", () -> "one");
        now += 3 * SECOND;
        String next = ask("q", () -> {
            assertThat(ask("q", () -> "never")).isEqualTo("one");
            now += 6 * SECOND;
            assertThat(recent.known("q")).isPresent();
            now += 2 * SECOND;
            assertThat(recent.known("q")).as("eleven seconds are too old").isEmpty();
            return "two";
        });
        assertThat(next).isEqualTo("two");
        assertThat(computed).isEqualTo(2);
        assertThat(recent.known("q")).as("of a view of eight seconds ago").isEmpty();
    }

    @Test
    void whenThatFailsTheNextWhoAsksComputes() {
        ask("q", () -> "one");
        now += 3 * SECOND;
        assertThatThrownBy(() -> ask("q", () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(recent.known("q")).isEmpty();
        assertThat(ask("q", () -> "two")).isEqualTo("two");
    }

    @Test
    void memoryIsBounded() {
        String large = "x".repeat(600_000);
        for (int i = 0; i < 10; i++) {
            int number = i;
            ask("q" + i, () -> number + large);
        }
        assertThat(recent.known("q9")).isPresent();
        assertThat(recent.known("q7")).isPresent();
        assertThat(recent.known("q5")).isEmpty();
    }
}
