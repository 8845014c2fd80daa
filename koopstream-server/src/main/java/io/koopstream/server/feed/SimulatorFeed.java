package io.koopstream.server.feed;

import io.koopstream.InvalidConfigException;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import java.util.concurrent.TimeUnit;

/** The built-in simulator: states of a known system at a bounded rate, into a model of its own that is created when missing. */
public final class SimulatorFeed implements Feed {

    /** States a second when nothing else is said. */
    public static final int DEFAULT_RATE = 1_000;

    private static final int MAX_RATE = 1_000_000;
    private static final int BATCHES_PER_SECOND = 20;
    private static final String STREAM = "simulator";

    private final Demo demo;
    private final LiveModel model;
    private final int rate;
    private final FeedThread thread;

    private SimulatorFeed(LiveModels models, Demo demo, int rate) {
        this.demo = demo;
        this.rate = rate;
        String name = "demo-" + demo.name();
        this.model = models.find(name)
                .orElseGet(() -> models.create(name, ModelSettings.of(demo.settings(), demo.coordinates())));
        this.thread = new FeedThread("simulator", this::run);
    }

    /** Names of the systems that can be simulated. */
    public static java.util.List<String> systems() {
        return Demo.NAMES;
    }

    /**
     * Begins to simulate.
     *
     * @param name {@code fourwell}, {@code duffing}, {@code pendulum} or {@code lorenz}; the model is called {@code demo-NAME}
     * @param rate states per second
     */
    public static SimulatorFeed start(LiveModels models, String name, int rate) {
        if (rate < 1 || rate > MAX_RATE) {
            throw new InvalidConfigException("rate", rate, "must be from 1 to " + MAX_RATE + " states per second");
        }
        return new SimulatorFeed(models, Demo.of(name), rate);
    }

    /** The model that learns from it. */
    public LiveModel model() {
        return model;
    }

    private void run() throws InterruptedException {
        int size = Math.max(1, rate / BATCHES_PER_SECOND);
        long pause = TimeUnit.SECONDS.toNanos(1) * size / rate;
        int dimension = demo.coordinates().size();
        // A server that starts again goes on with trajectories that it has not seen.
        int trajectory = (int) (model.view().received() / demo.steps() + 1);
        Demo.Path path = demo.paths().apply(trajectory);
        int left = demo.steps();
        boolean fresh = true;
        Submitter out = new Submitter(model);
        long next = System.nanoTime();
        while (true) {
            int count = Math.min(size, left);
            double[] values = new double[count * dimension];
            for (int i = 0; i < count; i++) {
                System.arraycopy(path.next(), 0, values, i * dimension, dimension);
            }
            out.send(Batch.states(dimension, values, fresh).onStream(STREAM));
            fresh = false;
            left -= count;
            if (left == 0) {
                path = demo.paths().apply(++trajectory);
                left = demo.steps();
                fresh = true;
            }
            next += pause * count / size;
            long wait = next - System.nanoTime();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            } else if (wait < -TimeUnit.SECONDS.toNanos(1)) {
                // Far behind, e.g. after the machine slept: does not catch up in a rush.
                next = System.nanoTime();
            }
        }
    }

    @Override
    public String description() {
        return "simulator of " + demo.name() + ", " + rate + " states per second, into model " + model.name();
    }

    @Override
    public void close() {
        thread.stop();
    }
}
