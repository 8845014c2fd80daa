package io.koopstream.server.durable;

import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory with the files of models, for one process at a time. Names of models have no dots; every file is called after its model. One caller at
 * a time.
 */
public final class ModelDirectory implements Closeable {

    private static final String LOCK = "koopstream.lock";
    private static final String LEASE = "koopstream.lease";
    private static final String DELETED = ".deleted";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
    private static final Pattern FILE = Pattern.compile(
            "(" + NAME + ")\\.(settings|settings-copy|acknowledged|log\\.[0-9]{19}|snapshot\\.[0-9]{19})");

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

    /**
     * Opens a directory to look at it: nothing in it is changed.
     *
     * @throws DirectoryInUseException if somebody has it open
     * @throws StorageFailedException if it cannot be read
     */
    public static ModelDirectory look(Storage storage, Path directory) {
        try {
            // One that nobody has served yet, e.g. a backup, has no lock, and none is made.
            Closeable lock = storage.list(directory).contains(LOCK)
                    ? storage.tryLock(directory.resolve(LOCK)).orElseThrow(() -> new DirectoryInUseException(directory))
                    : () -> {};
            return new ModelDirectory(storage, directory, lock);
        } catch (IOException e) {
            throw StorageFailedException.of("looking at the data directory", e);
        }
    }

    /**
     * Lets nobody delete a file until it is closed, except together with its model: for whoever copies the directory of a server that runs.
     *
     * @return empty when somebody else has it: another copy, or a server that deletes just now
     */
    public static Optional<Closeable> lease(Storage storage, Path directory) throws IOException {
        return storage.tryLock(directory.resolve(LEASE));
    }

    /** The model that a file is part of; empty for files of nobody. */
    public static Optional<String> modelOf(String file) {
        Matcher model = FILE.matcher(file);
        return model.matches() ? Optional.of(model.group(1)) : Optional.empty();
    }

    private void tidy() throws IOException {
        AtomicFile.removeLeftOvers(storage, directory);
        for (String file : storage.list(directory)) {
            String name = file.endsWith(DELETED) ? file.substring(0, file.length() - DELETED.length()) : "";
            // Anything else that is called so is no mark of ours, and deletes nothing.
            if (isName(name)
                    && !storage.list(directory).contains(ModelStore.settingsFile(name))
                    && ModelStore.isSettings(storage, directory.resolve(file))) {
                finishDelete(name);
            }
        }
    }

    /** Whether a model may be called so. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** The models there are, in the order of their names, those among them of which only some files are left. Files of other names are nobody's. */
    public List<String> names() {
        try {
            Set<String> names = new TreeSet<>();
            for (String file : storage.list(directory)) {
                modelOf(file).ifPresent(names::add);
            }
            return List.copyOf(names);
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

    /**
     * Writes the settings of a model anew, from its newest whole snapshot.
     *
     * @param settings makes them from the parts of a snapshot
     */
    public void rebuildSettings(String model, Function<Map<String, ByteBuffer>, byte[]> settings) {
        try {
            ModelStore.rebuildSettings(storage, directory, model, settings);
        } catch (IOException e) {
            throw StorageFailedException.of("rebuilding the settings of " + model, e);
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
            boolean note = file.equals(AckFile.fileName(model)) || file.equals(ModelStore.copyFile(model));
            if (note || file.startsWith(model + ".log.") || file.startsWith(model + ".snapshot.")) {
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
