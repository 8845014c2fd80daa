package io.koopstream.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Replaces a file in one step: at every moment, and after a crash or a loss of power, the old contents are there or the new ones, whole. The
 * new ones are written to a temporary file beside it, which is synced, renamed, and the directory synced. If anything fails the temporary
 * file is removed; the target then is as it was, except when only the last sync failed: then it is the new file, not yet certain to survive
 * a loss of power.
 */
public final class AtomicFile implements Closeable {

    /** Names tried for the temporary file; more than this many writers at once, or files left by crashes, are refused. */
    private static final int MAX_TEMPORARIES = 1000;

    private static final String TEMPORARY = ".koopstream-";
    private static final String ENDING = ".tmp";

    private final Storage storage;
    private final Path target;
    private final Path directory;
    private final Storage.AppendFile file;
    private Path temporary;

    private AtomicFile(Storage storage, Path target) throws IOException {
        this.storage = storage;
        this.target = target;
        this.directory = target.toAbsolutePath().getParent();
        if (directory == null || target.getFileName().toString().isEmpty()) {
            throw new FileSystemException(target.toString(), null, "it names no file");
        }
        this.file = create();
    }

    private Storage.AppendFile create() throws IOException {
        for (int i = 0; ; i++) {
            // Short and of its own, so that a long name of the target cannot make it too long.
            temporary = directory.resolve(TEMPORARY + i + ENDING);
            try {
                return storage.create(temporary);
            } catch (FileAlreadyExistsException e) {
                if (i + 1 == MAX_TEMPORARIES) {
                    throw e;
                }
            }
        }
    }

    /** Begins to replace a file, which need not exist, for those who write to a path; its folder must. */
    public static AtomicFile begin(Path target) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IOException(target + ": its folder does not exist; create it first");
        }
        AtomicFile replaced = new AtomicFile(Storage.DISK, target);
        replaced.file.close();
        return replaced;
    }

    /** Where to write: an empty file. */
    public Path path() {
        return temporary;
    }

    /** Puts the file, which nobody has open any more, in its place. */
    public void commit() throws IOException {
        try (Storage.AppendFile written = storage.append(temporary)) {
            written.sync();
        }
        move();
    }

    private void move() throws IOException {
        storage.rename(temporary, target);
        temporary = null;
        storage.syncDirectory(directory);
    }

    /** Removes what was written unless it was put in its place. */
    @Override
    public void close() throws IOException {
        if (temporary != null) {
            storage.delete(temporary);
        }
    }

    /** Puts the new contents into an open file. */
    public interface Content {

        /** Writes all of it. */
        void writeTo(Storage.AppendFile file) throws IOException;
    }

    /** Replaces a file by what {@code content} writes. */
    public static void replace(Storage storage, Path target, Content content) throws IOException {
        try (AtomicFile replaced = new AtomicFile(storage, target)) {
            try (Storage.AppendFile file = replaced.file) {
                content.writeTo(file);
                file.sync();
            }
            replaced.move();
        }
    }

    /** Removes temporary files that a crash has left. Nobody may be writing into the directory. */
    public static void removeLeftOvers(Storage storage, Path directory) throws IOException {
        for (String name : storage.list(directory)) {
            if (name.startsWith(TEMPORARY) && name.endsWith(ENDING)) {
                storage.delete(directory.resolve(name));
            }
        }
    }
}
