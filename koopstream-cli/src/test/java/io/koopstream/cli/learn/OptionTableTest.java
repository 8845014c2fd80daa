package io.koopstream.cli.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.stream.StreamOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guide's table of options is the table in the code. */
class OptionTableTest {

    private static String row(StreamOption<?> option) {
        String row = String.format(
                "| `%s` | `%s` | %s | %s | %s |%n",
                (LearnOptions.option(option.name()) + " " + option.label()).strip(),
                option.name(),
                option.range(),
                option.otherwise(),
                option.help() + (option.needs().isEmpty() ? "" : "; needs " + option.needs()));
        return row.replace("*", "\\*");
    }

    /** To renew the guide, copy the table that is expected. */
    @Test
    void theGuideShowsTheTable() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "cli.md"));
        int head = lines.indexOf("| option | setting | values | default | meaning |");
        String shown = lines.stream()
                .skip(head + 2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
        assertThat(shown)
                .isEqualTo(StreamOption.ALL.stream()
                        .filter(option -> !option.equals(StreamOption.SCORES))
                        .map(OptionTableTest::row)
                        .collect(Collectors.joining()));
    }
}
