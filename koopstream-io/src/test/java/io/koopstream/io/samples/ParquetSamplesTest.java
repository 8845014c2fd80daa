package io.koopstream.io.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parquet files of other writers: those of DuckDB that samples/parquet.sql made. */
class ParquetSamplesTest {

    /** 2020-01-02 03:04:05.25 in seconds since 1970. */
    private static final double START = 1577934245.25;

    @TempDir
    Path folder;

    private static Path file(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(ParquetSamplesTest.class.getResource("/samples/" + name))
                .toURI());
    }

    private static List<Sample> rows(SampleReader reader) throws IOException {
        List<Sample> rows = new ArrayList<>();
        Sample sample = new Sample();
        while (reader.read(sample)) {
            Sample copy = new Sample();
            copy.copyOf(sample);
            rows.add(copy);
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "gzip", "zstd", "brotli", "lz4", "uncompressed"})
    void filesOfAllCompressionsHoldTheSame(String codec) throws IOException, URISyntaxException {
        try (SampleReader reader = SampleReaders.open(file("duckdb-" + codec + ".parquet"))) {
            assertThat(reader.names()).containsExactly("x", "y", "f", "cents", "wide");
            assertThat(reader.timeStyle()).map(TimeStyle::isDated).hasValue(true);
            assertThat(reader.notes())
                    .anyMatch(note -> note.startsWith("times in 'time' (yyyy-MM-dd HH:mm:ss"))
                    .anyMatch(note -> note.startsWith("column 'level' holds text ('low')"))
                    .anyMatch(note -> note.startsWith("column 'even' holds text ('true')"));
            List<Sample> rows = rows(reader);
            assertThat(rows).hasSize(40);
            for (int i = 0; i < 40; i++) {
                Sample row = rows.get(i);
                assertThat(row.time()).isEqualTo(START + 3600 * i);
                assertThat(row.state())
                        .containsExactly(i / 4.0, i % 5 == 3 ? Double.NaN : i * i, i / 8.0, i / 100.0, i / 100.0);
            }
            assertThat(reader.share()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"millis, at_ms", "nanos, at_ns", "zoned, at_utc"})
    void timestampsOfAllUnitsAreSeconds(String name, String column) throws IOException, URISyntaxException {
        try (SampleReader reader = SampleReaders.open(file("duckdb-" + name + ".parquet"))) {
            assertThat(reader.notes()).anyMatch(note -> note.startsWith("times in '" + column + "'"));
            assertThat(rows(reader))
                    .hasSize(40)
                    .first()
                    .satisfies(row -> assertThat(row.time()).isEqualTo(START));
        }
    }

    @Test
    void datesAreMidnightAndNestedColumnsAreSetAside() throws IOException, URISyntaxException {
        try (SampleReader reader = SampleReaders.open(file("duckdb-dates.parquet"))) {
            assertThat(reader.names()).containsExactly("x");
            assertThat(reader.timeStyle()).hasValue(TimeStyle.ofPattern("yyyy-MM-dd"));
            assertThat(reader.notes()).anyMatch(note -> note.startsWith("column 'pair' holds nested values"));
            assertThat(rows(reader))
                    .element(1)
                    .satisfies(row -> assertThat(row.time()).isEqualTo(86_400.0 * 18_264));
        }
    }

    @Test
    void textTellsTrajectoriesApart() throws IOException, URISyntaxException {
        ColumnOptions options = new ColumnOptions(
                List.of("x"), List.of(), null, null, "level", null, List.of(), java.util.Set.of(), List.of());
        try (SampleReader reader = SampleReaders.open(file("duckdb-gzip.parquet"), options)) {
            assertThat(rows(reader)).extracting(Sample::trajectory).startsWith("low", "high", "low");
        }
    }

    /** A page that is damaged is said to be, and ends the reading. */
    @ParameterizedTest
    @ValueSource(strings = {"snappy", "gzip", "zstd", "brotli"})
    void damageIsReported(String codec) throws IOException, URISyntaxException {
        byte[] bytes = Files.readAllBytes(file("duckdb-" + codec + ".parquet"));
        java.util.Arrays.fill(bytes, 30, 300, (byte) 0x5a);
        Path damaged = Files.write(folder.resolve("damaged.parquet"), bytes);
        assertThatThrownBy(() -> {
                    try (SampleReader reader = SampleReaders.open(damaged)) {
                        rows(reader);
                    }
                })
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("damaged");
    }

    /** All that the tests run with, modules too. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "");
    }

    /** The library is optional: who has not got it is told its name, not that a class is missing. */
    @Test
    void withoutTheLibraryItsNameIsTold() throws Exception {
        List<URL> others = new ArrayList<>();
        for (String entry : classPath().split(File.pathSeparator, -1)) {
            if (!entry.contains("/parquet-")) {
                others.add(Path.of(entry).toUri().toURL());
            }
        }
        // Without a parent: that of the platform finds what is in modules.
        try (URLClassLoader without = new URLClassLoader(others.toArray(URL[]::new), null)) {
            Method open = without.loadClass(SampleReaders.class.getName()).getMethod("open", Path.class);
            Path file = file("duckdb-snappy.parquet");
            assertThatThrownBy(() -> open.invoke(null, file))
                    .cause()
                    .hasMessageContaining("parquet-floor")
                    .satisfies(cause ->
                            assertThat(cause.getClass().getName()).isEqualTo(SampleFormatException.class.getName()));
        }
    }

    /** Reads a file; in a process of its own, because memory that is short is short for all. */
    static final class Main {
        private Main() {}

        public static void main(String[] file) throws IOException {
            try (SampleReader reader = SampleReaders.open(Path.of(file[0]))) {
                System.out.println(rows(reader).size());
            } catch (SampleFormatException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void aRowGroupLargerThanTheHeapIsToldAsSuch() throws Exception {
        Path large = folder.resolve("large.parquet");
        SplittableRandom random = new SplittableRandom(1);
        try (TableWriter writer = TableWriter.open(large, List.of("x"), 0)) {
            for (int i = 0; i < 4_000_000; i++) {
                writer.row(List.of(), random.nextDouble());
            }
            writer.commit();
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath(),
                        Main.class.getName(),
                        large.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("large.parquet: asks for more memory than there is", "-Xmx");
    }
}
