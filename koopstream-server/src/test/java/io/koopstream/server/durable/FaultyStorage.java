package io.koopstream.server.durable;

import io.koopstream.io.OutOfSpaceException;
import io.koopstream.io.Storage;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A file system in memory that loses power. What was synced survives; of what was not, nothing, all, or any part of it: single sectors of
 * {@value #SECTOR} bytes, torn ones, garbage. Names that were created, renamed or deleted without a sync of the directory may be as before.
 * Bytes outside the range of a write never change (the assumption that SQLite calls powersafe overwrite).
 *
 * <p>Beside that, chosen calls fail once or for ever, syncs fail, and the space is limited.
 */
public final class FaultyStorage implements Storage {

    static final int SECTOR = 512;

    /** What a loss of power does to what was not synced. */
    public enum Loss {
        /** All of it is gone. */
        ALL,
        /** Any part of it is there. */
        RANDOM,
        /** All of it is there: only the process died. */
        NOTHING
    }

    /** A change of a file that is not synced: a write, or a cut when there are no bytes. */
    private static final class Change {
        private final int offset;
        private final byte[] bytes;

        Change(int offset, byte[] bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }
    }

    private static final class Node {
        private byte[] durable = {};
        private final ByteArrayOutputStream now = new ByteArrayOutputStream();
        private final List<Change> changes = new ArrayList<>();

        byte[] contents() {
            return now.toByteArray();
        }
    }

    private final Map<Path, Node> names = new TreeMap<>();
    private final Map<Path, Node> durableNames = new TreeMap<>();
    /** Changes of names that are not synced, each all or nothing. */
    private final List<Map<Path, Optional<Node>>> nameChanges = new ArrayList<>();

    private final Set<Path> locks = new HashSet<>();
    private final List<String> trace = new ArrayList<>();
    private int calls;
    private int failingCall = -1;
    private boolean failsForEver;
    private String failingKind;
    private boolean powerLost;
    private long space = Long.MAX_VALUE;

    /** From now on the n-th call loses the power: it and all later ones fail. */
    public synchronized FaultyStorage losePowerAt(int call) {
        failingCall = calls + call;
        failsForEver = true;
        return this;
    }

    /** From now on the n-th call fails. */
    public synchronized FaultyStorage failAt(int call, boolean forEver) {
        failingCall = calls + call;
        failsForEver = forEver;
        return this;
    }

    /** From now on all calls of a kind fail; null for none. */
    public synchronized FaultyStorage fail(String kind) {
        failingKind = kind;
        return this;
    }

    /** Limits the bytes in all files. */
    public synchronized FaultyStorage space(long bytes) {
        space = bytes;
        return this;
    }

    /** The power goes at once. */
    public synchronized void losePower() {
        powerLost = true;
    }

    /** How many calls there were. */
    public synchronized int calls() {
        return calls;
    }

    /** The kinds of all calls, in order. */
    public synchronized List<String> trace() {
        return List.copyOf(trace);
    }

    /** Bytes in all files. */
    public synchronized long used() {
        return names.values().stream().mapToLong(node -> node.now.size()).sum();
    }

    private boolean fails(String kind) {
        calls++;
        trace.add(kind);
        boolean now = failingCall >= 0 && (failsForEver ? calls >= failingCall : calls == failingCall);
        return powerLost || now || kind.equals(failingKind);
    }

    private void call(String kind) throws IOException {
        if (fails(kind)) {
            throw new IOException("injected failure of " + kind + ", call " + calls);
        }
    }

    /** What is there when the power is back. */
    public synchronized FaultyStorage afterPowerLoss(Loss loss, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean inOrder = random.nextBoolean();
        Map<Path, Node> surviving = new LinkedHashMap<>(durableNames);
        int kept = loss == Loss.ALL
                ? 0
                : loss == Loss.NOTHING ? nameChanges.size() : random.nextInt(nameChanges.size() + 1);
        for (int i = 0; i < nameChanges.size(); i++) {
            boolean survives = (loss == Loss.RANDOM && !inOrder) ? random.nextBoolean() : i < kept;
            if (survives) {
                nameChanges.get(i).forEach((name, node) -> {
                    if (node.isPresent()) {
                        surviving.put(name, node.get());
                    } else {
                        surviving.remove(name);
                    }
                });
            }
        }
        FaultyStorage next = new FaultyStorage();
        surviving.forEach((name, node) -> {
            Node copy = new Node();
            copy.durable = survivingBytes(node, loss, random);
            copy.now.writeBytes(copy.durable);
            next.names.put(name, copy);
            next.durableNames.put(name, copy);
        });
        return next;
    }

    private static byte[] survivingBytes(Node node, Loss loss, SplittableRandom random) {
        if (loss == Loss.ALL) {
            return node.durable;
        }
        byte[] bytes = node.durable.clone();
        int how = loss == Loss.NOTHING ? 0 : random.nextInt(4);
        for (Change change : node.changes) {
            if (change.bytes == null) {
                if (how == 0 || random.nextBoolean()) {
                    bytes = Arrays.copyOf(bytes, change.offset);
                }
                continue;
            }
            int from = 0;
            while (from < change.bytes.length) {
                int sectorEnd = (change.offset + from) / SECTOR * SECTOR + SECTOR - change.offset;
                int to = Math.min(change.bytes.length, sectorEnd);
                bytes = survivingSector(bytes, change, from, to, how, random);
                from = to;
            }
        }
        return bytes;
    }

    private static byte[] survivingSector(
            byte[] before, Change change, int from, int to, int how, SplittableRandom random) {
        int fate = how == 0 ? 0 : random.nextInt(how + 2);
        if (fate == 1) {
            return before;
        }
        int end = fate == 2 ? from + random.nextInt(to - from + 1) : to;
        if (end == from) {
            return before;
        }
        byte[] after = Arrays.copyOf(before, Math.max(before.length, change.offset + end));
        System.arraycopy(change.bytes, from, after, change.offset + from, end - from);
        if (fate == 3) {
            for (int i = from; i < end; i++) {
                after[change.offset + i] = (byte) random.nextInt(256);
            }
        }
        return after;
    }

    private void change(Map<Path, Optional<Node>> bindings) {
        nameChanges.add(bindings);
        bindings.forEach((name, node) -> {
            if (node.isPresent()) {
                names.put(name, node.get());
            } else {
                names.remove(name);
            }
        });
    }

    private Node require(Path file) throws IOException {
        Node node = names.get(file);
        if (node == null) {
            throw new NoSuchFileException(file.toString());
        }
        return node;
    }

    private final class Handle implements AppendFile {
        private final Path path;
        private final Node node;

        Handle(Path path, Node node) {
            this.path = path;
            this.node = node;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            synchronized (FaultyStorage.this) {
                boolean failing = fails("write");
                int count = failing ? bytes.remaining() / 2 : bytes.remaining();
                long room = Math.max(0, space - used());
                boolean full = count > room;
                byte[] written = new byte[(int) Math.min(count, room)];
                bytes.get(written);
                node.changes.add(new Change(node.now.size(), written));
                node.now.writeBytes(written);
                if (failing) {
                    throw new IOException("injected failure of write, call " + calls);
                }
                if (full) {
                    throw new OutOfSpaceException(path);
                }
            }
        }

        @Override
        public void writeAt(long offset, ByteBuffer bytes) throws IOException {
            synchronized (FaultyStorage.this) {
                boolean failing = fails("writeAt");
                byte[] written = new byte[failing ? bytes.remaining() / 2 : bytes.remaining()];
                bytes.get(written);
                byte[] whole = node.contents();
                System.arraycopy(written, 0, whole, (int) offset, written.length);
                node.changes.add(new Change((int) offset, written));
                node.now.reset();
                node.now.writeBytes(whole);
                if (failing) {
                    throw new IOException("injected failure of writeAt, call " + calls);
                }
            }
        }

        @Override
        public void sync() throws IOException {
            synchronized (FaultyStorage.this) {
                call("sync");
                node.durable = node.contents();
                node.changes.clear();
            }
        }

        @Override
        public void truncate(long length) throws IOException {
            synchronized (FaultyStorage.this) {
                call("truncate");
                byte[] cut = Arrays.copyOf(node.contents(), (int) length);
                node.changes.add(new Change((int) length, null));
                node.now.reset();
                node.now.writeBytes(cut);
            }
        }

        @Override
        public long length() {
            synchronized (FaultyStorage.this) {
                return node.now.size();
            }
        }

        @Override
        public void close() {
            // Nothing is synced by closing.
        }
    }

    @Override
    public synchronized AppendFile create(Path file) throws IOException {
        call("create");
        if (names.containsKey(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Node node = new Node();
        change(Map.of(file, Optional.of(node)));
        return new Handle(file, node);
    }

    @Override
    public synchronized AppendFile append(Path file) throws IOException {
        call("append");
        return new Handle(file, require(file));
    }

    @Override
    public synchronized ByteBuffer read(Path file) throws IOException {
        call("read");
        return ByteBuffer.wrap(require(file).contents());
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        call("rename");
        Node node = require(from);
        change(Map.of(from, Optional.empty(), to, Optional.of(node)));
    }

    @Override
    public synchronized void syncDirectory(Path directory) throws IOException {
        call("syncDirectory");
        durableNames.clear();
        durableNames.putAll(names);
        nameChanges.clear();
    }

    @Override
    public synchronized void delete(Path file) throws IOException {
        call("delete");
        if (names.containsKey(file)) {
            change(Map.of(file, Optional.empty()));
        }
    }

    @Override
    public synchronized List<String> list(Path directory) throws IOException {
        call("list");
        return names.keySet().stream()
                .filter(file -> directory.equals(file.getParent()))
                .map(file -> file.getFileName().toString())
                .sorted()
                .toList();
    }

    @Override
    public synchronized void openDirectory(Path directory) throws IOException {
        call("openDirectory");
    }

    @Override
    public synchronized Optional<Closeable> tryLock(Path file) throws IOException {
        call("tryLock");
        if (!locks.add(file)) {
            return Optional.empty();
        }
        return Optional.of(() -> {
            synchronized (FaultyStorage.this) {
                locks.remove(file);
            }
        });
    }

    /** The contents of a file, as a test may look at them or damage them. */
    public synchronized byte[] peek(Path file) {
        return names.get(file).contents();
    }

    /** The files there are. */
    public synchronized List<Path> files() {
        return List.copyOf(names.keySet());
    }

    /** Puts other contents into a file, synced. */
    public synchronized void overwrite(Path file, byte[] bytes) {
        Node node = new Node();
        node.durable = bytes.clone();
        node.now.writeBytes(bytes);
        names.put(file, node);
        durableNames.put(file, node);
    }

    /** Removes a file, synced. */
    public synchronized void remove(Path file) {
        names.remove(file);
        durableNames.remove(file);
    }

    /** A file system with the same files, all of them synced, and no faults. */
    public synchronized FaultyStorage copy() {
        return afterPowerLoss(Loss.NOTHING, 0);
    }
}
