package io.koopstream.io.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.NpyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NPY, NPZ and Parquet. */
class ArraySamplesTest {

    private static final List<String> EXPECTED = List.of("[1.0, 2.0]->[3.0, 4.0]", "[3.0, 4.0]->[5.0, 6.0]");

    @TempDir
    Path folder;

    private static byte[] npy(int version, String dtype, boolean fortran, String shape, double... numbers) {
        String dictionary = "{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False")
                + ", 'shape': (" + shape + "), }\n";
        byte[] text = dictionary.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer bytes =
                ByteBuffer.allocate(12 + text.length + 8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
        if (version == 1) {
            bytes.putShort((short) text.length);
        } else {
            bytes.putInt(text.length);
        }
        bytes.put(text).order(dtype.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        for (double number : numbers) {
            if (dtype.endsWith("4")) {
                bytes.putFloat((float) number);
            } else {
                bytes.putDouble(number);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private List<String> pairs(byte[] content) throws IOException {
        return RecordedPairs.of(Files.write(folder.resolve("a.bin"), content));
    }

    @Test
    void everyVersionPrecisionAndByteOrder() throws IOException {
        for (int version = 1; version <= 3; version++) {
            for (String dtype : List.of("<f8", ">f8", "<f4", ">f4")) {
                assertThat(pairs(npy(version, dtype, false, "3, 2", 1, 2, 3, 4, 5, 6)))
                        .as(version + dtype)
                        .isEqualTo(EXPECTED);
                assertThat(pairs(npy(version, dtype, true, "3, 2", 1, 3, 5, 2, 4, 6)))
                        .as(version + dtype + " Fortran")
                        .isEqualTo(EXPECTED);
            }
        }
    }

    @Test
    void oneAndThreeDimensions() throws IOException {
        assertThat(pairs(npy(1, "<f8", false, "3,", 1, 2, 3))).containsExactly("[1.0]->[2.0]", "[2.0]->[3.0]");
        assertThat(pairs(npy(1, "<f8", false, "2, 2, 1", 1, 2, 3, 4))).containsExactly("[1.0]->[2.0]", "[3.0]->[4.0]");
        assertThat(pairs(npy(1, "<f8", true, "2, 2, 1", 1, 3, 2, 4))).containsExactly("[1.0]->[2.0]", "[3.0]->[4.0]");
    }

    @Test
    void notANumberInterrupts() throws IOException {
        assertThat(pairs(npy(1, "<f8", false, "5,", 1, 2, Double.NaN, 4, 5)))
                .containsExactly("[1.0]->[2.0]", "[4.0]->[5.0]");
    }

    @Test
    void damagedAndForeignArrays() {
        byte[] good = npy(1, "<f8", false, "3, 2", 1, 2, 3, 4, 5, 6);
        assertThatThrownBy(() -> pairs(Arrays.copyOf(good, good.length - 1)))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("cut off");
        assertThatThrownBy(() -> pairs(Arrays.copyOf(good, 20))).isInstanceOf(SampleFormatException.class);
        assertThatThrownBy(() -> pairs(npy(1, "<c16", false, "3,", 1, 2, 3))).hasMessageContaining("float64");
        assertThatThrownBy(() -> pairs(npy(1, "<M8[s]", false, "3,", 1, 2, 3))).hasMessageContaining("float64");
        assertThatThrownBy(() -> pairs(npy(1, "|O", false, "3,", 1, 2, 3))).hasMessageContaining("float64");
        assertThatThrownBy(() -> pairs(npy(4, "<f8", false, "3,", 1, 2, 3))).hasMessageContaining("version 4");
        assertThatThrownBy(() -> pairs(npy(1, "<f8", false, "1, 1, 1, 1", 1))).hasMessageContaining("shape");
        assertThatThrownBy(() -> pairs(npy(1, "<f8", false, "4611686018427387904, 8", 1)))
                .isInstanceOf(SampleFormatException.class);
        assertThatThrownBy(() -> pairs(npy(1, "<f8", false, "99999999999999999999, 8", 1)))
                .isInstanceOf(SampleFormatException.class);
        assertThatThrownBy(() -> pairs(npy(1, "<f8", false, "-3, 8", 1))).isInstanceOf(SampleFormatException.class);
    }

    /** Counting through such shapes would take for ever. */
    @Test
    void shapesWithoutRowsAreRefusedAtOnce() {
        for (String shape : List.of("9000000000000000000, 0, 1", "0, 9000000000000000000, 1", "0, 2", "0,")) {
            assertThatThrownBy(() -> pairs(npy(1, "<f8", false, shape)))
                    .isInstanceOf(SampleFormatException.class)
                    .hasMessageContaining("no row");
        }
        assertThatThrownBy(() -> pairs(npy(1, "<f8", false, "5, 0"))).hasMessageContaining("0 coordinates");
    }

    @Test
    void numbersOfAllKinds() throws IOException {
        assertThat(pairs(raw("<i2", 1, 0, 0xff, 127, 0xff, 0xff)))
                .containsExactly("[1.0]->[32767.0]", "[32767.0]->[-1.0]");
        assertThat(pairs(raw("|u1", 1, 0xff, 3))).containsExactly("[1.0]->[255.0]", "[255.0]->[3.0]");
        assertThat(pairs(raw("|i1", 1, 0xff, 3))).containsExactly("[1.0]->[-1.0]", "[-1.0]->[3.0]");
        assertThat(pairs(raw("|b1", 1, 0, 1))).containsExactly("[1.0]->[0.0]", "[0.0]->[1.0]");
        assertThat(pairs(raw(">u4", 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff))).containsExactly("[1.0]->[4.294967295E9]");
        assertThat(pairs(raw("<i8", 1, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)))
                .containsExactly("[1.0]->[-2.0]");
        assertThat(pairs(raw("<u8", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80)))
                .containsExactly("[1.0]->[9.223372036854776E18]");
        // 1.5, the least number above zero and -65504, the largest below: IEEE 754-2019, table 3.5.
        assertThat(pairs(raw("<f2", 0, 0x3e, 1, 0, 0xff, 0xfb)))
                .containsExactly("[1.5]->[" + 0x1p-24 + "]", "[" + 0x1p-24 + "]->[-65504.0]");
    }

    /** An array of one column, from the bytes of its numbers. */
    private static byte[] raw(String dtype, int... numbers) {
        int size = dtype.charAt(2) - '0';
        byte[] header = npy(1, dtype, false, numbers.length / size + ",");
        byte[] all = Arrays.copyOf(header, header.length + numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            all[header.length + i] = (byte) numbers[i];
        }
        return all;
    }

    @Test
    void aZipThatUnpacksToTooMuchIsRefused() throws IOException {
        Path file = folder.resolve("a.npz");
        zip(file, "first", npy(1, "<f8", false, "2, 1", 1, 2), "second", npy(1, "<f8", false, "2, 1", 3, 4));
        assertThatThrownBy(() -> NpzFile.open(file, ColumnOptions.NONE, 150))
                .isInstanceOf(SampleFormatException.class)
                .hasMessageContaining("more than 150 bytes");
        try (SampleReader reader = NpzFile.open(file, ColumnOptions.NONE, 1_000)) {
            assertThat(RecordedPairs.of(reader)).hasSize(2);
        }
    }

    @Test
    void columnsOfArraysArePickedAndNamed() throws IOException {
        Path file = Files.write(folder.resolve("x.npy"), npy(1, "<f8", false, "2, 3", 1, 2, 3, 4, 5, 6));
        ColumnOptions options = new ColumnOptions(
                List.of("x3", "x1"), List.of(), null, null, null, null, List.of("a", "b"), Set.of(), List.of());
        try (SampleReader reader = SampleReaders.open(file, options)) {
            assertThat(reader.names()).containsExactly("a", "b");
            assertThat(RecordedPairs.of(reader)).containsExactly("[3.0, 1.0]->[6.0, 4.0]");
        }
        assertThatThrownBy(() -> SampleReaders.open(file, options.withColumns(List.of("x4"))))
                .hasMessageContaining("x1 to x3");
        assertThatThrownBy(() -> SampleReaders.open(file, options.withColumns(List.of())))
                .hasMessageContaining("2 names, a row has 3 coordinates");
    }

    @Test
    void pairsOfTwoFiles() throws IOException {
        Path x = Files.write(folder.resolve("x.npy"), npy(1, "<f8", false, "2, 1", 1, 5));
        Path y = Files.write(folder.resolve("y.npy"), npy(1, "<f4", false, "2, 1", 2, 6));
        Path z = Files.write(folder.resolve("z.npy"), npy(1, "<f4", false, "1, 1", 2));
        try (SampleReader reader = SampleReaders.pairs(x, y, ColumnOptions.NONE)) {
            assertThat(RecordedPairs.of(reader)).containsExactly("[1.0]->[2.0]", "[5.0]->[6.0]");
        }
        assertThatThrownBy(() -> SampleReaders.pairs(x, z, ColumnOptions.NONE)).hasMessageContaining("must agree");
    }

    @Test
    void arraysInAZip() throws IOException {
        Path file = folder.resolve("a.npz");
        zip(file, "first", npy(1, "<f8", false, "2, 1", 1, 2), "second", npy(1, "<f8", false, "2, 1", 3, 4));
        assertThat(RecordedPairs.of(file)).containsExactly("[1.0]->[2.0]", "[3.0]->[4.0]");
        zip(file, "x", npy(1, "<f8", false, "2, 1", 1, 5), "x_next", npy(1, "<f8", false, "2, 1", 2, 6));
        assertThat(RecordedPairs.of(file)).containsExactly("[1.0]->[2.0]", "[5.0]->[6.0]");
    }

    private static void zip(Path file, String name1, byte[] array1, String name2, byte[] array2) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(name1 + ".npy"));
            zip.write(array1);
            zip.putNextEntry(new ZipEntry(name2 + ".npy"));
            zip.write(array2);
        }
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (String name : List.of("t.csv", "t.parquet")) {
            Path file = folder.resolve(name);
            try (TableWriter writer = TableWriter.open(file, List.of("trajectory", "step", "x"), 2)) {
                writer.row(0, 0, 0.1);
                writer.row(0, 1, 1e-300);
                writer.row(1, 0, 5);
                writer.row(1, 1, -7.25);
                writer.commit();
            }
            assertThat(RecordedPairs.of(file)).as(name).containsExactly("[0.1]->[1.0E-300]", "[5.0]->[-7.25]");
        }
        Path array = folder.resolve("t.npy");
        try (NpyWriter writer = new NpyWriter(array, NpyWriter.Kind.REAL, 2)) {
            writer.write(1, 2);
            writer.write(3, 4, 5, 6);
            writer.commit();
        }
        assertThat(RecordedPairs.of(array)).isEqualTo(EXPECTED);
    }

    @Test
    void withoutCommitNothingIsLeft() throws IOException {
        try (TableWriter writer = TableWriter.open(folder.resolve("t.csv"), List.of("x"), 0)) {
            writer.row(1);
        }
        try (NpyWriter writer = new NpyWriter(folder.resolve("t.npy"), NpyWriter.Kind.REAL)) {
            writer.write(1);
        }
        assertThat(folder).isEmptyDirectory();
    }
}
