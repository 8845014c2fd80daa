package io.koopstream.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The file system of the machine. */
final class DiskStorage implements Storage {

    private static final List<String> FULL = List.of("no space left", "disk quota exceeded", "not enough space");

    /** A file open for appending. */
    private record OpenFile(Path path, FileChannel channel) implements AppendFile {

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                throw isFull(e) ? outOfSpace(e) : e;
            }
        }

        @Override
        public void writeAt(long offset, ByteBuffer bytes) throws IOException {
            long at = offset;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        }

        /** The platform says it in words only. */
        private static boolean isFull(IOException e) {
            String message = e.getMessage() == null ? "" : e.getMessage().toLowerCase(Locale.ROOT);
            return FULL.stream().anyMatch(message::contains);
        }

        private IOException outOfSpace(IOException cause) {
            OutOfSpaceException full = new OutOfSpaceException(path);
            full.initCause(cause);
            return full;
        }

        @Override
        public void sync() throws IOException {
            channel.force(true);
        }

        @Override
        public void truncate(long length) throws IOException {
            channel.truncate(length);
            channel.position(length);
        }

        @Override
        public long length() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Override
    public AppendFile create(Path file) throws IOException {
        return new OpenFile(file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public AppendFile append(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            channel.position(channel.size());
            return new OpenFile(file, channel);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public ByteBuffer read(Path file) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        // Windows has no such call and refuses to open a directory.
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void openDirectory(Path directory) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            throw new FileSystemException(
                    directory.toString(), null, "it is a symbolic link; name the directory itself");
        }
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(directory);
                syncDirectory(directory.toAbsolutePath().getParent());
            } catch (FileAlreadyExistsException e) {
                throw new FileSystemException(directory.toString(), null, "it is a file, not a directory");
            }
        }
        if (Files.getFileStore(directory).isReadOnly()) {
            throw new FileSystemException(directory.toString(), null, "its file system is mounted read-only");
        }
        if (!Files.isWritable(directory)) {
            throw new java.nio.file.AccessDeniedException(directory.toString());
        }
    }

    @Override
    public Optional<Closeable> tryLock(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Somebody in this process has it.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        // Closing the channel gives the lock back. The file stays: removing it would let two processes lock two files.
        return lock == null ? Optional.empty() : Optional.of(channel);
    }
}
