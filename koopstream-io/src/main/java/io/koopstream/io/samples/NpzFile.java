package io.koopstream.io.samples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    private NpzFile() {}

    /** Arrays {@code x} and {@code x_next} are pairs; otherwise every array holds trajectories. */
    static SampleReader open(Path file) throws IOException {
        String source = file.toString();
        Map<String, Path> unpacked = new LinkedHashMap<>();
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        AutoCloseable cleanup = () -> {
            for (Path temporary : unpacked.values()) {
                Files.deleteIfExists(temporary);
            }
        };
        try {
            unpack(file, unpacked);
            for (Map.Entry<String, Path> entry : unpacked.entrySet()) {
                arrays.put(entry.getKey(), NpyArray.open(entry.getValue(), source + ":" + entry.getKey()));
            }
            if (arrays.isEmpty()) {
                throw new SampleFormatException(source, "holds no NPY array");
            }
            if (arrays.size() == 2 && arrays.containsKey("x") && arrays.containsKey("x_next")) {
                return NpySampleReader.pairs(source, arrays.get("x"), arrays.get("x_next"), cleanup);
            }
            return NpySampleReader.trajectories(source, List.copyOf(arrays.values()), cleanup);
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

    private static void unpack(Path file, Map<String, Path> unpacked) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (!entry.getName().endsWith(".npy")) {
                    continue;
                }
                // The entry's own name never becomes a path: it could point anywhere.
                Path temporary = Files.createTempFile("koop", ".npy");
                unpacked.put(entry.getName().substring(0, entry.getName().length() - 4), temporary);
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (ZipException e) {
            throw new SampleFormatException(file.toString(), "is a damaged NPZ file: " + e.getMessage());
        }
    }
}
