package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;
import io.koopstream.io.OutOfSpaceException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** A call on the file system failed. */
public final class StorageFailedException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /**
     * @param what what could not be done, and what to do
     * @param cause the error of the file system
     */
    public StorageFailedException(String what, Throwable cause) {
        super(what, cause);
    }

    /**
     * The typed error for a failed call.
     *
     * @param what what was being done, e.g. "writing the log of wells"
     */
    public static KoopstreamException of(String what, IOException cause) {
        if (cause instanceof OutOfSpaceException) {
            return new StorageFullException(what, cause);
        }
        return new StorageFailedException(what + " failed: " + explain(cause), cause);
    }

    private static String explain(IOException cause) {
        if (cause instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist; check the path, and create the directory above it";
        }
        if (cause instanceof AccessDeniedException denied) {
            return "permission denied on " + denied.getFile() + "; check its permissions";
        }
        if (cause instanceof FileSystemException system && system.getReason() != null) {
            return system.getFile() + ": " + system.getReason();
        }
        return cause.getMessage() + "; check the disk";
    }
}
