package io.koopstream.io.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CSV and JSON lines: what is read, and that no pair is ever made of states that do not follow each other. */
class TextSamplesTest {

    @TempDir
    Path folder;

    private List<String> pairs(String text) throws IOException {
        return RecordedPairs.of(Files.writeString(folder.resolve("samples.txt"), text));
    }

    private static List<String> stream(String text) throws IOException {
        try (SampleReader reader =
                SampleReaders.open(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "standard input")) {
            return RecordedPairs.of(reader);
        }
    }

    @Test
    void successiveRowsArePairs() throws IOException {
        assertThat(pairs("x,y\n1,2\n3,4\n5,6\n")).containsExactly("[1.0, 2.0]->[3.0, 4.0]", "[3.0, 4.0]->[5.0, 6.0]");
    }

    @Test
    void quotesCommentsAndAllLineEnds() throws IOException {
        assertThat(pairs("\r\n# made by hand\r\n\"x, in m\";y\r\n1;2\r\n# pause\r\n\"3\"; 4\r\n"))
                .containsExactly("[1.0, 2.0]->[3.0, 4.0]");
        assertThat(pairs("x\ty\n1\t2\n3\t4")).containsExactly("[1.0, 2.0]->[3.0, 4.0]");
    }

    /** Of a source that writes a line a row, a blank one is a row that is missing. */
    @Test
    void blankLinesOfAFollowedSourceAreBadRows() throws IOException {
        assertThat(followed("\nx\n1\n2\n\n3\n4\n")).containsExactly("[1.0]->[2.0]", "bad 5", "[3.0]->[4.0]");
        assertThat(followed("trajectory,x\na,1\nb,5\n\na,2\nb,6\nb,7\n"))
                .as("it may have been of either trajectory")
                .containsExactly("bad 4", "[6.0]->[7.0]");
        assertThat(followed("\n{\"x\":1}\n{\"x\":2}\n \n{\"x\":3}\n{\"x\":4}\n"))
                .containsExactly("[1.0]->[2.0]", "bad 4", "[3.0]->[4.0]");
    }

    private static List<String> followed(String text) throws IOException {
        try (SampleReader reader =
                SampleReaders.open(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "a source")) {
            return RecordedPairs.of(reader);
        }
    }

    @Test
    void aChangeOfTrajectoryIsNoPair() throws IOException {
        assertThat(pairs("trajectory,x\na,1\na,2\nb,3\nb,4\n")).containsExactly("[1.0]->[2.0]", "[3.0]->[4.0]");
    }

    @Test
    void interleavedTrajectoriesAreFollowedEach() throws IOException {
        assertThat(pairs("x,trajectory\n1,a\n10,b\n2,a\n20,b\n")).containsExactly("[1.0]->[2.0]", "[10.0]->[20.0]");
    }

    @Test
    void stepsMustRiseByOne() throws IOException {
        assertThat(pairs("step,x\n0,1\n1,2\n3,4\n4,5\n4,6\n0,7\n1,8\n"))
                .containsExactly("[1.0]->[2.0]", "[4.0]->[5.0]", "[7.0]->[8.0]");
    }

    @Test
    void timesMustRiseByAboutOneInterval() throws IOException {
        assertThat(pairs("time,x\n0,1\n0.1,2\n0.21,3\n0.5,4\n0.6,5\n0.55,6\n"))
                .containsExactly("[1.0]->[2.0]", "[2.0]->[3.0]", "[4.0]->[5.0]");
    }

    @Test
    void aBadRowIsNeitherStartNorEnd() throws IOException {
        assertThat(pairs("x\n1\n2\nNaN\n3\n4\n"))
                .as("a value that is not known is a gap")
                .containsExactly("[1.0]->[2.0]", "[3.0]->[4.0]");
        assertThat(pairs("x\n1\n2\noops\n3\n4\n")).containsExactly("[1.0]->[2.0]", "bad 4", "[3.0]->[4.0]");
        assertThat(pairs("x\n1\n2\ninf\n3\n4\n")).containsExactly("[1.0]->[2.0]", "bad 4", "[3.0]->[4.0]");
        assertThat(pairs("x\n1\n1e200\n3\n4\n")).containsExactly("bad 3", "[3.0]->[4.0]");
        assertThat(pairs("x,y\n1,1\n2\n3,3\n4,4\n")).containsExactly("bad 3", "[3.0, 3.0]->[4.0, 4.0]");
    }

