package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.KoopstreamException;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.DirectoryInUseException;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.ModelDirectory;
import io.koopstream.server.engine.DataFolder.Finding;
import io.koopstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders on the real disk: checked, repaired with an operator's word, copied while they are learned into, restored. */
class DataFolderTest {

    private static final int BATCHES = 20;
    private static final Workload WORK = new Workload(BATCHES, 3);
    private static final EngineConfig CONFIG = Workload.config(Durability.FSYNC, 15);

    @TempDir
    private Path place;

    private static LiveModels open(Path folder) {
        return LiveModels.open(folder, CONFIG, Storage.DISK, InstantSource.system())
                .awaitOpened();
    }

    private static DataFolder data(Path folder) {
        return new DataFolder(Storage.DISK, folder);
    }

    private Path filled(String name) {
        Path folder = place.resolve(name);
        try (LiveModels models = open(folder)) {
            for (String model : List.of("a", "b")) {
                LiveModel live = models.create(model, WORK.settings());
                WORK.batches().forEach(batch -> live.submit(batch).join());
            }
        }
        return folder;
    }

    private static Map<String, byte[]> contents(Path folder) throws IOException {
        Map<String, byte[]> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return all;
    }

    private static Path newest(Path folder, String part) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(part))
                    .max(java.util.Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    @Test
    void aWholeFolderIsFoundWholeAndLeftAlone() throws IOException {
        Path folder = filled("data");
        Map<String, byte[]> before = contents(folder);
        List<Finding> found = data(folder).check();
        assertThat(found).extracting(Finding::model).containsExactly("a", "b");
        for (Finding finding : found) {
            assertThat(finding.whole()).isTrue();
            assertThat(finding.faults()).isEmpty();
            assertThat(finding.digest()).isEqualTo(WORK.digest(BATCHES));
            assertThat(finding.batches()).isEqualTo(BATCHES);
        }
        Map<String, byte[]> after = contents(folder);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        before.forEach((file, bytes) -> assertThat(after.get(file)).as(file).isEqualTo(bytes));
        try (LiveModels models = open(folder)) {
            assertThat(models.list()).hasSize(2);
            assertThatThrownBy(() -> data(folder).check()).isInstanceOf(DirectoryInUseException.class);
            assertThatThrownBy(() -> data(folder).repair("a")).isInstanceOf(DirectoryInUseException.class);
        }
    }

    @Test
    void aLossNeedsAWordAndIsToldEverAfter() throws IOException {
        Path folder = filled("data");
        // The state that was saved at the end, and half of the log: what came since the snapshot before is lost.
        Files.delete(newest(folder, "a.snapshot."));
        Path log = newest(folder, "a.log.");
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(bytes, bytes.length / 2));
        Finding damaged = data(folder).check().get(0);
        assertThat(damaged.whole()).isFalse();
        assertThat(damaged.lost()).isPositive();
        assertThat(damaged.batches() + damaged.lost()).isEqualTo(BATCHES);
        assertThat(damaged.digest()).isEqualTo(WORK.digest((int) damaged.batches()));
        try (LiveModels models = open(folder)) {
            assertThat(models.damaged()).containsOnlyKeys("a");
            assertThat(models.find("b")).isPresent();
        }

        Finding repaired = data(folder).repair("a");

        assertThat(repaired.batches()).isEqualTo(damaged.batches());
        assertThat(folder.resolve("lost")).isNotEmptyDirectory();
        assertThat(data(folder).check()).allMatch(Finding::whole);
        for (int start = 0; start < 2; start++) {
            try (LiveModels models = open(folder)) {
                LiveModel model = models.require("a");
                assertThat(model.lost()).isEqualTo(damaged.lost());
                assertThat(model.health().reason()).contains("lost");
                assertThat(models.isWhole()).isFalse();
                // What was lost can be sent again.
                for (Batch batch : WORK.batches().subList((int) damaged.batches(), BATCHES)) {
                    model.submit(batch).join();
                }
            }
        }
        assertThat(data(folder).check().get(0).digest()).isEqualTo(WORK.digest(BATCHES));
        assertThatThrownBy(() -> data(folder).repair("nobody")).isInstanceOf(UnknownModelException.class);
    }

    @Test
    void whatCannotBeReadAtAllIsNotMadeUp() throws IOException {
        Path folder = filled("data");
        for (String file : contents(folder).keySet()) {
            if (file.startsWith("a.settings") || file.startsWith("a.snapshot.")) {
                Files.write(folder.resolve(file), new byte[30]);
            }
        }
        assertThat(data(folder).check().get(0).whole()).isFalse();
        assertThatThrownBy(() -> data(folder).repair("a")).isInstanceOf(KoopstreamException.class);
        assertThat(data(folder).check().get(1).whole()).isTrue();
    }

    /** A bit of the settings, or all of one of their two files, costs nothing. */
    @Test
    void settingsAreKeptTwice() throws IOException {
        for (String file : List.of("a.settings", "a.settings-copy")) {
            Path folder = filled(file + "-damaged");
            byte[] whole = Files.readAllBytes(folder.resolve(file));
            byte[] bytes = whole.clone();
            bytes[bytes.length / 2] ^= 4;
            Files.write(folder.resolve(file), bytes);
            Finding found = data(folder).check().get(0);
            assertThat(found.whole()).isTrue();
            assertThat(found.faults()).singleElement().asString().contains(file);
            try (LiveModels models = open(folder)) {
                assertThat(models.require("a").machine().capture().digest()).isEqualTo(WORK.digest(BATCHES));
            }
            assertThat(Files.readAllBytes(folder.resolve(file))).isEqualTo(whole);
        }
    }

    @Test
    void settingsAreRebuiltFromTheSnapshot() throws IOException {
        Path folder = filled("data");
        Files.write(folder.resolve("a.settings"), new byte[30]);
        Files.delete(folder.resolve("a.settings-copy"));
        assertThat(data(folder).check().get(0).whole()).isFalse();
        Finding repaired = data(folder).repair("a");
        assertThat(repaired.digest()).isEqualTo(WORK.digest(BATCHES));
        assertThat(data(folder).check()).allMatch(Finding::whole);
        try (LiveModels models = open(folder)) {
            assertThat(models.require("a").settings().given())
                    .containsAllEntriesOf(WORK.settings().given());
        }
    }

    /** Nothing says how far the log went: that may not be called intact. */
    @Test
    void withoutTheNoteOfWhatWasAcknowledgedNobodyKnowsTheEnd() throws IOException {
        Path folder = filled("data");
        Files.delete(folder.resolve("a.acknowledged"));
        Files.delete(newest(folder, "a.log."));
        Finding found = data(folder).check().get(0);
        assertThat(found.whole()).isFalse();
        assertThat(found.faults()).anySatisfy(fault -> assertThat(fault).contains("a.acknowledged", "unknown"));
        data(folder).repair("a");
        assertThat(data(folder).check()).allMatch(Finding::whole);
    }

    @Test
    void aStrayMarkDeletesNothing() throws IOException {
        Path folder = filled("data");
        Files.write(folder.resolve("a.deleted"), new byte[] {1, 2, 3});
        Files.copy(folder.resolve("b.settings"), folder.resolve("b.deleted"));
        try (LiveModels models = open(folder)) {
            for (String model : List.of("a", "b")) {
                assertThat(models.require(model).machine().capture().digest()).isEqualTo(WORK.digest(BATCHES));
            }
        }
    }

    /** While the folder is copied a server writes snapshots, but takes no file away. */
    @Test
    void nothingIsTakenAwayWhileTheFolderIsCopied() throws Exception {
        Path folder = place.resolve("data");
        EngineConfig often = new EngineConfig(Durability.OS, 10_000, 10, 4, 8, 500, 1);
        try (LiveModels models = LiveModels.open(folder, often, Storage.DISK, java.time.InstantSource.system())) {
            LiveModel model = models.create("a", WORK.settings());
            model.submit(WORK.batches().get(0)).join();
            Map<String, byte[]> before = contents(folder);
            java.io.Closeable lease = ModelDirectory.lease(Storage.DISK, folder).orElseThrow();
            WORK.batches()
                    .subList(1, BATCHES)
                    .forEach(batch -> model.submit(batch).join());
            model.viewAfter(model.startedWith() + model.counts().accepted()).join();
            model.awaitSnapshot();
            assertThat(contents(folder).keySet()).containsAll(before.keySet());
            lease.close();
        }
        assertThat(data(folder).check()).allMatch(Finding::whole);
    }

    @Test
    void aBackupTakenWhileItLearnsHoldsEverythingAcknowledgedBefore() throws Exception {
        Path folder = place.resolve("live");
        AtomicLong acknowledged = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        try (LiveModels models = open(folder)) {
            LiveModel model = models.create(EndlessWork.MODEL, EndlessWork.settings());
            Thread sender = new Thread(() -> {
                for (long i = 0; !stop.get(); ) {
                    try {
                        model.submit(EndlessWork.batch(i)).join();
                        acknowledged.set(++i);
                    } catch (CompletionException e) {
                        // On a busy machine learning falls behind; the batch was not accepted and is sent again.
                        assertThat(e).hasCauseInstanceOf(BusyException.class);
                        Thread.onSpinWait();
                    }
                }
            });
            sender.start();
            EndlessWork work = new EndlessWork();
            for (int i = 0; i < 5; i++) {
                long before = acknowledged.get();
                Await.until("forty more batches", () -> acknowledged.get() >= before + 40);
                long known = acknowledged.get();
                Finding copied =
                        data(folder).copyTo(place.resolve("backup" + i)).get(0);
                assertThat(copied.whole()).as(copied.toString()).isTrue();
                assertThat(copied.batches()).isGreaterThanOrEqualTo(known);
                assertThat(copied.digest()).isEqualTo(work.digest(copied.batches()));
            }
            stop.set(true);
            sender.join();
        }
        Finding backup = data(place.resolve("backup4")).check().get(0);
        data(place.resolve("backup4")).copyTo(place.resolve("restored"));
        assertThat(place.resolve("restored").resolve("koopstream.token")).doesNotExist();
        try (LiveModels models = open(place.resolve("restored"))) {
            LiveModel model = models.require(EndlessWork.MODEL);
            assertThat(model.machine().capture().digest()).isEqualTo(backup.digest());
            model.submit(EndlessWork.batch(backup.batches())).join();
        }
        assertThatThrownBy(() -> data(place.resolve("backup4")).copyTo(place.resolve("restored")))
                .hasMessageContaining("not empty");
    }
}
