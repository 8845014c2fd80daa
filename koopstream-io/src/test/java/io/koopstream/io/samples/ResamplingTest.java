package io.koopstream.io.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows at regular times out of rows at any times. */
class ResamplingTest {

    private static List<String> rows(String resample, String table) throws IOException {
        ColumnOptions options = ColumnOptions.NONE.withResampling(Resampling.parse(resample));
        List<String> rows = new ArrayList<>();
        Sample sample = new Sample();
        try (SampleReader reader = SampleReaders.open(
                new ByteArrayInputStream(table.getBytes(StandardCharsets.UTF_8)), "table", options)) {
            while (reader.read(sample)) {
                rows.add((sample.trajectory() == null ? "" : sample.trajectory() + ":") + sample.time() + "="
                        + sample.state()[0]);
            }
        }
        return rows;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1      | 0.0=2.0 1.0=5.0 2.0=NaN 3.0=8.0",
                "1,last | 0.0=3.0 1.0=5.0 2.0=NaN 3.0=8.0",
                "2      | 0.0=3.0 2.0=8.0",
                "0.5    | 0.0=1.0 0.5=3.0 1.0=NaN 1.5=5.0 2.0=NaN 2.5=NaN 3.0=8.0",
            })
    void meansAndLastValues(String resample, String expected) throws IOException {
        String table = "time,v\n0.1,1\n0.9,3\n1.5,5\n3.0,8\n";
        assertThat(rows(resample, table)).containsExactly(expected.split(" "));
    }

    @Test
    void straightLinesBetweenNearRows() throws IOException {
        assertThat(rows("1,linear", "time,v\n0,0\n0.5,1\n1.5,3\n2.5,5\n6,12\n6.5,13\n7.5,15\n"))
                .containsExactly("0.0=0.0", "1.0=2.0", "2.0=4.0", "3.0=NaN", "4.0=NaN", "5.0=NaN", "7.0=14.0");
    }

    /** Times of a tenth are no whole binary numbers: a row at 0.3 belongs to 0.3. */
    @Test
    void regularRowsStayWhatTheyAre() throws IOException {
        assertThat(rows("0.1", "time,v\n0.1,1\n0.2,2\n0.3,3\n0.6,6\n0.7,7\n"))
                .extracting(row -> row.substring(row.indexOf('=') + 1))
                .containsExactly("1.0", "2.0", "3.0", "NaN", "NaN", "6.0", "7.0");
    }

    @Test
    void trajectoriesAreResampledApart() throws IOException {
        assertThat(rows("1", "trajectory,time,v\na,0,1\nb,0,10\na,0.5,3\nb,1,20\na,1,5\n"))
                .containsExactly("b:0.0=10.0", "a:0.0=2.0", "b:1.0=20.0", "a:1.0=5.0");
    }

    /** A year without rows is a gap, not a million rows. */
    @Test
    void longGapsStayGaps() throws IOException {
        assertThat(rows("1s", "time,v\n2020-01-01 00:00:00,1\n2021-01-01 00:00:00,2\n"))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "soon", "1h,median", "1month", "1h,"})
    void whatIsNoInterval(String text) {
        assertThatThrownBy(() -> Resampling.parse(text))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("resample");
    }

    @Test
    void rowsWithoutTimes() {
        assertThatThrownBy(() -> rows("1", "x,y\n1,2\n"))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("--resample needs times");
        assertThatThrownBy(() -> rows("1", "time,x,x_next\n1,2,3\n"))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("rows are pairs");
    }
}
