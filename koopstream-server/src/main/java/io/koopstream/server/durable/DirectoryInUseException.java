package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;
import java.nio.file.Path;

/** A data directory that another process, or somebody else in this one, has open. */
public final class DirectoryInUseException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** @param directory the directory */
    DirectoryInUseException(Path directory) {
        super("data directory " + directory
                + " is in use by another server; stop that one, or choose another directory");
    }
}
