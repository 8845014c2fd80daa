package io.koopstream.io;

import io.koopstream.KoopstreamException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A model file that cannot be reached: missing, a directory, not permitted, a full disk. Its contents were not judged. */
public final class ModelAccessException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    // A Path is not serializable, exceptions are; the text is what a message needs.
    private final String path;

    /**
     * @param doing what was tried, e.g. "read"
     * @param path the file
     * @param cause why it failed
     */
    ModelAccessException(String doing, Path path, IOException cause) {
        super("cannot " + doing + " model file " + path + ": " + explain(path, cause), cause);
        this.path = path.toString();
    }

    /** The file. */
    public Path path() {
        return Path.of(path);
    }

    private static String explain(Path path, IOException cause) {
        if (cause instanceof NoSuchFileException missing) {
            return path.toString().equals(missing.getFile())
                    ? "there is no such file; check the path"
                    : "its directory does not exist; create it first";
        }
        if (cause instanceof AccessDeniedException) {
            return "permission denied; check the rights on the file and its directory";
        }
        String reason = cause instanceof FileSystemException system ? system.getReason() : cause.getMessage();
        return (reason == null ? cause.getClass().getSimpleName() : reason) + "; check the file and the disk";
    }
}
