package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * An exchange in a folder that all tasks see, of any file system that Flink knows: a folder for each stream, a file for each number. The newest {@value #KEPT}
 * files are kept. A file appears whole, by being renamed; that only one task writes is up to the job, whose last stage is one task.
 */
public final class FolderExchange implements ModelExchange {

    private static final long serialVersionUID = 1L;

    private static final int KEPT = 8;
    private static final String SUFFIX = ".safetensors";

    private final URI folder;

    /** @param folder an URI, e.g. {@code file:///data/exchange} */
    public FolderExchange(String folder) {
        try {
            this.folder = new Path(folder).toUri();
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigException("exchange", folder, "must be the URI of a folder: " + e.getMessage());
        }
        if (this.folder.getScheme() == null) {
            // Every task would look into a folder of its own.
            throw new InvalidConfigException("exchange", folder, "must be a whole URI, e.g. file:///data/exchange");
        }
    }

    private Path of(String stream) {
        // A name that every file system takes, and that no other stream has.
        StringBuilder name = new StringBuilder();
        for (byte b : stream.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '-';
            name.append(plain ? String.valueOf((char) b) : String.format("_%02x", b & 0xff));
        }
        return new Path(new Path(folder), name.toString());
    }

    private static Path file(Path of, long number) {
        return new Path(of, String.format("%019d", number) + SUFFIX);
    }

    private long[] numbers(Path of) throws IOException {
        FileStatus[] files;
        try {
            files = of.getFileSystem().listStatus(of);
        } catch (FileNotFoundException e) {
            return new long[0];
        }
        return files == null
                ? new long[0]
                : Stream.of(files)
                        .map(file -> file.getPath().getName())
                        .filter(name -> name.matches("[0-9]{19}\\" + SUFFIX))
                        .mapToLong(name -> Long.parseLong(name.substring(0, 19)))
                        .sorted()
                        .toArray();
    }

    @Override
    public OptionalLong newest(String stream) throws IOException {
        long[] numbers = numbers(of(stream));
        return numbers.length == 0 ? OptionalLong.empty() : OptionalLong.of(numbers[numbers.length - 1]);
    }

    @Override
    public byte[] read(String stream, long number) throws IOException {
        Path file = file(of(stream), number);
        try (InputStream bytes = file.getFileSystem().open(file)) {
            return bytes.readAllBytes();
        }
    }

    @Override
    public boolean publish(String stream, long number, byte[] model) throws IOException {
        Path of = of(stream);
        Path file = file(of, number);
        FileSystem files = of.getFileSystem();
        if (files.exists(file)) {
            return false;
        }
        files.mkdirs(of);
        Path whole = new Path(of, "." + UUID.randomUUID());
        try (OutputStream bytes = files.create(whole, FileSystem.WriteMode.NO_OVERWRITE)) {
            bytes.write(model);
        }
        if (!files.rename(whole, file)) {
            files.delete(whole, false);
            throw new IOException(file + " cannot be written");
        }
        long[] numbers = numbers(of);
        for (int i = 0; i < numbers.length - KEPT; i++) {
            files.delete(file(of, numbers[i]), false);
        }
        return true;
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
