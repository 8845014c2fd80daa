package io.koopstream.io.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.KoopstreamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every row of the table in docs/data.md is a file; what comes out of it is what the table says. */
class FileShapesTest {

    private static final Path TABLE = Path.of("..", "docs", "data.md");

    @TempDir
    Path folder;

    @Test
    void filesGiveWhatTheTableSays() throws IOException {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        boolean table = false;
        for (String line : Files.readAllLines(TABLE)) {
            table |= line.startsWith("| what |");
            if (table && line.startsWith("| ") && !line.startsWith("| what |")) {
                String[] cells = line.split("\\|", -1);
                expected.add(line);
                found.add("|" + cells[1] + "|" + cells[2] + "|" + cells[3] + "| "
                        + outcome(bare(cells[2]), bare(cells[3])) + " |");
            }
        }
        assertThat(expected).hasSizeGreaterThan(50);
        assertThat(found).isEqualTo(expected);
    }

    private static String bare(String cell) {
        return cell.strip().replaceAll("^`|`$", "").replace('⏎', '\n').replace('⇥', '\t');
    }

    private String outcome(String text, String options) throws IOException {
        Path file = Files.writeString(folder.resolve("f"), text + "\n");
        List<String> said = new ArrayList<>();
        try (SampleReader reader = SampleReaders.open(file, options(options))) {
            said.add("**" + String.join(", ", reader.names()) + "**" + (reader.isPairs() ? " (pairs)" : ""));
            Sample sample = new Sample();
            while (true) {
                try {
                    if (!reader.read(sample)) {
                        break;
                    }
                    said.add(row(reader, sample));
                } catch (BadRowException e) {
                    said.add("bad row: " + e.getMessage().replace(file + ", ", ""));
                }
            }
            reader.notes().forEach(note -> said.add("note: " + note));
        } catch (KoopstreamException e) {
            return "error: " + e.getMessage().replace(file + ": ", "").replace(file.toString(), "FILE");
        }
        return String.join("; ", said);
    }

    private static String row(SampleReader reader, Sample sample) {
        StringBuilder row = new StringBuilder();
        row.append(sample.trajectory() == null ? "" : sample.trajectory() + ": ");
        row.append(Double.isNaN(sample.step()) ? "" : "step " + (long) sample.step() + " ");
        reader.timeStyle()
                .ifPresent(style -> row.append(style.format(sample.time())).append(" "));
        row.append(numbers(sample.state()));
        return row.append(sample.next() == null ? "" : " → " + numbers(sample.next()))
                .toString();
    }

    private static String numbers(double[] values) {
        return Arrays.toString(values).replace("NaN", "–");
    }

    private static ColumnOptions options(String line) {
        Map<String, String> said = new TreeMap<>();
        for (String option : line.isEmpty() ? new String[0] : line.substring(2).split(" --", -1)) {
            String[] parts = option.split(" ", 2);
            said.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        ColumnOptions options = new ColumnOptions(
                list(said.remove("columns")),
                list(said.remove("ignore")),
                said.remove("time"),
                said.remove("time-format"),
                said.remove("group"),
                said.remove("header") != null ? Boolean.TRUE : said.remove("no-header") != null ? Boolean.FALSE : null,
                list(said.remove("names")),
                Set.of(),
                List.of());
        assertThat(said).as("options that the test does not know").isEmpty();
        return options;
    }

    private static List<String> list(String names) {
        return names == null ? List.of() : List.of(names.split(",", -1));
    }
}
