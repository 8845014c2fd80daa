package io.koopstream.server.durable;

import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory with the files of models, for one process at a time. Names of models have no dots; every file is called after its model. One caller at
 * a time.
 */
public final class ModelDirectory implements Closeable {

    private static final String LOCK = "koopstream.lock";
    private static final String DELETED = ".deleted";

    private final Storage storage;
    private final Path directory;
    private final Closeable lock;

    private ModelDirectory(Storage storage, Path directory, Closeable lock) {
        this.storage = storage;
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Opens a directory, which is created when missing, and removes what a crash has left in the middle of something.
     *
     * @throws DirectoryInUseException if somebody else has it open
     * @throws StorageFailedException if it cannot be used
     */
    public static ModelDirectory open(Storage storage, Path directory) {
        try {
            storage.openDirectory(directory);
            Closeable lock =
                    storage.tryLock(directory.resolve(LOCK)).orElseThrow(() -> new DirectoryInUseException(directory));
            ModelDirectory opened = new ModelDirectory(storage, directory, lock);
            try {
                opened.tidy();
                return opened;
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
        } catch (IOException e) {
            throw StorageFailedException.of("opening the data directory", e);
        }
    }

    private void tidy() throws IOException {
        AtomicFile.removeLeftOvers(storage, directory);
        for (String file : storage.list(directory)) {
            if (file.endsWith(DELETED)) {
                finishDelete(file.substring(0, file.length() - DELETED.length()));
            }
        }
        List<String> names = names();
        for (String file : storage.list(directory)) {
            int dot = file.indexOf('.');
            boolean data = file.contains(".log.") || file.contains(".snapshot.");
            if (data && !names.contains(file.substring(0, dot))) {
                throw new DamagedDataException(
                        file,
                        -1,
                        "the settings of its model in " + ModelStore.settingsFile(file.substring(0, dot)),
                        "no such file");
            }
        }
    }

    /** The models there are, in the order of their names. */
    public List<String> names() {
        try {
            List<String> names = new ArrayList<>();
            String ending = ModelStore.settingsFile("");
            for (String file : storage.list(directory)) {
                if (file.endsWith(ending)) {
                    names.add(file.substring(0, file.length() - ending.length()));
                }
            }
            return names;
        } catch (IOException e) {
            throw StorageFailedException.of("listing the data directory", e);
        }
    }

    /** Makes a new model, with nothing in it. It must not exist. */
    public void create(String model, byte[] settings) {
        try {
            ModelStore.create(storage, directory, model, settings);
        } catch (IOException e) {
            throw StorageFailedException.of("creating " + model, e);
        }
    }

    /** The files of a model. */
    public ModelStore open(String model, Durability durability, long segmentBytes) {
        try {
            return ModelStore.open(storage, directory, model, durability, segmentBytes);
        } catch (IOException e) {
            throw StorageFailedException.of("opening " + model, e);
        }
    }

    /** Removes a model. A crash in the middle leaves all of it, or nothing once the directory is opened again. */
    public void delete(String model) {
        try {
            // Not there when an earlier call got so far and no further.
            if (storage.list(directory).contains(ModelStore.settingsFile(model))) {
                storage.rename(directory.resolve(ModelStore.settingsFile(model)), directory.resolve(model + DELETED));
            }
            storage.syncDirectory(directory);
            finishDelete(model);
        } catch (IOException e) {
            throw StorageFailedException.of("deleting " + model, e);
        }
    }

    private void finishDelete(String model) throws IOException {
        for (String file : storage.list(directory)) {
            if (file.startsWith(model + ".log.") || file.startsWith(model + ".snapshot.")) {
                storage.delete(directory.resolve(file));
            }
        }
        // The mark goes last, for good: a model of the same name must not find files of the old one.
        storage.syncDirectory(directory);
        storage.delete(directory.resolve(model + DELETED));
        storage.syncDirectory(directory);
    }

    /** Lets others have the directory. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            // The process has given up the directory either way.
        }
    }
}
