package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.operator.TransitionOperator;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Checks 1 to 22 of {@link LearnerContract}: what may come in, and what a learner does with it.
 *
 * @param <O> the type of the learned operator
 */
public abstract class LearnerInputContract<O extends TransitionOperator> extends LearnerHooks<O> {

    private void assertCoordinateRefused(double bad, Reason reason) {
        for (int learnedBefore : new int[] {0, 20}) {
            Samples samples = stream(SEED, learnedBefore + 1);
            Learner<O> learner = learned(samples.range(0, learnedBefore));
            for (int c = 0; c < learner.input().dimension(); c++) {
                assertInputRefused(learner, samples, c, bad, reason);
            }
            for (int c = 0; c < learner.output().dimension(); c++) {
                assertOutputRefused(learner, samples, c, bad, reason);
            }
        }
    }

    private void assertInputRefused(Learner<O> learner, Samples samples, int c, double bad, Reason reason) {
        int last = samples.size() - 1;
        double[] x = samples.input(last);
        x[c] = bad;
        InvalidSampleException refusal = assertRefused(learner, x, samples.output(last), reason);
        assertThat(refusal.index()).isEqualTo(c);
        assertThat(refusal).hasMessageContaining("x[" + c + "] = " + bad);
    }

    private void assertOutputRefused(Learner<O> learner, Samples samples, int c, double bad, Reason reason) {
        int last = samples.size() - 1;
        double[] y = samples.output(last);
        y[c] = bad;
        InvalidSampleException refusal = assertRefused(learner, samples.input(last), y, reason);
        assertThat(refusal.index()).isEqualTo(c);
        assertThat(refusal).hasMessageContaining("xNext[" + c + "] = " + bad);
    }

    @Test
    protected void check01And02RefusesNanOnEitherSide() {
        assertCoordinateRefused(Double.NaN, Reason.NOT_FINITE);
    }

    @Test
    protected void check03RefusesPlusInfinity() {
        assertCoordinateRefused(Double.POSITIVE_INFINITY, Reason.NOT_FINITE);
    }

    @Test
    protected void check04RefusesMinusInfinity() {
        assertCoordinateRefused(Double.NEGATIVE_INFINITY, Reason.NOT_FINITE);
    }

    @Test
    protected void refusesCoordinatesWhoseSquareOverflows() {
        assertCoordinateRefused(Math.nextUp(Rkhs.MAX_COORDINATE), Reason.TOO_LARGE);
        assertCoordinateRefused(-1e300, Reason.TOO_LARGE);
    }

    @Test
    protected void check05RefusesAWrongDimensionInTheFirstCall() {
        assertWrongDimensionRefused(newLearner());
    }

    @Test
    protected void check06RefusesAChangeOfDimension() {
        assertWrongDimensionRefused(learned(stream(SEED, 20)));
    }

    private void assertWrongDimensionRefused(Learner<O> learner) {
        Samples one = stream(SEED + 1, 1);
        double[] x = one.input(0);
        double[] y = one.output(0);
        for (int change : new int[] {-1, 1}) {
            double[] wrongX = Arrays.copyOf(x, x.length + change);
            assertThat(assertRefused(learner, wrongX, y, Reason.WRONG_DIMENSION))
                    .hasMessageContaining(String.valueOf(wrongX.length))
                    .hasMessageContaining(String.valueOf(x.length));
            double[] wrongY = Arrays.copyOf(y, y.length + change);
            assertThat(assertRefused(learner, x, wrongY, Reason.WRONG_DIMENSION))
                    .hasMessageContaining("xNext");
        }
    }

    @Test
    protected void check07RefusesNull() {
        Samples samples = stream(SEED, 4);
        Learner<O> learner = learned(samples.range(0, 3));
        assertRefused(learner, null, samples.output(3), Reason.NULL);
        assertRefused(learner, samples.input(3), null, Reason.NULL);
        String before = digest(learner);
        double[][] inputs = samples.inputs();
        inputs[2] = null;
        assertThatThrownBy(() -> learner.partialFit(inputs, samples.outputs()))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("x[2]");
        assertThatThrownBy(() -> learner.partialFit(null, samples.outputs()))
                .isInstanceOf(InvalidSampleException.class);
        assertThatThrownBy(() -> learner.partialFit(samples.inputs(), null)).isInstanceOf(InvalidSampleException.class);
        assertThat(digest(learner)).isEqualTo(before);
    }

