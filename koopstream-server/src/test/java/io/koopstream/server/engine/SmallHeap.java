package io.koopstream.server.engine;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A process with little memory: five models are fed while another one keeps nearly everything. It says what became of them. */
public final class SmallHeap {

    private static final int ROWS = 20_000;

    private SmallHeap() {}

    /** @param args directory */
    public static void main(String[] args) {
        EngineConfig config = EngineConfig.defaults().with(Durability.OS);
        try (LiveModels models = LiveModels.open(Path.of(args[0]), config, Storage.DISK, InstantSource.system())) {
            List<LiveModel> modest = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                modest.add(models.create("modest" + i, GreedyModelTest.MODEST));
            }
            LiveModel greedy = models.create("greedy", GreedyModelTest.GREEDY);
            Thread others = new Thread(() -> {
                double[][] states = TestStreams.doubleWell(ROWS, 2);
                for (int i = 0; i < ROWS; i += 100) {
                    for (LiveModel model : modest) {
                        model.submit(TestStreams.part(states, i, i + 100)).join();
                    }
                }
            });
            others.start();
            Health health = GreedyModelTest.feedUntilItFails(greedy);
            System.out.println("greedy " + health.state() + ": " + health.reason());
            others.join();
            System.out.println("others "
                    + modest.stream()
                            .allMatch(model -> model.viewAfter(ROWS).join().received() == ROWS
                                    && model.health().equals(Health.RUNNING)));
            System.out.println("spectrum " + greedy.view().learned().spectrum(4).size());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
