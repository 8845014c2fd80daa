package io.koopstream.io.samples;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Opens sources of samples. What a file holds is told from its first bytes, not from its name. */
public final class SampleReaders {

    private static final int SNIFFED = 512;

    static {
        ClassPathLibraries.open();
    }

    private SampleReaders() {}

    /** A file: CSV, JSON lines or an array of objects, both also compressed with gzip or zstd; NPY, NPZ or Parquet. */
    public static SampleReader open(Path file) throws IOException {
        return open(file, ColumnOptions.NONE);
    }

    /**
     * A file.
     *
     * @param options what somebody says about its columns
     */
    public static SampleReader open(Path file, ColumnOptions options) throws IOException {
        return resampled(ofFile(file, options), options);
    }

    private static SampleReader resampled(SampleReader rows, ColumnOptions options) throws IOException {
        if (options.resampling() == null) {
            return rows;
        }
        try {
            return new ResampledReader(rows, options.resampling());
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    private static SampleReader ofFile(Path file, ColumnOptions options) throws IOException {
        byte[] start = start(file);
        if (NpyHeader.isMagic(start)) {
            return NpySampleReader.trajectories(
                    file.toString(), options, List.of(NpyArray.open(file, file.toString())), () -> {});
        }
        if (startsWith(start, "PK\u0003\u0004")) {
            return NpzFile.open(file, options, NpzFile.MAX_UNPACKED);
        }
        if (startsWith(start, "PAR1")) {
            try {
                return ParquetSampleReader.open(file, options);
            } catch (NoClassDefFoundError e) {
                // Here, since without the library the class itself cannot be loaded.
                throw new SampleFormatException(
                        file.toString(),
                        "is a Parquet file; add blue.strategic.parquet:parquet-floor to the class path to read it");
            }
        }
        long size = Files.size(file);
        CountingStream counter = new CountingStream(Files.newInputStream(file));
        try {
            return text(
                    file.toString(),
                    counter,
                    () -> size == 0 ? 1 : Math.min(1.0, (double) counter.count() / size),
                    options);
        } catch (IOException | RuntimeException e) {
            counter.close();
            throw e;
        }
    }

    /**
     * Explicit pairs: row i of one NPY file with row i of another.
     *
     * @param options what somebody says about their columns
     */
    public static SampleReader pairs(Path states, Path next, ColumnOptions options) throws IOException {
        String source = states + " with " + next;
        NpyArray first = NpyArray.open(states, states.toString());
        try {
            NpyArray second = NpyArray.open(next, next.toString());
            try {
                return NpySampleReader.pairs(source, options, first, second, () -> {});
            } catch (RuntimeException e) {
                second.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            first.close();
            throw e;
        }
    }

    /** A stream without known end: CSV or JSON, as it is or compressed with gzip or zstd. */
    public static SampleReader open(InputStream stream, String source) throws IOException {
        return open(stream, source, ColumnOptions.NONE);
    }

    /**
     * A stream without known end: CSV or JSON, as it is or compressed with gzip or zstd.
     *
     * @param options what somebody says about its columns
     */
    public static SampleReader open(InputStream stream, String source, ColumnOptions options) throws IOException {
        return resampled(text(source, stream, () -> Double.NaN, options), options);
    }

    private static byte[] start(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": is a folder, expected a file with samples");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(8);
        }
    }

    private static boolean startsWith(byte[] bytes, String prefix) {
        return new String(bytes, StandardCharsets.ISO_8859_1).startsWith(prefix);
    }

    private static SampleReader text(String source, InputStream raw, DoubleSupplier share, ColumnOptions options)
            throws IOException {
        BufferedInputStream in = new BufferedInputStream(raw, 1 << 16);
        byte[] start = sniff(in);
        if (PackedStream.isPacked(start)) {
            in = new BufferedInputStream(new PackedStream(source, in, start), 1 << 16);
            start = sniff(in);
        }
        Charset charset = charset(source, in, start);
        Reader text = new InputStreamReader(in, charset);
        boolean json = charset.equals(StandardCharsets.UTF_8) && beginsAsJson(start);
        return json
                ? new JsonSampleReader(source, text, share, options)
                : new CsvSampleReader(source, text, share, options);
    }

    /** The first bytes, which are read again later. */
    private static byte[] sniff(BufferedInputStream in) throws IOException {
        in.mark(SNIFFED + 1);
        // As few reads as possible: of a stream without end, more bytes may be long in coming.
        byte[] start = new byte[SNIFFED];
        int read = 0;
        while (read < 4) {
            int more = in.read(start, read, SNIFFED - read);
            if (more < 0) {
                break;
            }
            read += more;
        }
        in.reset();
        return Arrays.copyOf(start, read);
    }

    /** The charset by the byte order mark, which is skipped; UTF-8 without one. */
    private static Charset charset(String source, InputStream in, byte[] start) throws IOException {
        String text = new String(start, StandardCharsets.ISO_8859_1);
        if (text.startsWith("\u00ef\u00bb\u00bf")) {
            in.skipNBytes(3);
            return StandardCharsets.UTF_8;
        }
        if (text.startsWith("\u00ff\u00fe") || text.startsWith("\u00fe\u00ff")) {
            in.skipNBytes(2);
            return text.charAt(0) == '\u00ff' ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
        }
        if (text.indexOf('\0') >= 0) {
            throw new SampleFormatException(
                    source, "is not text (it has zero bytes); expected CSV, JSON, NPY, NPZ or Parquet");
        }
        return StandardCharsets.UTF_8;
    }

    private static boolean beginsAsJson(byte[] start) {
        String text = new String(start, StandardCharsets.ISO_8859_1).replace("\u00ef\u00bb\u00bf", "");
        String first = text.stripLeading();
        return first.startsWith("{") || first.startsWith("[");
    }
}
