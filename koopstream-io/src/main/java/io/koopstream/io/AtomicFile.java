package io.koopstream.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Replaces a file in one step: at every moment, and after a crash or a loss of power, the old contents are there or the new ones, whole.
 */
final class AtomicFile {

    /** Names tried for the temporary file; more than this many writers at once, or files left by crashes, are refused. */
    private static final int MOST_TEMPORARIES = 1000;

    private AtomicFile() {}

    /** Puts the new contents into an open file. */
    interface Content {
        void writeTo(FileChannel file) throws IOException;
    }

    /**
     * Writes a temporary file beside the target, syncs it, renames it and syncs the directory. If anything fails the temporary file is
     * removed; the target then is as it was, except when only the last sync failed: then it is the new file, not yet certain to
     * survive a loss of power.
     */
    static void replace(Storage storage, Path target, Content content) throws IOException {
        Path directory = target.toAbsolutePath().getParent();
        if (directory == null || target.getFileName().toString().isEmpty()) {
            throw new FileSystemException(target.toString(), null, "it names no file");
        }
        Path temporary = null;
        try {
            for (int i = 0; temporary == null; i++) {
                // Short and of its own, so that a long name of the target cannot make it too long.
                Path candidate = directory.resolve(".koopstream-" + i + ".tmp");
                try (FileChannel file = storage.create(candidate)) {
                    temporary = candidate;
                    content.writeTo(file);
                    storage.sync(file);
                } catch (FileAlreadyExistsException e) {
                    if (temporary != null || i + 1 == MOST_TEMPORARIES) {
                        throw e;
                    }
                }
            }
            storage.rename(temporary, target);
            temporary = null;
            storage.syncDirectory(directory);
        } catch (IOException | RuntimeException | Error e) {
            if (temporary != null) {
                try {
                    storage.delete(temporary);
                } catch (IOException suppressed) {
                    e.addSuppressed(suppressed);
                }
            }
            throw e;
        }
    }
}
