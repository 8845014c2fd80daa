package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.TimeReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of all three formats, good and bad. */
class RecordFormatTest {

    private static final RecordLayout WELLS =
            new RecordLayout("well", "run", "step", "", new TimeReader(null), List.of("x1", "x2"), List.of(), 2);
    private static final List<String> COLUMNS = List.of("well", "run", "step", "note", "x1", "x2");

    private final Sample fields = new Sample();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void read(RecordFormat format, String text) {
        format.read(bytes(text), fields);
    }

    private void requireWell(String key, String run, double step, double x1, double x2) {
        assertThat(fields.key()).isEqualTo(key);
        assertThat(fields.trajectory()).isEqualTo(run);
        assertThat(fields.step()).isEqualTo(step);
        assertThat(fields.time()).isNaN();
        assertThat(fields.state()).containsExactly(x1, x2);
        assertThat(fields.next()).isNull();
    }

    @Test
    void csvCellsGoWhereTheColumnsSay() {
        CsvFormat format = new CsvFormat(WELLS, COLUMNS, ',');
        read(format, "a,r1,7,whatever,-1.5,2e-3\r\n");
        requireWell("a", "r1", 7, -1.5, 0.002);
        read(format, "\"b, \"\"the\"\" second\",r1,8,,0.1,0.30000000000000004");
        requireWell("b, \"the\" second", "r1", 8, 0.1, 0.30000000000000004);
        read(format, "é,r2,0,,1,2");
        requireWell("é", "r2", 0, 1, 2);
    }

    @Test
    void aRecordBeforeLeavesNothingBehind() {
        RecordLayout pairs = new RecordLayout("", "", "", "t", new TimeReader(null), List.of("x"), List.of("y"), 1);
        CsvFormat format = new CsvFormat(pairs, List.of("t", "x", "y"), ';');
        read(format, "0.5;1;2");
        read(format, "0.6;3;4");
        assertThat(fields.state()).containsExactly(3);
        assertThat(fields.next()).containsExactly(4);
        assertThat(fields.time()).isEqualTo(0.6);
        assertThat(fields.key()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "'a,r,1,,1'|5 cells, expected 6",
                "'a,r,1,,1,2,3'|more cells",
                "'a,r,1,,1,two'|field 'x2': 'two' is not a number",
                "'a,r,\"1,,1,2'|a quote is not closed",
                "'a,r,1,\"q\"q,1,2'|continues after its closing quote",
                "''|1 cells, expected 6"
            })
    void badRowsAreRefusedWithTheReason(String row, String reason) {
        CsvFormat format = new CsvFormat(WELLS, COLUMNS, ',');
        assertThatThrownBy(() -> read(format, row))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining(reason);
    }

    /** As in files: a value that is not known is no error, and its record makes a gap. */
    @Test
    void missingValuesAreNotKnown() {
        CsvFormat csv = new CsvFormat(WELLS, COLUMNS, ',');
        JsonFormat json = new JsonFormat(WELLS);
        for (Runnable missing : List.<Runnable>of(
                () -> read(csv, "a,r,1,,,2"),
                () -> read(csv, "a,r,1,,NA,2"),
                () -> read(json, "{\"x1\": null, \"x2\": 2, \"well\": \"a\", \"run\": \"r\", \"step\": 1}"))) {
            missing.run();
            assertThat(fields.state()).containsExactly(Double.NaN, 2);
            assertThat(fields.key()).isEqualTo("a");
        }
    }

    /** What the record that follows must not be paired across: its own trajectory, or all of them. */
    @Test
    void aBadRecordTellsWhoseItIsWhereItCan() {
        CsvFormat csv = new CsvFormat(WELLS, List.of("x1", "x2", "step", "well", "run"), ',');
        JsonFormat json = new JsonFormat(WELLS);
        for (Runnable bad : List.<Runnable>of(
                () -> read(csv, "!,2,1,a,r"),
                () -> read(json, "{\"x1\": {\"run\": 3}, \"x2\": 1, \"well\": \"a\", \"run\": \"r\", \"step\": 1}"))) {
            assertThatThrownBy(bad::run).hasMessageContaining("x1");
            assertThat(fields.key()).isEqualTo("a");
            assertThat(fields.trajectory()).isEqualTo("r");
        }
        for (Runnable bad : List.<Runnable>of(
                () -> read(csv, ""),
                () -> read(csv, "1,2,3,4,a,r"),
                () -> read(csv, "1,2,4,a,\"r"),
                () -> read(json, ""),
                () -> read(json, "{\"well\": \"a\", \"run\": \"r\", \"x1\": 1, {\"well\": \"b\"}"))) {
            read(csv, "1,2,4,b,q");
            assertThatThrownBy(bad::run).isInstanceOf(BadRecordException.class);
            assertThat(fields.key()).isNull();
            assertThat(fields.trajectory()).isNull();
        }
    }

