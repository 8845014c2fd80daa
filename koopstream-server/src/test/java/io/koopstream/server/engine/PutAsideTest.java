package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import io.koopstream.server.durable.StorageFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is wrong with one model, the others serve; it says what is wrong, and goes on when that is gone. */
class PutAsideTest {

    private static final Workload WORK = new Workload(10, 9);
    private static final EngineConfig CONFIG = Workload.config(Durability.FSYNC, 1_000_000);

    /** Two models with everything learned, after a death of the process. */
    private static FaultyStorage twoModels() {
        FaultyStorage storage = new FaultyStorage();
        LiveModels models = Workload.open(storage, CONFIG);
        for (String name : List.of(Workload.MODEL, "other")) {
            LiveModel model = models.create(name, WORK.settings());
            WORK.batches().forEach(batch -> model.submit(batch).join());
        }
        storage.losePower();
        models.close();
        return storage.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0);
    }

    private static Path file(FaultyStorage storage, String start) {
        return storage.files().stream()
                .filter(file -> file.getFileName().toString().startsWith(start))
                .findFirst()
                .orElseThrow();
    }

    private static void requireWhole(LiveModels models, String name) {
        assertThat(models.require(name).machine().capture().digest()).isEqualTo(WORK.digest(10));
    }

    @Test
    void aModelWithoutSettingsIsPutAsideAndCanBeDeleted() {
        FaultyStorage storage = twoModels();
        storage.remove(file(storage, "m.settings"));
        storage.remove(file(storage, "m.settings-copy"));
        try (LiveModels models = Workload.openWithDamage(storage, CONFIG)) {
            requireWhole(models, "other");
            assertThat(models.damaged().get("m")).hasMessageContaining("m.settings");
            assertThat(models.isWhole()).isFalse();
            models.delete("m");
            assertThat(models.isWhole()).isTrue();
        }
        assertThat(storage.files())
                .noneMatch(file -> file.getFileName().toString().startsWith("m."));
    }

    @Test
    void strayFilesAreNoModels() {
        FaultyStorage storage = twoModels();
        for (String stray : List.of(
                "notes.txt",
                "Big.settings",
                "m.settings.bak",
                "m.log.copy",
                "a.b.settings",
                "x.snapshot.old",
                ".deleted")) {
            storage.overwrite(Workload.DIRECTORY.resolve(stray), new byte[] {1, 2, 3});
        }
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            requireWhole(models, "m");
            requireWhole(models, "other");
            assertThat(models.list()).hasSize(2);
        }
        assertThat(storage.files()).contains(Workload.DIRECTORY.resolve("notes.txt"));
    }

    @Test
    void aDirectoryCalledLikeAModelIsNone(@TempDir Path place) throws IOException {
        Files.createDirectories(place.resolve("x.settings").resolve("inside"));
        try (LiveModels models = LiveModels.open(place, CONFIG, Storage.DISK, InstantSource.system())) {
            assertThat(models.damaged()).isEmpty();
            models.create("x1", WORK.settings());
        }
    }

    /** A disk on which reading one file takes more memory than there is. */
    private static final class Hungry extends ForwardingStorage {
        private boolean hungry = true;

        Hungry(Storage storage) {
            super(storage);
        }

        @Override
        public ByteBuffer read(Path file) throws IOException {
            if (hungry && file.getFileName().toString().startsWith("m.log")) {
                throw new OutOfMemoryError("Java heap space");
            }
            return super.read(file);
        }
    }

    @Test
    void aModelThatDoesNotFitInMemoryIsPutAsideAndResumed() {
        Hungry storage = new Hungry(twoModels());
        try (LiveModels models = Workload.openWithDamage(storage, CONFIG)) {
            requireWhole(models, "other");
            assertThatThrownBy(() -> models.require("m"))
                    .isInstanceOf(ModelFailedException.class)
                    .hasMessageContaining("memory");
            assertThatThrownBy(() -> models.resume("m")).isInstanceOf(ModelFailedException.class);
            storage.hungry = false;
            models.resume("m");
            requireWhole(models, "m");
            assertThat(models.damaged()).isEmpty();
            assertThatThrownBy(() -> models.resume("nobody")).isInstanceOf(UnknownModelException.class);
        }
    }

    /** The last snapshot of one has no room, those of the others are written, and the folder is free again. */
    @Test
    void aModelWithoutMemoryAtTheEndDoesNotKeepTheOthersFromBeingSaved() {
        FaultyStorage disk = twoModels();
        AtomicBoolean hungry = new AtomicBoolean();
        Storage storage = new ForwardingStorage(disk) {
            @Override
            public void rename(Path from, Path to) throws IOException {
                if (hungry.get() && to.getFileName().toString().startsWith("m.snapshot")) {
                    throw new OutOfMemoryError("Java heap space");
                }
                super.rename(from, to);
            }
        };
        LiveModels models = Workload.open(storage, CONFIG);
        Batch more = Batch.states(new double[][] {{0.1}, {0.2}}, true);
        for (LiveModel model : models.list()) {
            model.viewAfter(model.submit(more).join().samples()).join();
        }
        String digest = models.require("m").machine().capture().digest();
        hungry.set(true);
        models.close();

        assertThat(disk.files().stream().map(file -> file.getFileName().toString()))
                .anyMatch(file -> file.equals(
                        "other.snapshot.%019d".formatted(WORK.batches().size() + 1)));
        try (LiveModels again = Workload.open(disk, CONFIG)) {
            assertThat(again.require("m").machine().capture().digest()).isEqualTo(digest);
        }
    }

    /** It says so and takes nothing more, loses nothing, and goes on from its log once it is resumed; the other one does not notice. */
    @Test
    void aModelThatRunsOutOfMemoryUnderWayIsResumed() {
        AtomicBoolean hungry = new AtomicBoolean();
        InstantSource clock = () -> {
            if (hungry.getAndSet(false)) {
                throw new OutOfMemoryError("Java heap space");
            }
            return Instant.EPOCH;
        };
        try (LiveModels models = LiveModels.open(Workload.DIRECTORY, CONFIG, twoModels(), clock)) {
            LiveModel model = models.require("m");
            Batch more = Batch.states(new double[][] {{0.1}, {0.2}}, true);
            hungry.set(true);
            assertThatThrownBy(() -> model.submit(more).join()).hasCauseInstanceOf(ModelFailedException.class);
            assertThat(model.health().state()).isEqualTo(Health.State.FAILED);
            models.require("other").submit(more).join();

            models.resume("m");
            requireWhole(models, "m");
            models.require("m").submit(more).join();
            assertThat(models.isWhole()).isTrue();
        }
    }

    @Test
    void aFullDiskAtStartMakesModelsReadOnlyUntilThereIsSpace() {
        FaultyStorage storage = twoModels();
        storage.space(storage.used());
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            for (String name : List.of("m", "other")) {
                requireWhole(models, name);
                LiveModel model = models.require(name);
                assertThat(model.health().state()).isEqualTo(Health.State.TROUBLED);
                assertThat(model.view().samples()).isPositive();
                Batch more = Batch.states(new double[][] {{0.1}, {0.2}}, true);
                assertThatThrownBy(() -> model.submit(more).join()).hasCauseInstanceOf(StorageFullException.class);
            }
            storage.space(Long.MAX_VALUE);
            LiveModel model = models.require("m");
            model.submit(Batch.states(new double[][] {{0.1}, {0.2}}, true)).join();
            assertThat(model.health()).isEqualTo(Health.RUNNING);
        }
    }

    /** Everything accepted is in the log, so that the end need not wait until it is learned. */
    @Test
    void whatWaitsAtTheEndIsLearnedAtTheNextStart() {
        FaultyStorage storage = new FaultyStorage();
        LiveModels models = Workload.open(storage, CONFIG);
        LiveModel model = models.create(Workload.MODEL, WORK.settings());
        WORK.batches().forEach(batch -> model.submit(batch).join());
        models.close(0);
        try (LiveModels again = Workload.open(storage.copy(), CONFIG)) {
            requireWhole(again, Workload.MODEL);
        }
    }

    @Test
    void memoryIsCountedOverEverything() {
        EngineConfig small = CONFIG.withMemoryBytes(128 << 20).withQueueSamples(100_000);
        FaultyStorage storage = new FaultyStorage();
        try (LiveModels models = Workload.open(storage, small)) {
            ModelSettings wide = ModelSettings.of(java.util.Map.of(
                    "dimension", "10000", "kernel", "gaussian(1)", "maxDictionary", "20", "delays", "0"));
            // Six copies of 3 times 400 times 400 numbers, of 400 points and what every model takes: 26 MiB each, of
            // 96.
            ModelSettings capped = ModelSettings.of(
                    java.util.Map.of("dimension", "3", "kernel", "gaussian(1)", "maxDictionary", "420", "delays", "0"));
            models.create("a", capped);
            models.create("b", capped);
            models.create("c", capped);
            assertThatThrownBy(() -> models.create("d", capped))
                    .isInstanceOf(LimitException.class)
                    .hasMessageContaining("MiB")
                    .hasMessageContaining("maxDictionary");
            assertThat(storage.files())
                    .noneMatch(file -> file.getFileName().toString().startsWith("d."));
            models.delete("a");
            models.delete("b");
            LiveModel model = models.create("w", wide);
            long before = models.memory().used();
            // Samples of 80 kB: long before 100,000 of them wait, there is no room for more. The log waits for the
            // monitor, so nothing leaves the queue.
            synchronized (storage) {
                Throwable refusal = null;
                for (int i = 0; i < 400 && refusal == null; i++) {
                    try {
                        model.submit(Batch.states(10_000, new double[50_000], false))
                                .getNow(null);
                    } catch (java.util.concurrent.CompletionException e) {
                        refusal = e.getCause();
                    }
                    assertThat(models.memory().used())
                            .isLessThanOrEqualTo(models.memory().total());
                }
                assertThat(refusal).isInstanceOf(BusyException.class).hasMessageContaining("MiB");
                assertThat(model.counts().waiting() * 80_000).isBetween(1L << 20, 128L << 20);
            }
            while (model.counts().waiting() > 0) {
                Thread.onSpinWait();
            }
            assertThat(models.memory().used()).as("given back").isEqualTo(before);
        }
    }
}
