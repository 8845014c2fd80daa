package io.koopstream.server.engine;

import io.koopstream.io.ModelFile;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.DriftDetector;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LearningCurve;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import java.util.Optional;

/**
 * How well pairs are predicted before they are learned, from some of them only so that it costs little: every one of the first 64, every fourth of the
 * first 2,048, every 16th after. The operator that predicts is taken anew whenever the pairs have grown by a quarter, and at least every
 * 16,384. All of it follows from the pairs alone. One writer.
 */
final class OneStepError {

    private static final long FEW = 64;
    private static final long MANY = 2048;
    private static final long LONGEST_USE = 16_384;

    /** As {@link DriftConfig#defaults()}, for one error in 16 pairs. */
    private static final DriftConfig DRIFT = new DriftConfig(64, 10, 20, 0.75, 12, 1);

    private final StorableLearner<KoopmanOperator> learner;
    private final LearningCurve curve;
    private final boolean watchesDrift;
    private DriftDetector detector = new DriftDetector(DRIFT);
    /** What the operator in use was taken from: a saved state holds it, so that the next errors are the same. */
    private LearnerState reference;

    private KoopmanOperator operator;
    private long nextRenewal;

    OneStepError(StorableLearner<KoopmanOperator> learner, LearningCurve curve, boolean watchesDrift) {
        this.learner = learner;
        this.curve = curve;
        this.watchesDrift = watchesDrift;
    }

    /**
     * Called with every pair before it is learned.
     *
     * @param seen pairs before this one
     * @return the change of the dynamics that it gave away, if it did
     */
    Optional<DriftEvent> before(long seen, double[] x, double[] xNext) {
        if (seen >= nextRenewal) {
            renew(learner.state());
            nextRenewal = seen < FEW ? seen + 4 : seen + Math.min(seen / 4, LONGEST_USE);
        }
        if (seen >= FEW && seen % (seen < MANY ? 4 : 16) != 0) {
            return Optional.empty();
        }
        TransitionOperator.Judged judged = operator.judge(x, xNext);
        curve.add(seen + 1, learner.dictionarySize(), judged.error());
        if (!watchesDrift || judged.coverage() < DriftAwareLearner.LEAST_COVERAGE) {
            return Optional.empty();
        }
        return detector.add(judged.error()).map(event -> inPairs(event, seen + 1));
    }

    /** The detector counts errors; whoever reads an event counts pairs. */
    private static DriftEvent inPairs(DriftEvent event, long pair) {
        long since = pair - (event.sample() - event.since()) * 16;
        return new DriftEvent(pair, Math.max(1, since), event.errorBefore(), event.errorAfter(), event.score());
    }

    private void renew(LearnerState state) {
        reference = state;
        // Nothing is chosen for it: it is taken anew often, and only its changes matter.
        operator = state.resumeKoopman().predictor();
    }

    /** What the operator in use was taken from; null before there is one. */
    LearnerState reference() {
        return reference;
    }

    void pack(Packer out) {
        DriftDetector.State state = detector.state();
        out.put(nextRenewal)
                .put(state.samples())
                .put(state.sinceEvent())
                .put(state.blockSum())
                .put(state.blockSize())
                .put(state.baselineBlocks())
                .put(state.baselineMean())
                .put(state.baselineSquares())
                .put(state.score())
                .put(state.riseStart())
                .put(state.riseSum())
                .put(state.riseBlocks());
    }

    /** Goes on from stored bytes, with the model that the operator in use was taken from, or null. */
    void unpack(Unpacker in, java.nio.ByteBuffer model) {
        nextRenewal = in.number();
        detector = DriftDetector.resume(
                DRIFT,
                new DriftDetector.State(
                        in.number(),
                        in.number(),
                        in.real(),
                        in.whole(),
                        in.number(),
                        in.real(),
                        in.real(),
                        in.real(),
                        in.number(),
                        in.real(),
                        in.number()));
        if (model != null) {
            renew(ModelFile.decode(model));
        }
    }
}