    @Test
    void aBlankLineIsARowWithoutNumbers() throws IOException {
        assertThat(pairs("x\n1\n2\n\n\n50\n51\n")).containsExactly("[1.0]->[2.0]", "bad 4", "bad 5", "[50.0]->[51.0]");
        assertThat(pairs("x,y\r\n1,1\r\n \t\r\n3,3\r\n4,4\r\n")).containsExactly("bad 3", "[3.0, 3.0]->[4.0, 4.0]");
        assertThat(pairs("x\n1\n\n# pause\n\noops\n3\n4\n")).containsExactly("bad 3", "bad 5", "bad 6", "[3.0]->[4.0]");
        assertThat(stream("[1]\n[2]\n\n \t\r\n[50]\n[51]\n"))
                .containsExactly("[1.0]->[2.0]", "bad 3", "bad 4", "[50.0]->[51.0]");
    }

    @Test
    void aBlankLineMayBelongToAnyTrajectory() throws IOException {
        assertThat(pairs("trajectory,x\na,1\nb,10\n\na,2\nb,20\na,3\nb,30\n"))
                .containsExactly("bad 4", "[2.0]->[3.0]", "[20.0]->[30.0]");
    }

    @Test
    void blankLinesAtTheEndAreNoRows() throws IOException {
        assertThat(pairs("x\n1\n2\n\n\n")).containsExactly("[1.0]->[2.0]");
        assertThat(pairs("x,y\n1,1\n2,2\n\n# the end\n \n")).containsExactly("[1.0, 1.0]->[2.0, 2.0]");
        assertThat(stream("\n[1]\n[2]\n\n\n")).containsExactly("[1.0]->[2.0]");
    }

