package io.koopstream.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The calls on the file system that a write is made of, apart from each other so that a test can let each of them fail. */
interface Storage {

    /** The file system of the machine. */
    Storage DISK = new Storage() {};

    /** Creates a file that must not exist. */
    default FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Appends all of the bytes. */
    default void write(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** Waits until the file's contents would survive a loss of power. */
    default void sync(FileChannel file) throws IOException {
        file.force(true);
    }

    /** Gives the file another name in one step; whatever had that name is gone. */
    default void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Waits until the names in the directory would survive a loss of power. */
    default void syncDirectory(Path directory) throws IOException {
        // Windows has no such call and refuses to open a directory.
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Removes a file if it is there. */
    default void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }
}
