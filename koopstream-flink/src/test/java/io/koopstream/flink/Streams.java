package io.koopstream.flink;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.stream.StreamConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Streams that every test and every restart sees alike: record n is a function of n. Keys take turns; each runs through trajectories of
 * {@value #STEPS} steps of a noisy Hénon map, with the number of the record in the field {@code time}. The dynamics of every other key change on the way.
 */
final class Streams {

    static final int STEPS = 25;

    /** The trajectory with which the dynamics of every other key change. */
    static final int CHANGE = 130;

    private Streams() {}

    /** Record n of a stream with so many keys. */
    static SampleEvent event(long n, int keys) {
        long key = n % keys;
        long position = n / keys;
        SampleEvent event = SampleEvent.atStep(
                "k" + key,
                "t" + position / STEPS,
                (double) (position % STEPS),
                state(key, position / STEPS, position % STEPS));
        event.time = (double) n;
        return event;
    }

    /** The state of a trajectory at a step, computed from its start. */
    static double[] state(long key, long trajectory, long step) {
        SplittableRandom random = new SplittableRandom(1_000_003 * key + trajectory);
        double x = random.nextDouble(-0.5, 0.5);
        double y = random.nextDouble(-0.1, 0.1);
        double bend = key % 2 == 0 && trajectory >= CHANGE ? 0.7 : 1.2;
        for (long s = 0; s < step; s++) {
            double next = 1 - bend * x * x + y + random.nextDouble(-0.01, 0.01);
            y = 0.3 * x;
            x = next;
        }
        return new double[] {x, y};
    }

    static LeastSquaresConfig leastSquares() {
        return LeastSquaresConfig.forState(2, Kernels.gaussian(0.5))
                .epsilon(0.05)
                .blockSize(8)
                .holdOut(0.1)
                .build();
    }

    static SogdConfig sogd() {
        return SogdConfig.forState(2, Kernels.gaussian(0.5))
                .stepSize(0.3)
                .budget(0.01)
                .maxDictionary(40)
                .build();
    }

    static LearnSettings.Builder leastSquaresSettings() {
        return LearnSettings.startingFrom(
                LeastSquaresLearner.koopman(leastSquares()).state())
                .stream(words("driftDiscount", "0.5"));
    }

    static LearnSettings.Builder sogdSettings() {
        return LearnSettings.startingFrom(SogdLearner.koopman(sogd()).state());
    }

    /** Settings from names and values in turn. */
    static StreamConfig words(String... words) {
        Map<String, String> said = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            said.put(words[i], words[i + 1]);
        }
        return StreamConfig.parse(said);
    }
}
