package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.ModelDirectory;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.server.durable.Unpacker;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What can be done with the folder of a server while nobody serves it: look whether everything is whole, mend it, copy it. Copying works under a running server too. */
public final class DataFolder {

    /** A server that deletes old files has the lease for a moment; another copy may have it for longer. */
    private static final long LEASE_NANOS = 30_000_000_000L;

    private static final long LEASE_PAUSE_MILLIS = 20;

    /** The turn of logs, the last, when a model is copied. */
    private static final int LOGS = 3;

    private static final String LOST = "lost";
    private static final String FEEDS = "feeds";
    private static final String POLICIES = "policies";
    private static final long SEGMENT_BYTES = 1 << 24;

    private final Storage storage;
    private final Path directory;

    /** A folder of a file system. */
    public DataFolder(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** Where a data folder keeps learned controllers. */
    public static Path policies(Path data) {
        return data.resolve(POLICIES);
    }

    /**
     * What was found about a model.
     *
     * @param model its name
     * @param whole whether a server would go on with it, with nothing lost
     * @param batches batches that are there
     * @param samples samples in them
     * @param lost acknowledged batches that are gone: those that an operator has accepted, and those that are missing now
     * @param digest SHA-256 of its state; empty when there is none
     * @param faults what is wrong, in words; also what a server would get over
     */
    public record Finding(
            String model, boolean whole, long batches, long samples, long lost, String digest, List<String> faults) {

        /** Keeps its own list. */
        public Finding {
            faults = List.copyOf(faults);
        }

        /** A model of which nothing can be read. */
        public static Finding unreadable(String model, Throwable why) {
            return new Finding(model, false, 0, 0, 0, "", List.of(DamagedDataException.fault(why)));
        }
    }

    /** Something to do with the files of a model. */
    private interface Look {
        Finding at(String model, ModelStore store);
    }

    /**
     * Reads everything and learns again what a server would; changes nothing.
     *
     * @throws io.koopstream.server.durable.DirectoryInUseException if a server runs on it
     */
    public List<Finding> check() {
        try (ModelDirectory files = ModelDirectory.look(storage, directory)) {
            return each(files, files.names(), DataFolder::look);
        }
    }

    private static List<Finding> each(ModelDirectory files, List<String> names, Look look) {
        List<Finding> findings = new ArrayList<>();
        for (String name : names) {
            try (ModelStore store = files.open(name, Durability.FSYNC, SEGMENT_BYTES)) {
                findings.add(look.at(name, store));
            } catch (KoopstreamException | OutOfMemoryError e) {
                findings.add(Finding.unreadable(name, e));
            }
        }
        return findings;
    }

    private static Recovered begun(String name, ModelStore store) {
        return new Recovered(
                ModelSettings.unpacked(new Unpacker(ByteBuffer.wrap(store.settings()), "the settings of " + name)));
    }

    private static Finding look(String name, ModelStore store) {
        List<String> faults = store.faults();
        boolean whole = true;
        Recovered recovered = begun(name, store);
        ModelStore.Recovery recovery;
        try {
            recovery = store.recover(recovered);
            whole = !recovery.isEndUnknown();
        } catch (KoopstreamException e) {
            whole = false;
            String fault = DamagedDataException.fault(e);
            if (!faults.contains(fault)) {
                faults.add(fault);
            }
            recovery = store.recoverWhatIsThere(recovered);
        }
        return finding(name, learned(recovered, store, recovery), recovery, whole, faults);
    }

    private static ModelMachine learned(Recovered recovered, ModelStore store, ModelStore.Recovery recovery) {
        return recovered.learned(store.records(recovered.machine().batches(), recovery.records()));
    }

    private static Finding finding(
            String name, ModelMachine machine, ModelStore.Recovery recovery, boolean whole, List<String> faults) {
        return new Finding(
                name,
                whole,
                recovery.records(),
                machine.received(),
                recovery.lost(),
                machine.capture().digest(),
                faults);
    }

    /**
     * Goes on without what is lost of one model: what comes before the first missing batch is saved, and the log is set aside, in the folder
     * {@code lost}. A model that is whole is only saved anew.
     *
     * @return what is there now
     * @throws KoopstreamException if nothing of it can be read, or a server runs on the folder
     */
    public Finding repair(String model) {
        try (ModelDirectory files = ModelDirectory.open(storage, directory)) {
            if (!files.names().contains(model)) {
                throw new UnknownModelException(model);
            }
            try (ModelStore store = openToRepair(files, model)) {
                Recovered recovered = begun(model, store);
                ModelStore.Recovery recovery = store.recoverWhatIsThere(recovered);
                ModelMachine machine = learned(recovered, store, recovery);
                store.snapshot(recovery.records(), machine.capture().parts());
                List<String> moved = store.forgetLost(directory.resolve(LOST));
                store.secure();
                List<String> done = new ArrayList<>(recovery.notes());
                moved.forEach(file -> done.add(file + ": moved to " + LOST));
                return finding(model, machine, recovery, true, done);
            }
        }
    }

    /** The files of a model; settings that are gone are rebuilt from its newest snapshot, but for the names of the coordinates, which only the settings hold. */
    private static ModelStore openToRepair(ModelDirectory files, String model) {
        try {
            return files.open(model, Durability.FSYNC, SEGMENT_BYTES);
        } catch (DamagedDataException e) {
            files.rebuildSettings(
                    model, parts -> ModelMachine.settings(parts, model).packed());
            return files.open(model, Durability.FSYNC, SEGMENT_BYTES);
        }
    }

    /**
     * Copies all models and policies as they are at one moment each, also while a server learns: everything that was acknowledged when it began is in the copy.
     * Secrets are not copied.
     *
     * @param target a folder that is empty or not there
     * @return what is in the copy, read back
     */
    public List<Finding> copyTo(Path target) {
        DataFolder copy = new DataFolder(storage, target);
        try {
            storage.openDirectory(target);
            if (!storage.list(target).isEmpty()) {
                throw new KoopstreamException(target + ": is not empty; name a new folder");
            }
            // Where sources had come is remembered before what they sent, so it is copied before.
            copyFolder(FEEDS, target);
            copyFolder(POLICIES, target);
            List<Finding> findings = new ArrayList<>();
            Closeable lease = lease();
            try (ModelDirectory files = ModelDirectory.look(storage, target)) {
                for (String model : names()) {
                    copyModel(model, target, files).ifPresent(findings::add);
                }
            } finally {
                lease.close();
            }
            return findings;
        } catch (IOException e) {
            throw new StorageFailedException(
                    "copying " + directory + " to " + copy.directory + " failed: " + e.getMessage(), e);
        }
    }

    private List<String> names() throws IOException {
        return storage.list(directory).stream()
                .flatMap(file -> ModelDirectory.modelOf(file).stream())
                .distinct()
                .toList();
    }

    private void copyFolder(String folder, Path target) throws IOException {
        List<String> files;
        try {
            files = storage.list(directory.resolve(folder));
        } catch (NoSuchFileException e) {
            return;
        }
        if (!files.isEmpty()) {
            storage.openDirectory(target.resolve(folder));
        }
        for (String file : files) {
            copyFile(
                    directory.resolve(folder).resolve(file),
                    target.resolve(folder).resolve(file));
        }
    }

    /** What is in the copy of a model; empty where the model was deleted meanwhile. */
    private Optional<Finding> copyModel(String model, Path target, ModelDirectory files) throws IOException {
        try {
            for (int rank = 0; rank <= LOGS; rank++) {
                // Listed anew each time: what was begun while the files before were copied belongs to it.
                for (String file : files(model, rank)) {
                    copyFile(directory.resolve(file), target.resolve(file));
                }
            }
        } catch (NoSuchFileException e) {
            if (names().contains(model)) {
                throw new IOException(model + " was deleted and created again meanwhile; begin anew", e);
            }
            for (String file : storage.list(target)) {
                if (ModelDirectory.modelOf(file).filter(model::equals).isPresent()) {
                    storage.delete(target.resolve(file));
                }
            }
            return Optional.empty();
        }
        return Optional.of(each(files, List.of(model), DataFolder::look).get(0));
    }

    /** While it is held no file of a model that stays is deleted. */
    private Closeable lease() throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < LEASE_NANOS) {
            Optional<Closeable> lease = ModelDirectory.lease(storage, directory);
            if (lease.isPresent()) {
                return lease.get();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LEASE_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        throw new IOException("somebody else copies it; wait until that has ended");
    }

    /** The files of a model that have their turn: what was acknowledged first, then the state, then the log; each may be ahead of the one before it, never behind. */
    private List<String> files(String model, int rank) throws IOException {
        return storage.list(directory).stream()
                .filter(file -> rank(file) == rank
                        && ModelDirectory.modelOf(file).filter(model::equals).isPresent())
                .toList();
    }

    private static int rank(String file) {
        return file.endsWith(".settings") || file.endsWith(".settings-copy")
                ? 0
                : file.endsWith(".acknowledged") ? 1 : file.contains(".snapshot.") ? 2 : LOGS;
    }

    private void copyFile(Path from, Path to) throws IOException {
        ByteBuffer bytes = storage.read(from);
        AtomicFile.replace(storage, to, file -> file.write(bytes));
    }
}
