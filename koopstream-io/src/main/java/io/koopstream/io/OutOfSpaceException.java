package io.koopstream.io;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** The disk, or the share of it that the user may fill, is full. */
public final class OutOfSpaceException extends FileSystemException {

    private static final long serialVersionUID = 1L;

    /** @param file what was being written */
    public OutOfSpaceException(Path file) {
        super(file.toString(), null, "no space left on the disk");
    }
}
