package io.koopstream.cli;

import io.koopstream.learner.Learner;
import io.koopstream.learner.LearningCurve;
import io.koopstream.operator.KoopmanOperator;

/**
 * How well a learner predicts samples that it has not learned yet, from some of the samples only, so that it costs little: the operator
 * in use is renewed as the number of samples grows, in the end whenever it has doubled.
 */
final class OneStepError {

    private static final long FEW = 64;
    private static final long MANY = 2048;

    private final Learner<KoopmanOperator> learner;
    private final LearningCurve curve;
    private KoopmanOperator operator;
    private long nextRenewal;

    OneStepError(Learner<KoopmanOperator> learner, LearningCurve curve) {
        this.learner = learner;
        this.curve = curve;
        this.nextRenewal = learner.samples();
    }

    /** Called with every pair before it is learned. */
    void before(double[] x, double[] xNext) {
        long samples = learner.samples();
        if (samples >= nextRenewal) {
            operator = learner.predictor();
            nextRenewal = samples < FEW ? samples + 4 : samples < MANY ? samples + samples / 4 : 2 * samples;
        }
        if (samples < FEW || samples % (samples < MANY ? 4 : 32) == 0) {
            curve.add(samples + 1, learner.dictionarySize(), operator.predictionError(x, xNext));
        }
    }
}