    @Test
    void aBlankLineSaysWhereItIsAndWhatWasExpected() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "x,y\n1,1\n\n2,2\n");
        try (SampleReader reader = SampleReaders.open(file)) {
            Sample sample = new Sample();
            assertThat(reader.read(sample)).isTrue();
            assertThatThrownBy(() -> reader.read(sample))
                    .isInstanceOf(BadRowException.class)
                    .hasMessageContaining("a.csv, line 3: is blank, expected a row");
            // Another object than the row was found with.
            Sample after = new Sample();
            assertThat(reader.read(after)).isTrue();
            assertThat(after.state()).containsExactly(2, 2);
            assertThat(after.row()).isEqualTo(4);
        }
    }

    /** Cells that have moved, and lines that are not JSON, do not tell whose they were. */
    @Test
    void aRowThatCannotBeTakenApartInterruptsAllTrajectories() throws IOException {
        assertThat(pairs("x,trajectory\n1,a\n2,5,a\n3,a\n4,a\n")).containsExactly("bad 3", "[3.0]->[4.0]");
        String a = "{\"trajectory\": \"a\", \"x\": ";
        String b = "{\"trajectory\": \"b\", \"x\": ";
        assertThat(stream(a + "1}\n" + b + "1}\n" + a + b + "2}\n" + b + "3}\n" + b + "4}\n"))
                .containsExactly("bad 3", "[3.0]->[4.0]");
        assertThat(stream(a + "1}\n" + a + "2} " + a + "3}\n" + a + "4}\n")).containsExactly("bad 2");
    }

    @Test
    void aBadRowInterruptsItsOwnTrajectoryOnly() throws IOException {
        assertThat(pairs("trajectory,x\na,1\nb,10\na,oops\nb,20\na,3\na,4\n"))
                .containsExactly("bad 4", "[10.0]->[20.0]", "[3.0]->[4.0]");
    }

    @Test
    void explicitPairsNeedNoNeighbours() throws IOException {
        assertThat(pairs("a,b,a_next,b_next\n1,2,3,4\n9,9,8,8\n"))
                .containsExactly("[1.0, 2.0]->[3.0, 4.0]", "[9.0, 9.0]->[8.0, 8.0]");
        assertThat(pairs("b_next,a,a_next,b\n4,1,3,2\n")).containsExactly("[1.0, 2.0]->[3.0, 4.0]");
        assertThatThrownBy(() -> pairs("a,b,a_next\n1,2,3\n"))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("'b_next' is missing");
    }

    @Test
    void headersThatCannotBe() {
        assertThatThrownBy(() -> pairs("x,x\n1,2\n")).hasMessageContaining("duplicate column 'x': columns 1 and 2");
        assertThatThrownBy(() -> pairs("x,x_next,x_next_next\n1,2,3\n"))
                .hasMessageContaining("'x_next_next_next' is missing");
        assertThatThrownBy(() -> pairs("time,step\n1,2\n")).hasMessageContaining("no state column");
        assertThatThrownBy(() -> pairs("1,2\n3,4\n")).hasMessageContaining("header");
    }

    @Test
    void jsonLines() throws IOException {
        assertThat(
                        stream(
                                "{\"x\": 1, \"trajectory\": 7}\n{\"trajectory\": 7, \"x\": 2.5}\n{\"x\": 3, \"trajectory\": \"8\"}\n"))
                .containsExactly("[1.0]->[2.5]");
        assertThat(stream("[1, 2]\n[3, 4]\n")).containsExactly("[1.0, 2.0]->[3.0, 4.0]");
        assertThat(stream("{\"x\": 1}\n{\"x\": 2}\n{\"x\": null}\n{\"y\": 1}\n{broken\n{\"x\": 3}\n{\"x\": 4}\n"))
                .as("two objects without x are gaps, a line that is no JSON is bad")
                .containsExactly("[1.0]->[2.0]", "bad 5", "[3.0]->[4.0]");
        assertThat(stream("{\"a\": 1, \"a_next\": 2}\n")).containsExactly("[1.0]->[2.0]");
    }

    @Test
    void csvOnAStream() throws IOException {
        assertThat(stream("x\n1\n2\n")).containsExactly("[1.0]->[2.0]");
        assertThatThrownBy(() -> stream(""))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("empty");
    }

    @Test
    void delayVectorsStayWithinTheirTrajectory() throws IOException {
        Path file = Files.writeString(
                folder.resolve("d.csv"), "trajectory,x\na,1\na,2\nb,10\na,3\nb,11\na,oops\na,4\na,5\na,6\nb,12\n");
        try (SampleReader reader = SampleReaders.open(file)) {
            assertThat(RecordedPairs.of(reader, 1, 1))
                    .containsExactly(
                            "[2.0, 1.0]->[3.0, 2.0]", "bad 7", "[5.0, 4.0]->[6.0, 5.0]", "[11.0, 10.0]->[12.0, 11.0]");
        }
        Path pairs = Files.writeString(folder.resolve("p.csv"), "x,x_next\n1,2\n");
        try (SampleReader reader = SampleReaders.open(pairs)) {
            assertThat(RecordedPairs.of(reader, 1, 1))
                    .as("delays need trajectories")
                    .containsExactly("bad 2");
        }
    }

    /** Told by its first bytes, in a file and in a stream. */
    @Test
    void compressedTextIsReadAsWhatItHolds() throws IOException {
        StringBuilder csv = new StringBuilder("date,x\n");
        for (int i = 0; i < 5_000; i++) {
            csv.append(String.format(Locale.ROOT, "2020-01-01 %02d:%02d:%02d,%d%n", i / 3600, i / 60 % 60, i % 60, i));
        }
        for (String text : List.of(csv.toString(), "{\"x\": 1}\n{\"x\": 2}\n", "[{\"x\": 1}, {\"x\": 2}]")) {
            List<String> expected = stream(text);
            assertThat(expected).isNotEmpty();
            for (byte[] packed : List.of(gzip(text), zstd(text))) {
                assertThat(RecordedPairs.of(Files.write(folder.resolve("packed"), packed)))
                        .isEqualTo(expected);
                try (SampleReader reader = SampleReaders.open(new ByteArrayInputStream(packed), "a stream")) {
                    assertThat(RecordedPairs.of(reader)).isEqualTo(expected);
                }
            }
        }
        for (byte[] packed : List.of(gzip(csv.toString()), zstd(csv.toString()))) {
            Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(packed, packed.length / 2));
            assertThatThrownBy(() -> RecordedPairs.of(cut))
                    .isInstanceOf(SampleFormatException.class)
                    .hasMessageContaining("is compressed and");
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] zstd(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new ZstdOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    /** Of a stream no more is read than it takes: the row after the first may be long in coming. */
    @Test
    void aStreamTellsItsColumnsFromItsFirstRow() throws IOException {
        String text = "date,x,note\n2020-01-01,1,ok\n";
        InputStream stuck = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("asked for more than the first row");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                return read();
            }
        };
        try (SampleReader reader = SampleReaders.open(
                new SequenceInputStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), stuck),
                "a stream")) {
            assertThat(reader.names()).containsExactly("x");
            assertThat(reader.read(new Sample())).isTrue();
        }
    }

    @Test
    void aJsonArrayThatIsDamagedSaysWhere() {
        assertThatThrownBy(() -> stream("[{\"x\": 1},\n{\"x\": 2}\nwhat"))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("line 3");
        assertThatThrownBy(() -> stream("[{\"x\": 1},\n{\"x\": 2")).hasMessageContaining("cut off");
        assertThatThrownBy(() -> stream("[{\"x\": 1}, {\"x\": 2}")).hasMessageContaining("cut off");
    }
}
