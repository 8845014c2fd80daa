package io.koopstream.server.page;

import io.koopstream.server.KoopServer;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.systems.BenchmarkSystem;
import java.util.List;
import java.util.Map;

/** Samples for models of a server. */
final class Streams {

    private Streams() {}

    /** Makes a model of a system with a kernel of its own. */
    static LiveModel create(KoopServer server, String name, BenchmarkSystem system, String kernel) {
        Map<String, String> words = Map.of("kernel", kernel, "dt", Double.toString(system.dt()));
        return server.models().create(name, ModelSettings.of(words, system.coordinateNames()));
    }

    /** Sends trajectories and waits until all of them are learned. */
    static void learn(LiveModel model, BenchmarkSystem system, int trajectories, int steps) {
        for (int i = 0; i < trajectories; i++) {
            model.submit(Batch.states(system.trajectory(i, steps, 1), true)).join();
        }
        model.viewAfter(model.counts().accepted()).join();
    }

    /** Makes a model with these names of coordinates that has learned a walk on a circle, so that it has something to show. */
    static void learnCircle(KoopServer server, String name, List<String> names) {
        LiveModel model = server.models().create(name, ModelSettings.of(Map.of("kernel", "gaussian(0.7)"), names));
        double[][] states = new double[600][names.size()];
        for (int t = 0; t < states.length; t++) {
            for (int c = 0; c < names.size(); c++) {
                states[t][c] = Math.sin(0.37 * t + c);
            }
        }
        model.submit(Batch.states(states, true)).join();
        model.viewAfter(states.length).join();
    }
}
