package io.koopstream.server.engine;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.ModelDirectory;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.durable.OutdatedDataException;
import io.koopstream.server.durable.Unpacker;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A directory of named models that learn. Any thread may call any method. */
public final class LiveModels implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LiveModels.class.getName());

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

    private final EngineConfig config;
    private final InstantSource clock;
    private final ModelDirectory files;
    private final HeavyWork heavy;
    private final ExecutorService snapshots;
    private final Map<String, LiveModel> models = new ConcurrentSkipListMap<>();
    private final Map<String, KoopstreamException> damaged = new ConcurrentSkipListMap<>();

    private LiveModels(EngineConfig config, InstantSource clock, ModelDirectory files) {
        this.config = config;
        this.clock = clock;
        this.files = files;
        this.heavy = new HeavyWork(config.heavyAnswers());
        this.snapshots = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "koopstream-snapshots");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Opens a directory, recovers its models and goes on learning.
     *
     * @param directory where everything is kept; created when missing
     * @param config limits
     * @param storage the file system, usually {@link Storage#DISK}
     * @param clock for telling when something came; nothing that is learned depends on it
     * @throws io.koopstream.server.durable.DirectoryInUseException if another process has it open
     * @throws DamagedDataException if there are files of a model that is not there; a model whose own files are damaged is {@link #damaged put
     *     aside}, and the others go on
     * @throws io.koopstream.server.durable.StorageFailedException if it cannot be used
     */
    public static LiveModels open(Path directory, EngineConfig config, Storage storage, InstantSource clock) {
        ModelDirectory files = ModelDirectory.open(storage, directory);
        LiveModels models = new LiveModels(config, clock, files);
        try {
            for (String name : files.names()) {
                models.beginOrPutAside(name);
            }
            return models;
        } catch (RuntimeException | Error e) {
            models.close();
            throw e;
        }
    }

    private void beginOrPutAside(String name) {
        try {
            begin(name);
        } catch (DamagedDataException | OutdatedDataException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "model " + name + " is put aside, its files are left as they are: " + e.getMessage());
            damaged.put(name, e);
        }
    }

    /** Recovers a model and lets it go on. */
    private LiveModel begin(String name) {
        ModelStore store = files.open(name, config.durability(), config.segmentBytes());
        try {
            return begin(name, store);
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    private LiveModel begin(String name, ModelStore store) {
        ModelSettings settings =
                ModelSettings.unpacked(new Unpacker(ByteBuffer.wrap(store.settings()), "the settings of " + name));
        MachineRebuilder rebuilder = new MachineRebuilder(settings);
        ModelStore.Recovery recovery = store.recover(rebuilder);
        ModelMachine machine = rebuilder.machine();
        recovery.notes().forEach(note -> LOG.log(System.Logger.Level.WARNING, "recovering " + name + ": " + note));
        if (!recovery.isSaved()) {
            store.snapshot(machine.batches(), machine.capture().parts());
        }
        LiveModel model = new LiveModel(name, machine, store, config, heavy, clock, snapshots);
        model.start();
        models.put(name, model);
        return model;
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
        if (name == null || !NAME.matcher(name).matches()) {
            throw new InvalidConfigException(
                    "name", name, "must be 1 to 64 small letters, digits and dashes, and not begin with a dash");
        }
        if (models.containsKey(name) || damaged.containsKey(name)) {
            throw new ModelExistsException(name);
        }
        int count = models.size() + damaged.size();
        if (count >= config.maxModels()) {
            throw new LimitException("there are " + count + " models already; delete one first", config.maxModels());
        }
        files.create(name, settings.packed());
        try {
            return begin(name);
        } catch (RuntimeException e) {
            files.delete(name);
            throw e;
        }
    }

    /** The model of a name. */
    public Optional<LiveModel> find(String name) {
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

    /** The models whose files are damaged or of an older release, each with what was found. They are neither learned nor touched; they can be deleted. */
    public Map<String, KoopstreamException> damaged() {
        return Collections.unmodifiableMap(damaged);
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
        LiveModel model = models.get(name);
        if (model == null && !damaged.containsKey(name)) {
            throw new UnknownModelException(name);
        }
        if (model != null) {
            model.close(false);
        }
        files.delete(name);
        models.remove(name);
        damaged.remove(name);
    }

    /** Stops all models; what was accepted is learned and saved first. */
    @Override
    public synchronized void close() {
        models.values().forEach(model -> model.close(true));
        models.clear();
        snapshots.shutdown();
        files.close();
    }
}
