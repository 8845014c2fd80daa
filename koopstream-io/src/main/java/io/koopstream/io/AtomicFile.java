package io.koopstream.io;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Replaces a file in one step: at every moment, and after a crash or a loss of power, the old contents are there or the new ones, whole.
 */
public final class AtomicFile {

    /** Names tried for the temporary file; more than this many writers at once, or files left by crashes, are refused. */
    private static final int MOST_TEMPORARIES = 1000;

    private static final String TEMPORARY = ".koopstream-";
    private static final String ENDING = ".tmp";

    private AtomicFile() {}

    /** Removes temporary files that a crash has left. Nobody may be writing into the directory. */
    public static void removeLeftOvers(Storage storage, Path directory) throws IOException {
        for (String name : storage.list(directory)) {
            if (name.startsWith(TEMPORARY) && name.endsWith(ENDING)) {
                storage.delete(directory.resolve(name));
            }
        }
    }

    /** Puts the new contents into an open file. */
    public interface Content {

        /** Writes all of it. */
        void writeTo(Storage.AppendFile file) throws IOException;
    }

    /**
     * Writes a temporary file beside the target, syncs it, renames it and syncs the directory. If anything fails the temporary file is
     * removed; the target then is as it was, except when only the last sync failed: then it is the new file, not yet certain to
     * survive a loss of power.
     */
    public static void replace(Storage storage, Path target, Content content) throws IOException {
        Path directory = target.toAbsolutePath().getParent();
        if (directory == null || target.getFileName().toString().isEmpty()) {
            throw new FileSystemException(target.toString(), null, "it names no file");
        }
        Path temporary = null;
        try {
            for (int i = 0; temporary == null; i++) {
                // Short and of its own, so that a long name of the target cannot make it too long.
                Path candidate = directory.resolve(TEMPORARY + i + ENDING);
                try (Storage.AppendFile file = storage.create(candidate)) {
                    temporary = candidate;
                    content.writeTo(file);
                    file.sync();
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