    @Test
    void jsonFieldsAreFoundByName() {
        JsonFormat format = new JsonFormat(WELLS);
        read(format, "{\"extra\": {\"x1\": [9]}, \"x2\": 2, \"x1\": -1.5, \"step\": 7, \"run\": 3, \"well\": \"a\"}");
        requireWell("a", "3", 7, -1.5, 2);
    }

    @Test
    void jsonStatesMayBeArrays() {
        JsonFormat format =
                new JsonFormat(new RecordLayout("", "", "", "", new TimeReader(null), List.of("s"), List.of("n"), 3));
        read(format, "{\"s\": [1, 2, 3], \"n\": [4, 5, 6.5]}");
        assertThat(fields.state()).containsExactly(1, 2, 3);
        assertThat(fields.next()).containsExactly(4, 5, 6.5);
        assertThatThrownBy(() -> read(format, "{\"s\": [1, 2], \"n\": [4, 5, 6]}"))
                .hasMessageContaining("has 2 numbers, expected 3");
        assertThatThrownBy(() -> read(format, "{\"s\": [1, 2, 3, 4], \"n\": [4, 5, 6]}"))
                .hasMessageContaining("has 4 numbers, expected 3");
        assertThatThrownBy(() -> read(format, "{\"s\": 1, \"n\": [4, 5, 6]}"))
                .hasMessageContaining("expected an array");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "'{\"well\":\"a\",\"run\":1,\"step\":1,\"x1\":1}'|field 'x2': is missing",
                "'{\"well\":\"a\",\"run\":1,\"step\":1,\"x1\":1,\"x2\":\"2\"}'|field 'x2': expected a number",
                "'{\"well\":null,\"run\":1,\"step\":1,\"x1\":1,\"x2\":2}'|field 'well': expected a text",
                "'{\"well\":\"a\",\"well\":\"b\",\"run\":1,\"step\":1,\"x1\":1,\"x2\":2}'|is not JSON",
                "'[1, 2]'|expected a JSON object",
                "'{\"well\":\"a\"'|is not JSON",
                "'{\"well\":\"a\",\"run\":1,\"step\":1,\"x1\":1,\"x2\":2} 5'|something follows",
                "'nonsense'|is not JSON"
            })
    void badJsonIsRefusedWithTheReason(String record, String reason) {
        assertThatThrownBy(() -> read(new JsonFormat(WELLS), record))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining(reason);
    }

    /** Names are used where the record is sound but for a field; a broken record may have cut them short. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            nullValues = "-",
            value = {
                "'a,r,1,,1,two'|a|r",
                "'a,r,one,,,'|a|r",
                "'a,r,1,,1'|-|-",
                "'a,r,1,,1,2,3'|-|-",
                "'a,r,\"1,,1,2'|-|-",
                "'{\"x1\":[{\"well\":\"b\"}],\"x2\":{},\"well\":\"a\",\"run\":3,\"step\":1}'|a|3",
                "'{\"well\":\"a\",\"run\":[3],\"step\":1,\"x1\":1,\"x2\":2}'|a|-",
                "'{\"well\":\"a\",\"step\":1,\"x1\":1,\"x2\":2}'|a|-",
                "'{\"run\":3,\"step\":1,\"x1\":1,\"x2\":2}'|-|3",
                "'{\"run\":3,\"well\":12'|-|-",
                "'{\"well\":\"a\",\"run\":3,\"step\":1,\"x1\":1,\"x2\":2} 5'|-|-",
            })
    void whoseABadRecordIsIsKnownWhereItStandsForSure(String record, String key, String trajectory) {
        RecordFormat format = record.startsWith("{") ? new JsonFormat(WELLS) : new CsvFormat(WELLS, COLUMNS, ',');
        read(format, record.startsWith("{") ? "{\"well\":\"z\",\"run\":9,\"step\":1,\"x1\":1,\"x2\":2}" : "z,9,1,,1,2");

        assertThatThrownBy(() -> read(format, record)).isInstanceOf(BadRecordException.class);
        assertThat(fields.key()).isEqualTo(key);
        assertThat(fields.trajectory()).isEqualTo(trajectory);
    }

    @Test
    void packedDoublesInBothByteOrders() {
        RecordLayout layout =
                new RecordLayout("", "run", "step", "", new TimeReader(null), List.of("x1", "x2"), List.of(), 2);
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            DoublesFormat format = new DoublesFormat(layout, List.of(), order == ByteOrder.LITTLE_ENDIAN);
            ByteBuffer record = ByteBuffer.allocate(32).order(order);
            record.putDouble(12).putDouble(5).putDouble(-0.25).putDouble(Math.PI);
            format.read(record.array(), fields);
            requireWell(null, "12", 5, -0.25, Math.PI);
            assertThatThrownBy(() -> format.read(new byte[24], fields))
                    .hasMessageContaining("24 bytes, expected 32 for 4 doubles");
            record.putDouble(0, 0.5);
            assertThatThrownBy(() -> format.read(record.array(), fields))
                    .hasMessageContaining("not the whole number of a trajectory");
        }
    }

    @Test
    void layoutsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new RecordLayout("k", "k", "", "", new TimeReader(null), List.of("x"), List.of(), 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("two roles");
        assertThatThrownBy(() ->
                        new RecordLayout("", "", "", "", new TimeReader(null), List.of("x", "y"), List.of("z"), 2))
                .hasMessageContaining("source.next");
        assertThatThrownBy(() -> new CsvFormat(WELLS, List.of("well", "run", "step", "x1"), ','))
                .hasMessageContaining("no column 'x2'");
        assertThatThrownBy(() -> new DoublesFormat(WELLS, COLUMNS, true)).hasMessageContaining("source.key");
    }

    private static RecordLayout timed(String pattern) {
        return new RecordLayout("", "", "", "t", new TimeReader(pattern), List.of("x"), List.of(), 1);
    }

    /** Reference: date -u -d TEXT +%s. */
    @ParameterizedTest
    @CsvSource({
        "2026-11-19T12:00:00Z,1795089600",
        "2026-11-19T12:00:00.250Z,1795089600.25",
        "2026-11-19T14:00:00+02:00,1795089600",
        "2026-11-19 12:00:00,1795089600",
        "2026-11-19,1795046400",
        "19 Nov 2026,1795046400",
        "31/12/2026,1798675200"
    })
    void datesAreSecondsSince1970InEveryFormat(String text, double seconds) {
        JsonFormat json = new JsonFormat(timed(null));
        CsvFormat csv = new CsvFormat(timed(null), List.of("t", "x"), ',');
        // Dates of one way of writing, then others: what came before does not matter.
        for (String before : List.of("2026-01-02T03:04:05Z", text)) {
            for (String time : List.of(before, text)) {
                read(json, "{\"t\": \"" + time + "\", \"x\": 1}");
            }
            assertThat(fields.time()).isEqualTo(seconds);
            read(csv, before + ",1");
            read(csv, text + ",1");
            assertThat(fields.time()).isEqualTo(seconds);
        }
        read(json, "{\"t\": 1795089600000, \"x\": 1}");
        assertThat(fields.time()).isEqualTo(1795089600000.0);
        read(json, "{\"t\": null, \"x\": 1}");
        assertThat(fields.time()).isNaN();
    }

    @Test
    void aPatternSaysHowAmbiguousDatesAreMeant() {
        JsonFormat free = new JsonFormat(timed(null));
        read(free, "{\"t\": \"31/12/2026\", \"x\": 1}");
        assertThatThrownBy(() -> read(free, "{\"t\": \"1/2/2026\", \"x\": 1}"))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining("field 't': '1/2/2026' is neither a number nor a date")
                .hasMessageContaining("source.timeFormat");
        JsonFormat given = new JsonFormat(timed("d/M/yyyy"));
        read(given, "{\"t\": \"1/2/2026\", \"x\": 1}");
        assertThat(fields.time()).isEqualTo(1769904000);
        assertThatThrownBy(() -> read(given, "{\"t\": \"2026-02-01\", \"x\": 1}"))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining("not written as source.timeFormat says");
        read(new JsonFormat(timed("yyyyMMdd")), "{\"t\": 20260201, \"x\": 1}");
        assertThat(fields.time()).isEqualTo(1769904000);
        read(new CsvFormat(timed("yyyyMMdd"), List.of("t", "x"), ','), "20260201,1");
        assertThat(fields.time()).isEqualTo(1769904000);
    }
}
