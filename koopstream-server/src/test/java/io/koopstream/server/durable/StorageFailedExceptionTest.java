package io.koopstream.server.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.OutOfSpaceException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a failed call of the file system is told as; as root, no real call is denied. */
class StorageFailedExceptionTest {

    private static String told(IOException cause) {
        return StorageFailedException.of("writing the log of wells", cause).getMessage();
    }

    @Test
    void everyCauseSaysWhatToDo() {
        assertThat(told(new AccessDeniedException("data/wells.log")))
                .isEqualTo(
                        "writing the log of wells failed: permission denied on data/wells.log; check its permissions");
        assertThat(told(new NoSuchFileException("data/wells.log")))
                .isEqualTo(
                        "writing the log of wells failed: data/wells.log does not exist; check the path, and create the directory above it");
        assertThat(told(new FileSystemException("data/wells.log", null, "Read-only file system")))
                .isEqualTo("writing the log of wells failed: data/wells.log: Read-only file system");
        assertThat(told(new IOException("Input/output error")))
                .isEqualTo("writing the log of wells failed: Input/output error; check the disk");
        assertThat(StorageFailedException.of("writing", new OutOfSpaceException(Path.of("wells.log"))))
                .isInstanceOf(StorageFullException.class);
    }
}
