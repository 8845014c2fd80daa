package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.koopstream.KoopstreamException;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Files that are not what was written: a typed error or the right model, never another one. */
class DamagedFilesTest {

    private static final int BATCHES = 14;
    private static final Workload WORK = new Workload(BATCHES, 7);
    private static final EngineConfig NO_SNAPSHOTS =
            new EngineConfig(Durability.FSYNC, 10_000, 1_000_000, 4, 8, 1 << 20, 1);

    /** The files of a server that died after all batches, each synced on its own. */
    private static FaultyStorage stopped(EngineConfig config) {
        FaultyStorage storage = new FaultyStorage();
        LiveModels models = Workload.open(storage, config);
        LiveModel model = models.create(Workload.MODEL, WORK.settings());
        for (Batch batch : WORK.batches()) {
            long samples = model.submit(batch).join().samples();
            // So that snapshots come after the same batches in every run.
            model.viewAfter(samples).join();
        }
        model.awaitSnapshot();
        storage.losePower();
        models.close();
        return storage.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0);
    }

    @Test
    void oneDamagedModelDoesNotKeepTheOthersFromGoingOn() {
        FaultyStorage running = new FaultyStorage();
        LiveModels before = Workload.open(running, NO_SNAPSHOTS);
        for (String name : List.of(Workload.MODEL, "other")) {
            LiveModel model = before.create(name, WORK.settings());
            WORK.batches().forEach(batch -> model.submit(batch).join());
        }
        running.losePower();
        before.close();
        FaultyStorage storage = running.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0);
        Path log = only(storage, Workload.MODEL + ".log.");
        byte[] bytes = storage.peek(log);
        bytes[frames(bytes).get(2) + 30] ^= 1;
        storage.overwrite(log, bytes);

        try (LiveModels models = Workload.openWithDamage(storage, NO_SNAPSHOTS)) {
            assertThat(models.damaged()).containsOnlyKeys(Workload.MODEL);
            assertThat(models.list()).extracting(LiveModel::name).containsExactly("other");
            assertThat(models.require("other").machine().capture().digest()).isEqualTo(WORK.digest(BATCHES));
            assertThatThrownBy(() -> models.require(Workload.MODEL))
                    .isInstanceOf(ModelFailedException.class)
                    .hasMessageContaining(Workload.MODEL + ".log.");
            assertThatThrownBy(() -> models.create(Workload.MODEL, WORK.settings()))
                    .isInstanceOf(ModelExistsException.class);
            assertThat(storage.peek(log)).as("left as it was").isEqualTo(bytes);

            models.delete(Workload.MODEL);
            assertThat(models.damaged()).isEmpty();
            assertThat(models.create(Workload.MODEL, WORK.settings()).view().received())
                    .isZero();
        }
    }

    private static Path only(FaultyStorage storage, String part) {
        List<Path> found = files(storage, part);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static List<Path> files(FaultyStorage storage, String part) {
        return storage.files().stream()
                .filter(file -> file.getFileName().toString().contains(part))
                .toList();
    }

    /** How many batches are recovered; -1 when the files are refused as damaged. */
    private static int recovered(FaultyStorage storage, EngineConfig config) {
        try (LiveModels models = Workload.open(storage, config)) {
            int prefix = WORK.prefix(models.find(Workload.MODEL)
                    .orElseThrow()
                    .machine()
                    .capture()
                    .digest());
            assertThat(prefix).as("a state that some batches lead to").isNotNegative();
            return prefix;
        } catch (DamagedDataException e) {
            assertThat(e).hasMessageContaining(Workload.MODEL + ".");
            return -1;
        }
    }

    /** Where the frame of each record begins, and where the last one ends. */
    private static List<Integer> frames(byte[] log) {
        List<Integer> offsets = new ArrayList<>();
        int offset = 48;
        while (offset < log.length) {
            offsets.add(offset);
            offset += 24
                    + java.nio.ByteBuffer.wrap(log)
                            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                            .getInt(offset);
        }
        offsets.add(offset);
        return offsets;
    }

    /** The same files as an older release left them, which took no note of what it had acknowledged. */
    private static FaultyStorage withoutNote(FaultyStorage storage) {
        FaultyStorage older = storage.copy();
        older.remove(only(older, ".acknowledged"));
        return older;
    }

    @Test
    void aLogCutAtAnyByteIsALossAndNotATornWrite() {
        FaultyStorage storage = stopped(NO_SNAPSHOTS);
        Path log = only(storage, ".log.");
        byte[] bytes = storage.peek(log);
        for (int length = 0; length < bytes.length; length++) {
            FaultyStorage damaged = storage.copy();
            damaged.overwrite(log, Arrays.copyOf(bytes, length));
            assertThat(recovered(damaged, NO_SNAPSHOTS)).as("cut at " + length).isEqualTo(-1);
        }
        FaultyStorage longer = storage.copy();
        longer.overwrite(log, Arrays.copyOf(bytes, bytes.length + 700));
        assertThat(recovered(longer, NO_SNAPSHOTS))
                .as("half a record that was not acknowledged")
                .isEqualTo(BATCHES);
    }

    @Test
    void anEmptiedDeletedOrScrambledLogIsALoss() {
        EngineConfig config = new EngineConfig(Durability.FSYNC, 10_000, 1_000_000, 4, 8, 400, 1);
        for (EngineConfig mode : List.of(config, config.with(Durability.OS))) {
            FaultyStorage storage = stopped(mode);
            List<Path> logs = files(storage, ".log.");
            assertThat(logs).hasSizeGreaterThan(2);
            Path last = logs.get(logs.size() - 1);
            byte[] bytes = storage.peek(last);
            FaultyStorage emptied = storage.copy();
            emptied.overwrite(last, new byte[0]);
            FaultyStorage deleted = storage.copy();
            deleted.remove(last);
            FaultyStorage all = storage.copy();
            logs.forEach(all::remove);
            FaultyStorage garbage = storage.copy();
            byte[] noise = new byte[bytes.length];
            new java.util.Random(1).nextBytes(noise);
            garbage.overwrite(last, noise);
            for (FaultyStorage damaged : List.of(emptied, deleted, all, garbage)) {
                if (mode.durability() == Durability.FSYNC) {
                    assertThat(recovered(damaged, mode)).isEqualTo(-1);
                    assertThatThrownBy(() -> Workload.open(damaged, mode))
                            .hasMessageContaining("koop repair --accept-loss");
                } else if (damaged != all) {
                    // Without syncs the promise ends with the machine: it goes on, and says what is lost.
                    try (LiveModels models = Workload.open(damaged, mode)) {
                        LiveModel model = models.require(Workload.MODEL);
                        assertThat(model.lost()).isPositive();
                        assertThat(model.health().reason()).contains(model.lost() + " acknowledged batches");
                        assertThat(WORK.prefix(model.machine().capture().digest()))
                                .isEqualTo(BATCHES - (int) model.lost());
                        model.submit(Batch.states(new double[][] {{0.1}, {0.2}}, true))
                                .join();
                    }
                    try (LiveModels models = Workload.open(damaged, mode)) {
                        assertThat(models.require(Workload.MODEL).lost())
                                .as("not forgotten")
                                .isPositive();
                    }
                }
            }
        }
    }

    /** Whichever of its two slots is damaged, the other tells; without both nobody can tell, and the model goes on with a word in the log. */
    @Test
    void theNoteOfWhatWasAcknowledgedSurvivesDamageToEitherHalf() {
        FaultyStorage storage = stopped(NO_SNAPSHOTS);
        Path note = only(storage, ".acknowledged");
        Path log = only(storage, ".log.");
        byte[] bytes = storage.peek(note);
        List<Integer> frames = frames(storage.peek(log));
        byte[] halved = Arrays.copyOf(storage.peek(log), frames.get(BATCHES / 2));
        int refused = 0;
        for (int slot = 0; slot < 2; slot++) {
            byte[] damage = bytes.clone();
            Arrays.fill(damage, 512 * slot, 512 * slot + 512, (byte) 7);
            FaultyStorage whole = storage.copy();
            whole.overwrite(note, damage);
            assertThat(recovered(whole, NO_SNAPSHOTS)).isEqualTo(BATCHES);
            FaultyStorage shortened = storage.copy();
            shortened.overwrite(note, damage);
            shortened.overwrite(log, halved);
            refused += recovered(shortened, NO_SNAPSHOTS) == -1 ? 1 : 0;
        }
        // One slot may be from before the first batch, when nothing has rested since.
        assertThat(refused).isPositive();
        FaultyStorage gone = storage.copy();
        gone.overwrite(note, new byte[10]);
        assertThat(recovered(gone, NO_SNAPSHOTS)).isEqualTo(BATCHES);
        assertThat(gone.peek(note)).as("made anew").hasSize(1024);
    }

    @Test
    void aFolderOfTheReleaseBeforeGetsANote() {
        FaultyStorage older = withoutNote(stopped(NO_SNAPSHOTS));
        assertThat(recovered(older, NO_SNAPSHOTS)).isEqualTo(BATCHES);
        files(older, ".log.").forEach(older::remove);
        files(older, ".snapshot.").forEach(older::remove);
        assertThat(recovered(older, NO_SNAPSHOTS)).as("now a loss is noticed").isEqualTo(-1);
    }

    @Test
    void withoutANoteALogCutAtAnyByteGivesTheWholeRecordsBeforeTheCut() {
        FaultyStorage storage = withoutNote(stopped(NO_SNAPSHOTS));
        Path log = only(storage, ".log.");
        byte[] bytes = storage.peek(log);
        List<Integer> frames = frames(bytes);
        assertThat(frames).hasSize(BATCHES + 1);
        for (int length = 0; length <= bytes.length; length++) {
            FaultyStorage damaged = storage.copy();
            damaged.overwrite(log, Arrays.copyOf(bytes, length));
            int whole = -1;
            for (int offset : frames) {
                whole += offset <= length ? 1 : 0;
            }
            assertThat(recovered(damaged, NO_SNAPSHOTS)).as("cut at " + length).isEqualTo(Math.max(0, whole));
        }
    }

    @Test
    void anyFlippedBitOfTheLastRecordsIsNoticed() {
        FaultyStorage storage = stopped(NO_SNAPSHOTS);
        Path log = only(storage, ".log.");
        byte[] bytes = storage.peek(log);
        List<Integer> frames = frames(bytes);
        for (int bit = 8 * frames.get(BATCHES - 3); bit < 8 * bytes.length; bit++) {
            FaultyStorage damaged = storage.copy();
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            damaged.overwrite(log, flipped);
            assertThat(recovered(damaged, NO_SNAPSHOTS)).as("bit " + bit).isEqualTo(-1);
        }
    }

    @Test
    void damageInTheMiddleOfTheLogIsAnErrorThatSaysWhere() {
        FaultyStorage storage = stopped(NO_SNAPSHOTS);
        Path log = only(storage, ".log.");
        byte[] bytes = storage.peek(log);
        List<Integer> frames = frames(bytes);
        FaultyStorage zeroed = storage.copy();
        byte[] hole = bytes.clone();
        Arrays.fill(hole, frames.get(5), frames.get(7), (byte) 0);
        zeroed.overwrite(log, hole);
        assertThatThrownBy(() -> Workload.open(zeroed, NO_SNAPSHOTS))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("m.log.0000000000000000001 at byte " + frames.get(5))
                .hasMessageContaining("record 6");
        // Two records that changed places.
        FaultyStorage swapped = storage.copy();
        byte[] other = Arrays.copyOf(bytes, frames.get(3));
        int offset = frames.get(3);
        for (int frame : new int[] {4, 3}) {
            int length = frames.get(frame + 1) - frames.get(frame);
            other = Arrays.copyOf(other, offset + length);
            System.arraycopy(bytes, frames.get(frame), other, offset, length);
            offset += length;
        }
        other = Arrays.copyOf(other, bytes.length);
        System.arraycopy(bytes, offset, other, offset, bytes.length - offset);
        swapped.overwrite(log, other);
        assertThat(recovered(swapped, NO_SNAPSHOTS)).isEqualTo(-1);
    }

    @Test
    void filesOfAnotherModelAndMissingOnesAreRefused() {
        FaultyStorage storage = stopped(NO_SNAPSHOTS);
        FaultyStorage other = stopped(NO_SNAPSHOTS);
        Path log = only(storage, ".log.");
        storage.overwrite(log, other.peek(log));
        assertThatThrownBy(() -> Workload.open(storage, NO_SNAPSHOTS))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("the log of another model");
        files(other, ".settings").forEach(other::remove);
        assertThatThrownBy(() -> Workload.open(other, NO_SNAPSHOTS))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("m.settings");
    }

    @Test
    void anyFlippedByteOfTheSettingsCostsNothingAndOfBothCopiesIsRefused() {
        FaultyStorage storage = stopped(NO_SNAPSHOTS);
        List<Path> copies = files(storage, ".settings");
        assertThat(copies).hasSize(2);
        byte[] bytes = storage.peek(copies.get(0));
        assertThat(storage.peek(copies.get(1))).isEqualTo(bytes);
        for (int i = 0; i < bytes.length; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 0x10;
            FaultyStorage both = storage.copy();
            for (Path copy : copies) {
                FaultyStorage one = storage.copy();
                one.overwrite(copy, flipped);
                assertThat(recovered(one, NO_SNAPSHOTS))
                        .as("byte " + i + " of " + copy)
                        .isEqualTo(BATCHES);
                both.overwrite(copy, flipped);
            }
            assertThat(recovered(both, NO_SNAPSHOTS)).as("byte " + i).isEqualTo(-1);
        }
    }

    /** A snapshot cut at any length, or with any byte damaged: the one before it serves, with the log; nothing is lost. */
    @Test
    void aDamagedSnapshotFallsBackToTheOneBefore() {
        EngineConfig config = new EngineConfig(Durability.FSYNC, 10_000, 10, 4, 8, 300, 1);
        FaultyStorage storage = stopped(config);
        List<Path> snapshots = files(storage, ".snapshot.");
        assertThat(snapshots).hasSize(2);
        assertThat(files(storage, ".log.0000000000000000001")).isEmpty();
        Path newest = snapshots.get(1);
        byte[] bytes = storage.peek(newest);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 200; i++) {
            int at = i < 100 ? i : random.nextInt(bytes.length);
            FaultyStorage cut = storage.copy();
            cut.overwrite(newest, Arrays.copyOf(bytes, at));
            assertThat(recovered(cut, config)).as("cut at " + at).isEqualTo(BATCHES);
            FaultyStorage flipped = storage.copy();
            byte[] other = bytes.clone();
            other[at] ^= (byte) (1 + random.nextInt(255));
            flipped.overwrite(newest, other);
            assertThat(recovered(flipped, config)).as("flip at " + at).isEqualTo(BATCHES);
            // Once recovered, it is whole again: the damaged file is gone, two good ones are there.
            assertThat(recovered(flipped, config)).isEqualTo(BATCHES);
            assertThat(flipped.files()).doesNotHaveDuplicates();
        }
        // An older snapshot under a newer name.
        FaultyStorage renamed = storage.copy();
        renamed.overwrite(newest, storage.peek(snapshots.get(0)));
        assertThat(recovered(renamed, config)).isEqualTo(BATCHES);
        // Both damaged, and the log before them gone: an error, not an empty model.
        FaultyStorage both = storage.copy();
        snapshots.forEach(file -> both.overwrite(file, new byte[10]));
        assertThat(recovered(both, config)).isEqualTo(-1);
    }

    @Test
    void damageThatASnapshotCoversIsNoError() {
        EngineConfig config = new EngineConfig(Durability.FSYNC, 10_000, 20, 4, 8, 1 << 20, 1);
        FaultyStorage storage = stopped(config);
        Path log = files(storage, ".log.").get(0);
        byte[] bytes = storage.peek(log);
        for (int i = 0; i < 40; i++) {
            bytes[60 + i] = (byte) (31 * i);
        }
        storage.overwrite(log, bytes);
        assertThat(recovered(storage, config)).isEqualTo(BATCHES);
        for (Path snapshot : files(storage, ".snapshot.")) {
            storage.overwrite(snapshot, new byte[0]);
        }
        assertThat(recovered(storage, config)).isEqualTo(-1);
    }

    /** Whatever is wrong: a typed error or a state that some batches lead to. */
    @Test
    void randomDamageNeverGivesAnotherModel() {
        EngineConfig config = new EngineConfig(Durability.FSYNC, 10_000, 15, 4, 8, 400, 1);
        FaultyStorage storage = stopped(config);
        SplittableRandom random = new SplittableRandom(11);
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            FaultyStorage damaged = storage.copy();
            int count = 1 + random.nextInt(3);
            for (int k = 0; k < count; k++) {
                Path file = damaged.files().get(random.nextInt(damaged.files().size()));
                byte[] bytes = damaged.peek(file);
                if (bytes.length > 0) {
                    int at = random.nextInt(bytes.length);
                    Arrays.fill(
                            bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(80)), (byte) random.nextInt());
                    damaged.overwrite(file, bytes);
                }
            }
            try {
                refused += recovered(damaged, config) < 0 ? 1 : 0;
            } catch (KoopstreamException e) {
                refused++;
            } catch (RuntimeException e) {
                fail("damage " + i + " gives an untyped error", e);
            }
        }
        assertThat(refused).isBetween(1, 299);
    }
}
