package io.koopstream.server.engine;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.answers.HeavyWork;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.ModelDirectory;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.server.durable.Unpacker;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A directory of named models that learn. Any thread may call any method. */
public final class LiveModels implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LiveModels.class.getName());

    static {
        // What is thrown when no file handle is left: then it could not be loaded any more.
        List.of(ModelFailedException.class, StorageFailedException.class).forEach(Objects::requireNonNull);
    }

    /** How long samples that wait are learned when everything ends, and how much longer the last batch may take. */
    private static final long LEARN_NANOS = 1_500_000_000;

    private static final long LAST_BATCH_NANOS = 1_000_000_000;

    /** Models whose files are read at once: a file of the log each is in memory. */
    private static final int OPENED_AT_ONCE = 2;

    /** Whoever asks for a model whose files are being read waits so long; that takes milliseconds unless they are large. */
    private static final int OPEN_SECONDS = 5;

    private final EngineConfig config;
    private final InstantSource clock;
    private final ModelDirectory files;
    private final HeavyWork heavy;
    private final ExecutorService snapshots = daemons(1, "koopstream-snapshots");
    private final ExecutorService openers = daemons(OPENED_AT_ONCE, "koopstream-opener");
    /** Those who learn what their logs hold get a processor one after another, so that one is left for all the others. */
    private final Semaphore replays =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

    private final MemoryBudget memory;
    private final Map<String, LiveModel> models = new ConcurrentSkipListMap<>();
    private final Map<String, KoopstreamException> damaged = new ConcurrentSkipListMap<>();
    /** Those whose files are being read, and what is completed when they are. */
    private final Map<String, CompletableFuture<Void>> opening = new ConcurrentSkipListMap<>();

    private volatile boolean closing;

    private LiveModels(EngineConfig config, InstantSource clock, ModelDirectory files) {
        this.config = config;
        this.clock = clock;
        this.files = files;
        this.heavy = new HeavyWork(config.heavyAnswers());
        this.memory = new MemoryBudget(config.memoryBytes());
    }

    private static ExecutorService daemons(int count, String name) {
        return Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Opens a directory. Each of its models is found, answers and goes on learning as soon as its own files have been read, which is done in threads of their own; whoever asks
     * for one waits for that one alone.
     *
     * @param directory where everything is kept; created when missing
     * @param config limits
     * @param storage the file system, usually {@link Storage#DISK}
     * @param clock for telling when something came; nothing that is learned depends on it
     * @throws io.koopstream.server.durable.DirectoryInUseException if another process has it open
     * @throws io.koopstream.server.durable.StorageFailedException if the directory as a whole cannot be used; a model that cannot be opened, for
     *     whatever reason, is {@link #damaged set aside}, and the others go on
     */
    public static LiveModels open(Path directory, EngineConfig config, Storage storage, InstantSource clock) {
        // Java opens files for its first log line; the next one may have to be written when no file can be opened.
        LOG.log(System.Logger.Level.INFO, "opening the models in " + directory);
        ModelDirectory files = ModelDirectory.open(storage, directory);
        LiveModels models = new LiveModels(config, clock, files);
        try {
            List<String> names = files.names();
            names.forEach(name -> models.opening.put(name, new CompletableFuture<>()));
            names.forEach(name -> models.openers.execute(() -> models.open(name)));
            return models;
        } catch (RuntimeException | Error e) {
            models.close();
            throw e;
        }
    }

    private void open(String name) {
        try {
            if (!closing) {
                beginOrPutAside(name);
            }
        } finally {
            opening.remove(name).complete(null);
        }
    }

    /** Waits until a model answers or is set aside; at once where it does already. */
    private void await(String name) {
        CompletableFuture<Void> opened = name == null ? null : opening.get(name);
        if (opened == null) {
            return;
        }
        try {
            opened.get(OPEN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw BusyException.opening(name);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an opening never fails", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BusyException.opening(name);
        }
    }

    /** Waits until every model answers or is set aside, however long that takes. */
    public LiveModels awaitOpened() {
        opening.values().forEach(CompletableFuture::join);
        return this;
    }

    /** Waits until a model answers or is set aside, however long that takes. */
    public void awaitOpened(String name) {
        CompletableFuture<Void> opened = opening.get(name);
        if (opened != null) {
            opened.join();
        }
    }

    /** The models that neither answer nor are set aside yet, because their files are being read. */
    public List<String> opening() {
        return List.copyOf(opening.keySet());
    }

    private void beginOrPutAside(String name) {
        KoopstreamException reason;
        try {
            begin(name);
            damaged.remove(name);
            return;
        } catch (KoopstreamException e) {
            reason = e;
        } catch (OutOfMemoryError e) {
            reason = new ModelFailedException(
                    name,
                    "there is not enough memory to open it; start with more (-Xmx), nothing in its files changed",
                    e);
        } catch (RuntimeException | StackOverflowError e) {
            reason = new ModelFailedException(name, "opening it failed (" + e + "); nothing in its files changed", e);
        }
        LOG.log(
                System.Logger.Level.ERROR,
                "model " + name + " is set aside; its files are unchanged: " + reason.getMessage());
        damaged.put(name, reason);
    }

    /** Recovers a model and lets it go on. What it takes is taken from the memory first; there is no room for a model that has to be made smaller. */
    private LiveModel begin(String name) {
        ModelStore store = files.open(name, config.durability(), config.segmentBytes());
        MemoryBudget.Share share = null;
        try {
            ModelSettings settings =
                    ModelSettings.unpacked(new Unpacker(ByteBuffer.wrap(store.settings()), "the settings of " + name));
            share = share(settings, settings.bytesAtFirst());
            Recovered recovered = new Recovered(settings);
            ModelStore.Recovery recovery = store.recover(recovered);
            share.release();
            share = share(
                    settings,
                    Math.max(
                            settings.bytesAtFirst(),
                            recovered.machine().bytes(recovered.machine().kept())));
            recovery.notes().forEach(note -> LOG.log(System.Logger.Level.WARNING, "recovering " + name + ": " + note));
            LiveModel model = new LiveModel(
                    name, recovered, store, recovery, config, heavy, clock, snapshots, replays, memory, share);
            model.start();
            models.put(name, model);
            return model;
        } catch (RuntimeException | Error e) {
            store.close();
            if (share != null) {
                share.release();
            }
            throw e;
        }
    }

    private MemoryBudget.Share share(ModelSettings settings, long bytes) {
        return memory.share(bytes).orElseThrow(() -> noRoom(settings, bytes));
    }

    private LimitException noRoom(ModelSettings settings, long bytes) {
        int most = settings.keptIn(memory.free());
        return new LimitException(
                "the model may take " + MemoryBudget.mib(bytes) + " MiB, and " + memory.state() + "; "
                        + (most < 1 ? "" : "give it maxDictionary " + most + " or less, ")
                        + "delete a model, or start the server with more memory (-Xmx)",
                memory.total());
    }

    /**
     * Creates a model.
     *
     * @param name small letters, digits and dashes, at most 64
     * @throws ModelExistsException if there is one of that name
     * @throws LimitException if there are too many
     * @throws InvalidConfigException if the name cannot be used
     */
    public synchronized LiveModel create(String name, ModelSettings settings) {
        if (name == null || !ModelDirectory.isName(name)) {
            throw new InvalidConfigException(
                    "name", name, "must be 1 to 64 lowercase letters, digits and dashes, and not begin with a dash");
        }
        await(name);
        if (models.containsKey(name) || damaged.containsKey(name)) {
            throw new ModelExistsException(name);
        }
        int count = models.size() + damaged.size() + opening.size();
        if (count >= config.maxModels()) {
            throw new LimitException(
                    "there are " + count
                            + " models already; delete one, or start the server with a larger --max-models",
                    config.maxModels());
        }
        // Nothing is written of a model for which there is no room.
        share(settings, settings.bytesAtFirst()).release();
        files.create(name, settings.packed());
        try {
            return begin(name);
        } catch (RuntimeException | Error e) {
            files.delete(name);
            throw e;
        }
    }

    /**
     * The model of a name.
     *
     * @throws BusyException if its files are still being read after some seconds
     */
    public Optional<LiveModel> find(String name) {
        await(name);
        return name == null ? Optional.empty() : Optional.ofNullable(models.get(name));
    }

    /**
     * The model of a name.
     *
     * @throws UnknownModelException if there is none
     * @throws ModelFailedException if its files are damaged
     */
    public LiveModel require(String name) {
        LiveModel model = find(name).orElse(null);
        if (model == null) {
            KoopstreamException damage = name == null ? null : damaged.get(name);
            throw damage == null
                    ? new UnknownModelException(name)
                    : new ModelFailedException(name, damage.getMessage(), damage);
        }
        return model;
    }

    /**
     * Opens a model anew from its files: one that has failed, or that was set aside, once what was in the way is gone. One that runs is left alone.
     *
     * @throws UnknownModelException if there is none
     * @throws KoopstreamException what is still in the way; it stays set aside
     */
    public synchronized LiveModel resume(String name) {
        LiveModel model = find(name).orElse(null);
        if (model != null && model.health().state() != Health.State.FAILED) {
            return model;
        }
        if (model == null && !damaged.containsKey(name)) {
            throw new UnknownModelException(name);
        }
        if (model != null) {
            close(List.of(model), 0, false);
            models.remove(name);
        }
        beginOrPutAside(name);
        return require(name);
    }

    /** The models that could not be opened, each with what was found. They are neither learned nor touched; they can be deleted. */
    public Map<String, KoopstreamException> damaged() {
        return Collections.unmodifiableMap(damaged);
    }

    /** Whether every model goes on, and none has lost anything. */
    public boolean isWhole() {
        return damaged.isEmpty()
                && models.values().stream()
                        .allMatch(model -> model.lost() == 0
                                && (model.health().state() == Health.State.RUNNING
                                        || model.health().state() == Health.State.REPLAYING));
    }

    /** All models, in the order of their names. */
    public List<LiveModel> list() {
        return List.copyOf(models.values());
    }

    /**
     * Stops a model and removes everything of it.
     *
     * @throws UnknownModelException if there is none
     */
    public synchronized void delete(String name) {
        await(name);
        LiveModel model = models.get(name);
        if (model == null && !damaged.containsKey(name)) {
            throw new UnknownModelException(name);
        }
        if (model != null) {
            close(List.of(model), 0, false);
        }
        files.delete(name);
        models.remove(name);
        damaged.remove(name);
    }

    private static void close(Collection<LiveModel> all, long nanos, boolean save) {
        long now = System.nanoTime();
        all.forEach(model -> model.stop(now + nanos));
        all.forEach(model -> model.close(now + nanos + LAST_BATCH_NANOS, save));
    }

    /** The memory that everything together may take. */
    public MemoryBudget memory() {
        return memory;
    }

    /** Stops all models; what was accepted is learned and saved first, unless that takes longer than a few seconds: then it is learned at the next start. */
    @Override
    public void close() {
        close(LEARN_NANOS);
    }

    /** @param nanos for learning what waits */
    synchronized void close(long nanos) {
        closing = true;
        openers.shutdown();
        awaitOpened();
        close(models.values(), nanos, true);
        models.clear();
        snapshots.shutdown();
        files.close();
    }
}
