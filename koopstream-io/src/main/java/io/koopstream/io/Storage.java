package io.koopstream.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The calls on a file system that everything durable is made of, apart from each other so that a test can let each of them fail, or lose what
 * was not synced. Files are written from front to back or replaced whole; only slots of a fixed size are overwritten.
 *
 * <p>Implementations are thread-safe; one file is written by one thread at a time.
 */
public interface Storage {

    /** The file system of the machine. */
    Storage DISK = new DiskStorage();

    /** A file that is open for appending. */
    interface AppendFile extends Closeable {

        /**
         * Appends all of the bytes. After a failure some of them may be there.
         *
         * @throws OutOfSpaceException if the disk is full
         */
        void write(ByteBuffer bytes) throws IOException;

        /** Overwrites bytes that are there; where the next {@link #write} goes stays as it is. */
        void writeAt(long offset, ByteBuffer bytes) throws IOException;

        /** Waits until the file's contents would survive a loss of power. After a failure nothing is known about what was written before. */
        void sync() throws IOException;

        /** Cuts the file; the next write goes to its new end. */
        void truncate(long length) throws IOException;

        /** How many bytes the file has. */
        long length() throws IOException;
    }

    /** Creates a file that must not exist. */
    AppendFile create(Path file) throws IOException;

    /** Opens a file that exists, to go on at its end. */
    AppendFile append(Path file) throws IOException;

    /** All bytes of a file. */
    ByteBuffer read(Path file) throws IOException;

    /** Gives the file another name in one step; whatever had that name is gone. */
    void rename(Path from, Path to) throws IOException;

    /** Waits until the names in the directory would survive a loss of power. */
    void syncDirectory(Path directory) throws IOException;

    /** Removes a file if it is there. */
    void delete(Path file) throws IOException;

    /** The names of the files in a directory, in the order of their characters. */
    List<String> list(Path directory) throws IOException;

    /** Makes sure that a directory is there and may be written to; creates it, but not those above it. A symbolic link is refused. */
    void openDirectory(Path directory) throws IOException;

    /**
     * Locks a file, which is created, against all others that lock it, in this process or another; the lock ends when it is closed or the
     * process dies.
     *
     * @return empty when somebody has it
     */
    Optional<Closeable> tryLock(Path file) throws IOException;
}
