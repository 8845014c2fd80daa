package io.koopstream.io.samples;

import static io.koopstream.io.samples.TravellingWaves.COLUMNS;
import static io.koopstream.io.samples.TravellingWaves.projection;
import static io.koopstream.io.samples.TravellingWaves.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.rows.ProjectionBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rows on their way to the coordinates of a projection. */
class ProjectedReaderTest {

    private static String csv(int rows) {
        List<String> lines = new ArrayList<>();
        lines.add(SampleReadersNames.of(COLUMNS));
        for (int t = 0; t < rows; t++) {
            lines.add(Arrays.stream(row(t)).mapToObj(Double::toString).collect(Collectors.joining(",")));
        }
        lines.set(4, lines.get(4).replaceFirst("^[^,]*", "bad"));
        lines.set(7, lines.get(7).replaceFirst("^[^,]*", ""));
        return String.join("\n", lines) + "\n";
    }

    /** A header that is no row. */
    private static final class SampleReadersNames {
        private static String of(int columns) {
            StringBuilder text = new StringBuilder("p1");
            for (int c = 2; c <= columns; c++) {
                text.append(",p").append(c);
            }
            return text.toString();
        }
    }

    private static SampleReader reader(String csv) throws IOException {
        return SampleReaders.open(new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8)), "rows");
    }

    /** Coordinates row by row; "bad" for a row that cannot be read. */
    private static List<String> rows(SampleReader reader) throws IOException {
        List<String> rows = new ArrayList<>();
        Sample sample = new Sample();
        boolean more = true;
        while (more) {
            try {
                more = reader.read(sample);
                if (more) {
                    rows.add(sample.row() + ":" + Arrays.toString(sample.state()));
                }
            } catch (BadRowException e) {
                rows.add("bad");
            }
        }
        return rows;
    }

    @Test
    void theFirstRowsOfAPipeAreReadAgainInTheirOrder() throws IOException {
        ProjectionBuilder first = ProjectionBuilder.ofRank(COLUMNS, 4);
        ProjectedReader piped = ProjectedReader.ofFirst(reader(csv(60)), first, 20);
        List<String> found = rows(piped);
        ProjectionBuilder again = ProjectionBuilder.ofRank(COLUMNS, 4);
        // One row cannot be read, one has a missing value: 22 rows have 20 complete ones.
        ProjectedReader.addAll(reader(csv(22)), again);
        assertThat(again.rows()).isEqualTo(20);
        assertThat(found).isEqualTo(rows(new ProjectedReader(reader(csv(60)), again.build())));
        assertThat(found).hasSize(60);
        assertThat(found.get(3)).isEqualTo("bad");
        assertThat(found.get(6)).endsWith("[NaN, NaN, NaN, NaN]");
        assertThat(piped.names()).containsExactly("c1", "c2", "c3", "c4");
        assertThat(piped.missed()).isLessThan(1e-9);
    }

    @Test
    void rowsThatLeaveThePlaneAreMissed() throws IOException {
        StringBuilder csv = new StringBuilder(SampleReadersNames.of(COLUMNS) + "\n");
        for (int t = 0; t < 200; t++) {
            double[] row = row(t);
            for (int c = 0; c < COLUMNS && t >= 100; c++) {
                row[c] += 3 * Math.cos(2 * Math.PI * 5 * c / COLUMNS + t);
            }
            csv.append(Arrays.stream(row).mapToObj(Double::toString).collect(Collectors.joining(",")))
                    .append('\n');
        }
        ProjectedReader piped =
                ProjectedReader.ofFirst(reader(csv.toString()), ProjectionBuilder.ofRank(COLUMNS, 4), 50);
        rows(piped);
        // 50 rows of energy 15 and 100 with 108 more.
        assertThat(piped.missed()).isCloseTo(100 * 108.0 / (150 * 15 + 100 * 108), within(0.01));
        assertThat(piped.projection().missed()).isLessThan(1e-9);
    }

    @Test
    void rowsOfOtherColumnsAreRefused() {
        assertThatThrownBy(() -> new ProjectedReader(reader("a,b\n1,2\n"), projection(30)))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("rows of 2 columns, and the model projects rows of 24");
    }
}
