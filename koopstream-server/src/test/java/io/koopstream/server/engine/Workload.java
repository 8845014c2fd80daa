package io.koopstream.server.engine;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Batches for a small model, and the digest that its machine has after each of them. */
final class Workload {

    static final Path DIRECTORY = Path.of("data").toAbsolutePath();
    static final String MODEL = "m";

    /** Every recovery and every disk that fails would be told in a line of the build's log. */
    private static final Logger QUIET = Logger.getLogger(LiveModels.class.getPackageName());

    static {
        QUIET.setLevel(Level.OFF);
    }

    private final ModelSettings settings;
    private final List<Batch> batches = new ArrayList<>();
    private final List<String> digests = new ArrayList<>();

    /** Two streams of states of random lengths, mixed, one of pairs, and one of rows with their places. */
    Workload(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        this.settings = ModelSettings.of(Map.of(
                "dimension",
                "1",
                "kernel",
                "gaussian(0.6)",
                "epsilon",
                "0.3",
                "block",
                "4",
                "maxDictionary",
                "12",
                "delays",
                "0",
                "holdout",
                "0.2"));
        double[][] states = TestStreams.doubleWell(20 * count, seed);
        int[] position = {0, 10 * count};
        long[] next = {3, 0};
        long pairs = 0;
        long rows = 0;
        double[] steps = new double[2];
        for (int b = 0; b < count; b++) {
            int size = 1 + random.nextInt(6);
            if (b % 5 == 4) {
                double[][] x = Arrays.copyOfRange(states, b, b + size);
                double[][] y = Arrays.copyOfRange(states, b + 1, b + 1 + size);
                batches.add(Batch.pairs(x, y).numbered("pairs", pairs));
                pairs += size;
            } else if (b % 5 == 2) {
                BatchRows found = new BatchRows(1, false);
                for (int i = 0; i < size; i++) {
                    found.add("t" + i % 2, steps[i % 2]++, Double.NaN, states[b + i], false);
                }
                found.addUnreadable("t1");
                batches.add(found.batch().numbered("rows", rows));
                rows += size + 1;
            } else {
                int s = random.nextInt(2);
                batches.add(TestStreams.part(states, position[s], position[s] + size)
                        .numbered("s" + s, next[s]));
                position[s] += size;
                next[s] += size;
            }
        }
        ModelMachine machine = new ModelMachine(settings);
        digests.add(machine.capture().digest());
        for (Batch batch : batches) {
            machine.apply(batch, batch.hashes());
            digests.add(machine.capture().digest());
        }
    }

    ModelSettings settings() {
        return settings;
    }

    List<Batch> batches() {
        return batches;
    }

    /** The digest after some of the batches. */
    String digest(int count) {
        return digests.get(count);
    }

    /** How many batches a machine with this digest has seen; -1 when none has it. */
    int prefix(String digest) {
        return digests.indexOf(digest);
    }

    static LiveModels open(Storage storage, EngineConfig config) {
        LiveModels models = openWithDamage(storage, config);
        models.damaged().values().stream().findFirst().ifPresent(damage -> {
            models.close();
            throw damage;
        });
        return models;
    }

    /** The same, but models that are damaged are set aside, as in a server. */
    static LiveModels openWithDamage(Storage storage, EngineConfig config) {
        return LiveModels.open(DIRECTORY, config, storage, InstantSource.system())
                .awaitOpened();
    }

    /** Small files and many snapshots, so that a short run sees the whole life of both. */
    static EngineConfig config(Durability durability, long snapshotEvery) {
        return new EngineConfig(durability, 10_000, snapshotEvery, 4, 8, 700, 1);
    }
}
