package io.koopstream.server.policy;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import io.koopstream.io.TensorFile;
import io.koopstream.server.durable.ModelDirectory;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.server.engine.LimitException;
import io.koopstream.server.engine.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The controllers that a server answers with: each a file in one folder, read when the server starts or when it is put there. A file that cannot be read is
 * left as it is, and the others are served. Any thread may call any method.
 */
public final class Policies {

    private static final System.Logger LOG = System.getLogger(Policies.class.getName());

    private final Path directory;
    private final Storage storage;
    private final MemoryBudget memory;
    private final Map<String, Served> served = new ConcurrentSkipListMap<>();
    private final Set<String> unreadable = Collections.synchronizedSet(new TreeSet<>());

    /** @param bytes what is taken of the memory for it */
    private record Served(LearnedPolicy policy, long bytes) {}

    private Policies(Path directory, Storage storage, MemoryBudget memory) {
        this.directory = directory;
        this.storage = storage;
        this.memory = memory;
    }

    /**
     * Opens a folder, which is created when missing, and reads what is in it.
     *
     * @param memory where the memory for them is taken from
     * @throws StorageFailedException if the folder cannot be used
     */
    public static Policies open(Path directory, Storage storage, MemoryBudget memory) {
        Policies policies = new Policies(directory, storage, memory);
        try {
            storage.openDirectory(directory);
            AtomicFile.removeLeftOvers(storage, directory);
            for (String file : storage.list(directory)) {
                String name = file.replace(PolicyFile.ENDING, "");
                if (file.endsWith(PolicyFile.ENDING) && ModelDirectory.isName(name)) {
                    policies.readOrPutAside(name, storage.read(directory.resolve(file)));
                }
            }
        } catch (IOException e) {
            throw StorageFailedException.of("opening the folder of policies", e);
        }
        return policies;
    }

    private void readOrPutAside(String name, ByteBuffer file) {
        byte[] bytes = new byte[file.remaining()];
        file.get(bytes);
        try {
            served.put(name, decoded(bytes));
        } catch (KoopstreamException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "policy " + name + " cannot be read; its file is unchanged: " + e.getMessage());
            unreadable.add(name);
        }
    }

    /** What a policy takes is known before it is taken: it grows with the square of the points, of which a small file may have many. */
    private Served decoded(byte[] bytes) {
        TensorFile tensors = PolicyFile.tensors(bytes);
        long numbers = bytes.length / Double.BYTES;
        for (String points : new String[] {"inputs", "outputs"}) {
            double[][] rows = tensors.matrix(points);
            long count = rows == null ? 0 : rows.length;
            numbers += 2 * count * count;
        }
        long needed = numbers * Double.BYTES;
        if (!memory.tryTake(needed)) {
            throw new LimitException(
                    "the policy needs " + (needed >> 20)
                            + " MiB, which are not free: learn one with fewer points (--max-dictionary), delete another, or start the server with more memory (-Xmx)",
                    memory.total());
        }
        try {
            return new Served(PolicyFile.policy(tensors), needed);
        } catch (RuntimeException | Error e) {
            memory.give(needed);
            throw e;
        }
    }

    /**
     * Serves a policy from now on, in place of the one of that name; it is on disk when this returns.
     *
     * @param name small letters, digits and dashes
     * @param bytes a file of {@code koop control learn}
     * @return whether there was none of that name
     */
    public synchronized boolean put(String name, byte[] bytes) {
        if (!ModelDirectory.isName(name)) {
            throw new InvalidConfigException(
                    "policy", name, "its name must be 1 to 64 of a-z, 0-9 and '-', and not begin with '-'");
        }
        Served next = decoded(bytes);
        try {
            AtomicFile.replace(storage, file(name), file -> file.write(ByteBuffer.wrap(bytes)));
        } catch (IOException e) {
            memory.give(next.bytes());
            throw StorageFailedException.of("writing the policy " + name, e);
        }
        unreadable.remove(name);
        Served before = served.put(name, next);
        if (before != null) {
            memory.give(before.bytes());
        }
        return before == null;
    }

    /** Forgets a policy and removes its file. */
    public synchronized void delete(String name) {
        if (!served.containsKey(name) && !unreadable.contains(name)) {
            throw unknown(name);
        }
        try {
            storage.delete(file(name));
            storage.syncDirectory(directory);
        } catch (IOException e) {
            throw StorageFailedException.of("deleting the policy " + name, e);
        }
        unreadable.remove(name);
        Served gone = served.remove(name);
        if (gone != null) {
            memory.give(gone.bytes());
        }
    }

    /** The policy of a name. */
    public LearnedPolicy require(String name) {
        Served found = served.get(name);
        if (found == null) {
            throw unknown(name);
        }
        return found.policy();
    }

    private UnknownPolicyException unknown(String name) {
        return new UnknownPolicyException(
                unreadable.contains(name)
                        ? "the file of the policy " + name
                                + " cannot be read, the server log says why; upload it again, or delete it"
                        : "there is no policy " + name + "; upload one first (PUT /policies/" + name + ")");
    }

    /** The names of those that are served, in order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(served.keySet());
    }

    /** The names of those whose files cannot be read. */
    public Set<String> unreadable() {
        synchronized (unreadable) {
            return new TreeSet<>(unreadable);
        }
    }

    private Path file(String name) {
        return directory.resolve(name + PolicyFile.ENDING);
    }
}
