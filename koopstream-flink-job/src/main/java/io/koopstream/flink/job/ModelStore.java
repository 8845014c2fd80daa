package io.koopstream.flink.job;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Model files of many streams in a folder, on any file system that Flink knows: {@code <stream>/<version>.safetensors}, the version in 19
 * digits so that names sort by it. A version is a number of samples and a model is a function of its samples, so writing one again after a
 * recovery writes the same bytes.
 */
class ModelStore implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final String SUFFIX = ".safetensors";
    private static final int DIGITS = 19;
    private static final int MAX_NAME = 200;

    private final String folder;

    ModelStore(String folder) {
        this.folder = folder;
    }

    /** A folder name for any key: letters, digits, dot, dash and underscore as they are, all else as %XX of its UTF-8. */
    static String folderName(String key) {
        StringBuilder name = new StringBuilder();
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b == '-' || b == '_' || (b > 0 && Character.isLetterOrDigit((char) b));
            // A leading dot would hide the folder, or name the one above.
            if (plain || (b == '.' && name.length() > 0)) {
                name.append((char) b);
            } else {
                name.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        // File systems take 255 bytes; the checksum keeps long keys apart, and no other name has a tilde.
        return name.length() == 0
                ? "%"
                : name.length() <= MAX_NAME
                        ? name.toString()
                        : name.substring(0, MAX_NAME / 2) + "~"
                                + ModelPointer.checksum(key.getBytes(StandardCharsets.UTF_8));
    }

    private Path streamFolder(String key) {
        return new Path(new Path(folder), folderName(key));
    }

    /** Writes a model under another name and renames it, so that a reader never sees half of one; returns where it is. */
    URI write(String key, long version, byte[] model) throws IOException {
        Path place = streamFolder(key);
        FileSystem files = place.getFileSystem();
        files.mkdirs(place);
        Path target = new Path(place, String.format("%0" + DIGITS + "d%s", version, SUFFIX));
        Path temporary = new Path(place, "." + target.getName() + ".tmp");
        try (FSDataOutputStream out = files.create(temporary, FileSystem.WriteMode.OVERWRITE)) {
            out.write(model);
            out.sync();
        }
        // After a recovery the same bytes are there already, and some file systems do not rename over a file.
        if (!files.rename(temporary, target) && !(files.delete(target, false) && files.rename(temporary, target))) {
            throw new IOException(temporary + " cannot be renamed to " + target + "; check the folder's permissions");
        }
        return target.toUri();
    }

    /** Versions of a stream, newest first. */
    List<Long> versions(String key) throws IOException {
        Path place = streamFolder(key);
        FileSystem files = place.getFileSystem();
        List<Long> versions = new ArrayList<>();
        FileStatus[] found = files.exists(place) ? files.listStatus(place) : new FileStatus[0];
        for (FileStatus file : found == null ? new FileStatus[0] : found) {
            String name = file.getPath().getName();
            if (name.matches("\\d{" + DIGITS + "}\\" + SUFFIX)) {
                versions.add(Long.parseLong(name.substring(0, DIGITS)));
            }
        }
        versions.sort(Comparator.reverseOrder());
        return versions;
    }

    /** Deletes what is older than the {@code keep} newest versions up to {@code newest}; what is newer stays. */
    void prune(String key, long newest, int keep) throws IOException {
        Path place = streamFolder(key);
        int kept = 0;
        for (long version : versions(key)) {
            if (version <= newest && ++kept > keep) {
                place.getFileSystem()
                        .delete(new Path(place, String.format("%0" + DIGITS + "d%s", version, SUFFIX)), false);
            }
        }
    }
}
