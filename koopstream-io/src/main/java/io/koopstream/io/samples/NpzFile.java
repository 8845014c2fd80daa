package io.koopstream.io.samples;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Arrays in a zip. They are unpacked to temporary files, because compressed numbers cannot be mapped; the temporary files go when the
 * reader is closed.
 */
final class NpzFile {

    /** More than this is not unpacked: a small file may promise to fill any disk. */
    static final long MAX_UNPACKED = 8L << 30;

    private NpzFile() {}

    /** Arrays {@code x} and {@code x_next} are pairs; otherwise every array holds trajectories. */
    static SampleReader open(Path file, ColumnOptions options, long maxUnpacked) throws IOException {
        String source = file.toString();
        Map<String, Path> unpacked = new LinkedHashMap<>();
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        AutoCloseable cleanup = () -> {
            for (Path temporary : unpacked.values()) {
                Files.deleteIfExists(temporary);
            }
        };
        try {
            unpack(file, unpacked, maxUnpacked);
            for (Map.Entry<String, Path> entry : unpacked.entrySet()) {
                arrays.put(entry.getKey(), NpyArray.open(entry.getValue(), source + ":" + entry.getKey()));
            }
            if (arrays.isEmpty()) {
                throw new SampleFormatException(source, "holds no NPY array");
            }
            if (arrays.size() == 2 && arrays.containsKey("x") && arrays.containsKey("x_next")) {
                return NpySampleReader.pairs(source, options, arrays.get("x"), arrays.get("x_next"), cleanup);
            }
            return NpySampleReader.trajectories(source, options, List.copyOf(arrays.values()), cleanup);
        } catch (IOException | RuntimeException e) {
            for (NpyArray array : arrays.values()) {
                array.close();
            }
            for (Path temporary : unpacked.values()) {
                Files.deleteIfExists(temporary);
            }
            throw e;
        }
    }

    private static void unpack(Path file, Map<String, Path> unpacked, long maxUnpacked) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            long left = maxUnpacked;
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (!entry.getName().endsWith(".npy")) {
                    continue;
                }
                String name = entry.getName().substring(0, entry.getName().length() - 4);
                if (unpacked.containsKey(name)) {
                    throw new SampleFormatException(file.toString(), "holds two arrays of one name");
                }
                // The entry's own name never becomes a path: it could point anywhere.
                Path temporary = Files.createTempFile("koop", ".npy");
                unpacked.put(name, temporary);
                try (InputStream in = zip.getInputStream(entry);
                        OutputStream out = Files.newOutputStream(temporary)) {
                    left -= copy(in, out, left);
                }
                if (left < 0) {
                    throw new SampleFormatException(
                            file.toString(),
                            "unpacks to more than " + maxUnpacked + " bytes; save its arrays as NPY files");
                }
            }
        } catch (ZipException | EOFException e) {
            throw new SampleFormatException(
                    file.toString(), "is a damaged NPZ file" + (e.getMessage() == null ? "" : ": " + e.getMessage()));
        }
    }

    /** Copies until the end, or just over the limit. */
    private static long copy(InputStream in, OutputStream out, long limit) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long copied = 0;
        for (int read = in.read(buffer); read >= 0 && copied <= limit; read = in.read(buffer)) {
            out.write(buffer, 0, read);
            copied += read;
        }
        return copied;
    }
}
