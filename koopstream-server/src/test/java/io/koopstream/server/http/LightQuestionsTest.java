package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What costs nothing to answer waits for nobody who computes. */
class LightQuestionsTest {

    @Test
    void theyAreAnsweredWhileEveryPlaceForHeavyOnesIsTaken() throws Exception {
        try (RunningServer server = RunningServer.start()) {
            server.create("m");
            server.create("busy");
            double[][] states = new double[300][];
            for (int i = 0; i < states.length; i++) {
                states[i] = new double[] {Math.sin(0.1 * i), Math.cos(0.1 * i)};
            }
            LiveModel model = server.server().models().require("m");
            model.submit(Batch.states(states, true)).join();
            model.viewAfter(300).join();
            LiveModel busy = server.server().models().require("busy");
            busy.submit(Batch.states(states, true)).join();
            ModelView view = busy.viewAfter(300).join();

            int places = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
            CountDownLatch taken = new CountDownLatch(places);
            CountDownLatch gate = new CountDownLatch(1);
            List<CompletableFuture<?>> heavy = new ArrayList<>();
            for (int i = 0; i < places; i++) {
                heavy.add(CompletableFuture.runAsync(
                        () -> view.learned().compute(() -> {
                            taken.countDown();
                            try {
                                gate.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return null;
                        }),
                        task -> new Thread(task).start()));
            }
            taken.await();
            // Spectra wait for a place, as many as may wait at once.
            List<CompletableFuture<RunningServer.Answer>> spectra = new ArrayList<>();
            for (int i = 0; i < places; i++) {
                spectra.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return server.get("/models/m/spectrum");
                            } catch (java.io.IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        },
                        task -> new Thread(task).start()));
            }
            try {
                for (String light : List.of(
                        "/models/m",
                        "/models/busy",
                        "/models",
                        "/models/m/error",
                        "/models/m/drift",
                        "/health",
                        "/metrics")) {
                    server.get(light).is(200);
                }
                assertThat(spectra).noneMatch(CompletableFuture::isDone);
            } finally {
                gate.countDown();
            }
            heavy.forEach(CompletableFuture::join);
            spectra.forEach(answer -> answer.join().is(200));
        }
    }
}