    @Test
    protected void aBatchWithOneBadRowIsRefusedAsAWhole() {
        Samples samples = stream(SEED, 12);
        Learner<O> learner = learned(samples.range(0, 5));
        String before = digest(learner);
        double[][] outputs = samples.outputs();
        outputs[11][0] = Double.NaN;
        assertThatThrownBy(() -> learner.partialFit(samples.inputs(), outputs))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("xNext[11][0]");
        assertThatThrownBy(() -> learner.partialFit(
                        samples.inputs(), samples.range(0, 11).outputs()))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("12")
                .hasMessageContaining("11");
        assertThat(digest(learner)).isEqualTo(before);
    }

    @Test
    protected void check08HasNoZeroDimensionalState() {
        Learner<O> learner = newLearner();
        assertThatThrownBy(() -> new Rkhs(learner.input().kernel(), 0))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class, e -> assertThat(e.field()).isEqualTo("dimension"));
        assertRefused(learner, new double[0], new double[0], Reason.WRONG_DIMENSION);
    }

    @Test
    protected void check09LearnsAOneDimensionalState() {
        Samples samples = Streams.logistic(SEED, 200);
        Learner<O> learner = newOneDimensionalLearner(0.3);
        feed(learner, samples);
        assertSound(learner, samples);
        assertThat(learner.dictionarySize()).isBetween(1, 200);
    }

    @Test
    protected void check10AnswersAfterASingleSample() {
        Samples samples = stream(SEED, 1);
        Learner<O> learner = learned(samples);
        assertSound(learner, samples);
        assertThat(learner.samples()).isEqualTo(1);
    }

    @Test
    protected void check11RefusesToPredictBeforeAnySample() {
        Samples samples = stream(SEED, 1);
        Learner<O> learner = newLearner();
        O operator = learner.snapshot();
        assertThat(operator.dictionarySize()).isZero();
        assertThat(operator.norm()).isZero();
        assertThatThrownBy(() -> operator.predict(samples.input(0)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("nothing was learned yet");
        assertThatThrownBy(() -> operator.normalisedWeights(samples.input(0)))
                .isInstanceOf(InvalidQueryException.class);
    }

    @Test
    protected void check12AnEmptyBatchChangesNothing() {
        Learner<O> learner = learned(stream(SEED, 20));
        String before = digest(learner);
        learner.partialFit(new double[0][], new double[0][]);
        assertThat(digest(learner)).isEqualTo(before);
    }

    @Test
    protected void check13KeepsOnePairOfAConstantStream() {
        Samples first = stream(SEED, 1);
        Samples constant = Streams.constant(first.input(0), first.output(0), 500);
        Learner<O> learner = learned(constant);
        assertSound(learner, constant);
        assertThat(learner.dictionarySize()).isLessThanOrEqualTo(pointsOfOnePair());
        assertThat(learner.samples()).isEqualTo(500);
    }

    @Test
    protected void check14StaysSoundOnANearlyConstantStream() {
        for (int digits = 3; digits <= 15; digits += 3) {
            Samples first = stream(SEED, 1);
            Samples constant = Streams.constant(first.input(0), first.output(0), 300);
            double jitter = Math.pow(10, -digits);
            double[][] kicks = Streams.normalPoints(SEED + digits, 600, 1, jitter);
            int[] next = {0};
            // Towards the origin, so that the pairs stay in the domain.
            Samples nearly = constant.map("jitter " + jitter, point -> {
                double factor = 1 - Math.abs(kicks[next[0]++][0]);
                return Arrays.stream(point).map(c -> c * factor).toArray();
            });
            assertSound(learned(nearly), nearly);
        }
    }

    @Test
    protected void check15StaysSoundWithAConstantCoordinate() {
        Samples samples = stream(SEED, 200).map("first coordinate 0.25", point -> {
            point[0] = 0.25;
            return point;
        });
        Learner<O> learner = newLearner();
        assertThat(feedWithinDomain(learner, samples)).isPositive();
        assertSound(learner, samples);
    }

    @Test
    protected void check16StaysSoundFarFromTheOrigin() {
        for (double offset : new double[] {100, 1e4, 1e8}) {
            Samples samples = stream(SEED, 100).shifted(offset);
            Learner<O> learner = newLearner();
            if (feedWithinDomain(learner, samples) > 0) {
                assertSound(learner, samples);
            }
            Learner<O> oneDimensional = newOneDimensionalLearner(0.3);
            Samples logistic = Streams.logistic(SEED, 100).shifted(offset);
            feed(oneDimensional, logistic);
            assertSound(oneDimensional, logistic);
            assertThat(oneDimensional.dictionarySize()).isGreaterThan(1);
        }
    }

    @Test
    protected void check17StaysSoundInExtremeUnits() {
        for (double unit : new double[] {1e-150, 1e150}) {
            Samples samples = Streams.logistic(SEED, 100).scaled(unit);
            Learner<O> learner = newOneDimensionalLearner(0.3 * unit);
            feed(learner, samples);
            assertSound(learner, samples);
            assertThat(learner.dictionarySize()).as("unit %s", unit).isGreaterThan(1);
        }
    }

    @Test
    protected void check18LearnsSubnormalNumbersAndNegativeZero() {
        double[] tiny = {Double.MIN_VALUE, -0.0, -Double.MIN_NORMAL / 2, 0.0};
        Learner<O> learner = newOneDimensionalLearner(0.3);
        Learner<O> positive = newOneDimensionalLearner(0.3);
        for (int i = 0; i < 40; i++) {
            double value = i % 5 == 4 ? 0.1 * i : tiny[i % 4];
            double next = tiny[(i + 1) % 4];
            learner.update(new double[] {value}, new double[] {next});
            // Adding zero turns -0.0 into 0.0 and leaves every other number alone.
            positive.update(new double[] {value + 0.0}, new double[] {next + 0.0});
        }
        Samples probe = Streams.logistic(SEED, 5);
        assertSound(learner, probe);
        assertThat(behaviour(learner, probe)).containsExactly(behaviour(positive, probe));
    }

    @Test
    protected void check19WholeNumbersAndFloatsGiveTheBitsOfDoubles() {
        Learner<O> doubles = newOneDimensionalLearner(2);
        Learner<O> narrow = newOneDimensionalLearner(2);
        for (int i = 0; i < 50; i++) {
            int whole = i * i % 13;
            float single = whole / 8f;
            doubles.update(new double[] {whole}, new double[] {whole / 8.0});
            narrow.update(new double[] {(long) whole}, new double[] {single});
        }
        assertThat(digest(narrow)).isEqualTo(digest(doubles));
    }

    @Test
    protected void check20LeavesItsInputArraysAlone() {
        Samples samples = stream(SEED, 60);
        Learner<O> learner = newLearner();
        for (int i = 0; i < samples.size(); i++) {
            double[] x = samples.input(i);
            double[] y = samples.output(i);
            learner.update(x, y);
            assertThat(x).containsExactly(samples.input(i));
            assertThat(y).containsExactly(samples.output(i));
        }
        double[][] inputs = samples.inputs();
        double[][] outputs = samples.outputs();
        learner.partialFit(inputs, outputs);
        assertThat(inputs).isDeepEqualTo(samples.inputs());
        assertThat(outputs).isDeepEqualTo(samples.outputs());
    }

    @Test
    protected void check21DoesNotKeepItsInputArrays() {
        Samples samples = stream(SEED, 60);
        Learner<O> learner = newLearner();
        double[] x = new double[learner.input().dimension()];
        double[] y = new double[learner.output().dimension()];
        for (int i = 0; i < samples.size(); i++) {
            // One array for all samples: a learner that kept it would now hold one point many times.
            System.arraycopy(samples.input(i), 0, x, 0, x.length);
            System.arraycopy(samples.output(i), 0, y, 0, y.length);
            learner.update(x, y);
        }
        Arrays.fill(x, Double.NaN);
        Arrays.fill(y, Double.NaN);
        assertThat(digest(learner)).isEqualTo(digest(learned(samples)));
    }
}
