package io.koopstream.server.engine;

import io.koopstream.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A storage around another, of which a test changes what it wants. */
class ForwardingStorage implements Storage {

    private final Storage storage;

    ForwardingStorage(Storage storage) {
        this.storage = storage;
    }

    /** A file around another. */
    static class ForwardingFile implements AppendFile {

        private final AppendFile file;

        ForwardingFile(AppendFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            file.write(bytes);
        }

        @Override
        public void writeAt(long offset, ByteBuffer bytes) throws IOException {
            file.writeAt(offset, bytes);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void truncate(long length) throws IOException {
            file.truncate(length);
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    @Override
    public AppendFile create(Path file) throws IOException {
        return storage.create(file);
    }

    @Override
    public AppendFile append(Path file) throws IOException {
        return storage.append(file);
    }

    @Override
    public ByteBuffer read(Path file) throws IOException {
        return storage.read(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        storage.syncDirectory(directory);
    }

    @Override
    public void delete(Path file) throws IOException {
        storage.delete(file);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return storage.list(directory);
    }

    @Override
    public void openDirectory(Path directory) throws IOException {
        storage.openDirectory(directory);
    }

    @Override
    public Optional<Closeable> tryLock(Path file) throws IOException {
        return storage.tryLock(file);
    }
}
