package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Job files are valid as documents print them. */
class PrintedJobsTest {

    private static final Path ROOT = Path.of("..");

    private static List<String> plan(String text) {
        return Plan.of(JobSettings.parse(text));
    }

    private static String only(Pattern pattern, String file) throws IOException {
        Matcher found = pattern.matcher(Files.readString(ROOT.resolve(file)));
        assertThat(found.find()).as(file).isTrue();
        return found.group(1);
    }

    @Test
    void theJobOfTheGuideIsValid() throws IOException {
        assertThat(plan(only(Pattern.compile("(?s)## A job file\\s+```yaml\\n(.*?)```"), "docs/flink-job.md")))
                .contains("job wells");
    }

    /** The tutorial prints what the tour runs, with names for what the tour fills in. */
    @Test
    void theJobOfTheTutorialIsThatOfTheTour() throws IOException {
        String printed =
                only(Pattern.compile("(?s)one file:\n\n((?:    .*?\n)+)\nand the lines"), "docs/tutorials/fleet.md");
        String run = only(Pattern.compile("(?s)job.yaml\" <<TEXT\n(.*?)TEXT\n"), "deploy/flink/try.sh");
        Map<String, String> filled = Map.of(
                "$(cat \"$folder/broker.address\")", "127.0.0.1:9092",
                "file://$folder/models", "file:///data/models",
                "$((steps / 4))", "1536");
        for (Map.Entry<String, String> entry : filled.entrySet()) {
            assertThat(run).contains(entry.getKey());
            run = run.replace(entry.getKey(), entry.getValue());
        }
        assertThat(printed.replaceAll("(?m)^    ", "")).isEqualTo(run);
        assertThat(plan(run)).contains("job try");
    }
}
