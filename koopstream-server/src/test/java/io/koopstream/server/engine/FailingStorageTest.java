package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.KoopstreamException;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.server.durable.StorageFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Calls that fail while the machine goes on: nothing half accepted, nothing acknowledged lost, and it says what to do. */
class FailingStorageTest {

    private static final int BATCHES = 16;
    private static final Workload WORK = new Workload(BATCHES, 5);
    private static final EngineConfig CONFIG = Workload.config(Durability.FSYNC, 12);

    /** Sends everything once, each batch until it is taken or refused for good; returns how many were acknowledged in a row. */
    private static int sendAll(LiveModel model) {
        int acknowledged = 0;
        for (Batch batch : WORK.batches()) {
            boolean taken = false;
            for (int attempt = 0; attempt < 3 && !taken; attempt++) {
                try {
                    model.submit(batch).join();
                    taken = true;
                } catch (CompletionException e) {
                    assertThat(e.getCause()).isInstanceOf(KoopstreamException.class);
                }
            }
            if (!taken) {
                return acknowledged;
            }
            acknowledged++;
        }
        return acknowledged;
    }

    private static int recovered(FaultyStorage storage) {
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            return models.find(Workload.MODEL)
                    .map(model -> WORK.prefix(model.machine().capture().digest()))
                    .orElse(0);
        }
    }

    @Test
    void whateverCallFailsNothingAcknowledgedIsLost() {
        for (boolean forEver : new boolean[] {false, true}) {
            int call = 1;
            boolean reached = true;
            while (reached) {
                String what = "call " + call + (forEver ? " and all later ones fail" : " fails");
                FaultyStorage storage = new FaultyStorage().failAt(call, forEver);
                int acknowledged = 0;
                try (LiveModels models = Workload.open(storage, CONFIG)) {
                    LiveModel model = models.create(Workload.MODEL, WORK.settings());
                    acknowledged = sendAll(model);
                    if (!forEver && model.health().state() != Health.State.FAILED) {
                        assertThat(acknowledged).as(what).isEqualTo(BATCHES);
                    }
                } catch (KoopstreamException e) {
                    assertThat(e.getMessage()).as(what).isNotBlank();
                }
                reached = storage.calls() >= call;
                FaultyStorage sound = storage.copy();
                assertThat(recovered(sound)).as(what + ": recovered").isGreaterThanOrEqualTo(acknowledged);
                // A second look finds the same, and all of it can be sent again and finished.
                try (LiveModels models = Workload.open(sound, CONFIG)) {
                    LiveModel model =
                            models.find(Workload.MODEL).orElseGet(() -> models.create(Workload.MODEL, WORK.settings()));
                    assertThat(sendAll(model)).as(what).isEqualTo(BATCHES);
                }
                assertThat(recovered(sound)).as(what).isEqualTo(BATCHES);
                call++;
            }
            assertThat(call).isGreaterThan(40);
        }
    }

    @Test
    void aFailedSyncEndsTheLogUntilTheServerIsStartedAgain() {
        FaultyStorage storage = new FaultyStorage();
        List<Batch> batches = WORK.batches();
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            LiveModel model = models.create(Workload.MODEL, WORK.settings());
            model.submit(batches.get(0)).join();
            storage.fail("sync");
            assertThatThrownBy(() -> model.submit(batches.get(1)).join())
                    .hasCauseInstanceOf(StorageFailedException.class)
                    .hasMessageContaining("start the server again");
            storage.fail(null);
            // Syncs work again, but what the failed one has left on the disk is unknown.
            assertThatThrownBy(() -> model.submit(batches.get(1)).join())
                    .hasCauseInstanceOf(ModelFailedException.class);
            assertThat(model.health().state()).isEqualTo(Health.State.FAILED);
            assertThat(model.health().reason()).contains("syncing it failed");
            assertThat(model.viewAfter(1).join().received()).isPositive();
        }
        assertThat(recovered(storage.afterPowerLoss(FaultyStorage.Loss.ALL, 1))).isGreaterThanOrEqualTo(1);
    }

    @Test
    void aFullDiskRefusesAndGoesOnWhenThereIsSpace() {
        FaultyStorage storage = new FaultyStorage();
        int refusals = 0;
        long space;
        List<String> healths = new ArrayList<>();
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            LiveModel model = models.create(Workload.MODEL, WORK.settings());
            space = storage.used() + 64;
            storage.space(space);
            long samples = 0;
            for (Batch batch : WORK.batches()) {
                boolean taken = false;
                while (!taken) {
                    try {
                        samples = model.submit(batch).join().samples();
                        taken = true;
                    } catch (CompletionException e) {
                        assertThat(e.getCause()).isInstanceOf(StorageFullException.class);
                        assertThat(model.health().state()).isEqualTo(Health.State.TROUBLED);
                        healths.add(model.health().reason());
                        refusals++;
                        space += 100;
                        storage.space(space);
                    }
                }
            }
            model.viewAfter(samples).join();
            assertThat(WORK.prefix(model.machine().capture().digest())).isEqualTo(BATCHES);
        }
        assertThat(refusals).isGreaterThan(2);
        assertThat(healths).allMatch(reason -> reason.contains("free some space"));
        // Also when the last snapshot did not fit.
        assertThat(recovered(storage.afterPowerLoss(FaultyStorage.Loss.ALL, 2))).isEqualTo(BATCHES);
    }

    @Test
    void aModelThatCannotBeCreatedIsNotThere() {
        FaultyStorage storage = new FaultyStorage();
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            storage.space(10);
            assertThatThrownBy(() -> models.create(Workload.MODEL, WORK.settings()))
                    .isInstanceOf(StorageFullException.class);
            assertThat(models.find(Workload.MODEL)).isEmpty();
            storage.space(Long.MAX_VALUE);
            models.create(Workload.MODEL, WORK.settings());
        }
        assertThat(recovered(storage.afterPowerLoss(FaultyStorage.Loss.ALL, 3))).isZero();
    }

    /** Deleting is all or nothing too, whenever the power goes. */
    @Test
    void aModelIsDeletedWholly() {
        for (int call = 1; call < 25; call++) {
            FaultyStorage storage = new FaultyStorage();
            LiveModels models = Workload.open(storage, CONFIG);
            LiveModel model = models.create(Workload.MODEL, WORK.settings());
            int sent = sendAll(model);
            boolean deleted = false;
            storage.losePowerAt(call);
            try {
                models.delete(Workload.MODEL);
                deleted = true;
            } catch (KoopstreamException e) {
                assertThat(e).hasMessageContaining(Workload.MODEL);
            }
            storage.losePower();
            models.close();
            FaultyStorage after = storage.afterPowerLoss(FaultyStorage.Loss.RANDOM, call);
            try (LiveModels again = Workload.open(after, CONFIG)) {
                LiveModel left = again.find(Workload.MODEL).orElse(null);
                if (left == null) {
                    again.create(Workload.MODEL, WORK.settings());
                } else {
                    assertThat(deleted).isFalse();
                    assertThat(WORK.prefix(left.machine().capture().digest())).isEqualTo(sent);
                }
            }
            assertThat(recovered(after)).isIn(0, BATCHES);
        }
    }
}
