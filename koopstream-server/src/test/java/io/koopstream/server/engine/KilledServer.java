package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A process to be killed: opens a directory, says what it recovered, goes on with {@link EndlessWork} and says what is acknowledged. It may also
 * die by itself at a chosen call on the file system, or take all file handles that there are for a while.
 */
public final class KilledServer {

    private KilledServer() {}

    /** Batches after which all handles are taken, and batches until they are given back. */
    private static final long FED = 50;

    private static final long STARVED = 500;

    /** @param args directory, durability, and optionally: kind of a call, its number, before or after; or: handles */
    public static void main(String[] args) throws IOException {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        Durability durability = Durability.valueOf(args[1]);
        EngineConfig config = new EngineConfig(durability, 10_000, 400, 4, 8, 20_000, 1);
        Storage storage = args.length < 5
                ? Storage.DISK
                : new HaltingStorage(args[2], Integer.parseInt(args[3]), args[4].equals("after"));
        LiveModels models = LiveModels.open(Path.of(args[0]), config, storage, InstantSource.system());
        Runtime.getRuntime().addShutdownHook(new Thread(models::close));
        LiveModel model = models.find(EndlessWork.MODEL)
                .orElseGet(() -> models.create(EndlessWork.MODEL, EndlessWork.settings()));
        long next = model.machine().batches();
        out.println("recovered " + next + " " + model.machine().capture().digest());
        boolean starves = args.length == 3;
        List<Closeable> handles = new ArrayList<>();
        Deque<CompletableFuture<Ack>> underWay = new ArrayDeque<>();
        long acknowledged = next;
        long starved = next + FED;
        while (true) {
            if (starves && acknowledged == starved && handles.isEmpty()) {
                takeAll(handles);
                out.println("starved " + handles.size());
            } else if (starves && acknowledged == starved + STARVED) {
                giveBack(handles);
                starves = false;
                out.println("fed " + acknowledged);
            }
            underWay.add(model.submit(EndlessWork.batch(next++)));
            if (underWay.size() >= 8) {
                try {
                    underWay.remove().join();
                } catch (java.util.concurrent.CompletionException e) {
                    if (starves) {
                        giveBack(handles);
                        out.println("refused " + (e.getCause() instanceof KoopstreamException) + " " + e.getCause());
                        Runtime.getRuntime().halt(3);
                    }
                    // Being shut down.
                    return;
                }
                acknowledged++;
                out.println("acknowledged " + acknowledged);
            }
        }
    }

    private static void takeAll(List<Closeable> handles) {
        try {
            while (true) {
                handles.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // There are no more.
        }
    }

    private static void giveBack(List<Closeable> handles) throws IOException {
        for (Closeable handle : handles) {
            handle.close();
        }
    }

    /** The disk, until a call at which the process dies without another word. */
    private static final class HaltingStorage implements Storage {

        private final String kind;
        private final boolean after;
        private int left;

        HaltingStorage(String kind, int call, boolean after) {
            this.kind = kind;
            this.left = call;
            this.after = after;
        }

        private interface Call<T> {
            T run() throws IOException;
        }

        private interface Action {
            void run() throws IOException;
        }

        private synchronized boolean isDue(String name) {
            return name.equals(kind) && --left == 0;
        }

        private <T> T call(String name, Call<T> call) throws IOException {
            boolean due = isDue(name);
            if (due && !after) {
                Runtime.getRuntime().halt(1);
            }
            T result = call.run();
            if (due) {
                Runtime.getRuntime().halt(1);
            }
            return result;
        }

        private void act(String name, Action action) throws IOException {
            call(name, () -> {
                action.run();
                return null;
            });
        }

        private AppendFile watched(AppendFile file) {
            return new AppendFile() {
                @Override
                public void write(ByteBuffer bytes) throws IOException {
                    act("write", () -> file.write(bytes));
                }

                @Override
                public void writeAt(long offset, ByteBuffer bytes) throws IOException {
                    act("writeAt", () -> file.writeAt(offset, bytes));
                }

                @Override
                public void sync() throws IOException {
                    act("sync", file::sync);
                }

                @Override
                public void truncate(long length) throws IOException {
                    act("truncate", () -> file.truncate(length));
                }

                @Override
                public long length() throws IOException {
                    return file.length();
                }

                @Override
                public void close() throws IOException {
                    act("close", file::close);
                }
            };
        }

        @Override
        public AppendFile create(Path file) throws IOException {
            return watched(call("create", () -> DISK.create(file)));
        }

        @Override
        public AppendFile append(Path file) throws IOException {
            return watched(call("append", () -> DISK.append(file)));
        }

        @Override
        public ByteBuffer read(Path file) throws IOException {
            return call("read", () -> DISK.read(file));
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            act("rename", () -> DISK.rename(from, to));
        }

        @Override
        public void syncDirectory(Path directory) throws IOException {
            act("syncDirectory", () -> DISK.syncDirectory(directory));
        }

        @Override
        public void delete(Path file) throws IOException {
            act("delete", () -> DISK.delete(file));
        }

        @Override
        public List<String> list(Path directory) throws IOException {
            return call("list", () -> DISK.list(directory));
        }

        @Override
        public void openDirectory(Path directory) throws IOException {
            DISK.openDirectory(directory);
        }

        @Override
        public Optional<Closeable> tryLock(Path file) throws IOException {
            return DISK.tryLock(file);
        }
    }
}
