package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.learner.Learner;
import io.koopstream.operator.TransitionOperator;
import java.util.Map;
import java.util.Optional;

/**
 * What a subclass tells {@link LearnerContract} about the learner under test, and the helpers its checks share.
 *
 * @param <O> the type of the learned operator
 */
public abstract class LearnerHooks<O extends TransitionOperator> {

    /** The seed of every stream of the suite; shown in failure messages through {@link Samples#toString()}. */
    protected static final long SEED = 7_310_905;

    /** A new learner with the settings under test, its configuration built anew. */
    protected abstract Learner<O> newLearner();

    /** A hash over every bit of the state: equal exactly when two states are. */
    protected abstract String digest(Learner<O> learner);

    /** n pairs inside the domain of the settings under test, a function of the seed alone. */
    protected abstract Samples stream(long seed, int n);

    /** A learner of the same kind on a state of one coordinate, with a Gaussian kernel of this width on both sides. */
    protected abstract Learner<O> newOneDimensionalLearner(double width);

    /** The learner's settings, a value with equality. */
    protected abstract Object config(Learner<O> learner);

    /** New learners that differ from {@link #newLearner()} in one setting each, by the name of that setting; all settings occur. */
    protected abstract Map<String, Learner<O>> variants();

    /** A learner with this sparsification budget for every sample, if it has budgets. */
    protected Optional<Learner<O>> newLearnerWithBudget(double epsilon) {
        return Optional.empty();
    }

    /** A learner that keeps at most this many samples, if its dictionary can be limited. */
    protected Optional<Learner<O>> newLearnerWithCapacity(int capacity) {
        return Optional.empty();
    }

    /** The most points that one pair can add to a dictionary: two where x and x⁺ are states of one dictionary. */
    protected int pointsOfOnePair() {
        return 1;
    }

    /** The learner's state in a stored form, where one exists. */
    protected Optional<byte[]> save(Learner<O> learner) {
        return Optional.empty();
    }

    /** The learner that {@link #save} wrote. */
    protected Learner<O> load(byte[] stored) {
        throw new UnsupportedOperationException("override together with save");
    }

    /** A new learner that has seen these samples. */
    protected final Learner<O> learned(Samples samples) {
        Learner<O> learner = newLearner();
        feed(learner, samples);
        return learner;
    }

    /** Learns all samples, one by one. */
    protected static void feed(Learner<?> learner, Samples samples) {
        for (int i = 0; i < samples.size(); i++) {
            learner.update(samples.input(i), samples.output(i));
        }
    }

    /**
     * Learns what lies in the domain of the kernels; a sample outside must be refused as such, and nothing else may go wrong.
     *
     * @return how many samples were learned
     */
    protected final int feedWithinDomain(Learner<O> learner, Samples samples) {
        int accepted = 0;
        for (int i = 0; i < samples.size(); i++) {
            String before = digest(learner);
            try {
                learner.update(samples.input(i), samples.output(i));
                accepted++;
            } catch (InvalidSampleException e) {
                assertThat(e.reason()).as("%s, sample %d", samples, i).isEqualTo(Reason.OUTSIDE_DOMAIN);
                assertThat(digest(learner)).as("%s, sample %d", samples, i).isEqualTo(before);
            }
        }
        return accepted;
    }

    /** Asserts that the pair is refused for this reason and that nothing has changed. */
    protected final InvalidSampleException assertRefused(Learner<O> learner, double[] x, double[] y, Reason reason) {
        String before = digest(learner);
        long samples = learner.samples();
        InvalidSampleException refusal = catchThrowableOfType(InvalidSampleException.class, () -> learner.update(x, y));
        assertThat(refusal).as("the sample must be refused").isNotNull();
        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(digest(learner)).as("state after a refusal").isEqualTo(before);
        assertThat(learner.samples()).isEqualTo(samples);
        return refusal;
    }

    /** Asserts that counters agree and that every number the operator gives out is finite. */
    protected static void assertSound(Learner<?> learner, Samples probes) {
        TransitionOperator operator = learner.snapshot();
        assertThat(operator.samples()).isEqualTo(learner.samples());
        assertThat(operator.dictionarySize()).isEqualTo(learner.dictionarySize());
        assertThat(operator.norm()).isNotNegative().isFinite();
        for (double[] point : operator.inputPoints()) {
            assertFinite(point, probes, "a kept input");
        }
        for (double[] point : operator.outputPoints()) {
            assertFinite(point, probes, "a kept output");
        }
        for (int i = 0; i < Math.min(5, probes.size()); i++) {
            double[] probe = probes.input(i);
            assertFinite(operator.weights(probe), probes, "weights");
            if (operator.dictionarySize() > 0) {
                assertFinite(operator.predict(probe), probes, "a prediction");
            }
        }
    }

    private static void assertFinite(double[] values, Samples probes, String what) {
        for (double value : values) {
            assertThat(value).as("%s after %s", what, probes).isFinite();
        }
    }

    /** Numbers that describe what was learned: norm, size, and predictions at some inputs. Holds no setting as such. */
    protected final double[] behaviour(Learner<O> learner, Samples probes) {
        O operator = learner.snapshot();
        int count = operator.dictionarySize() == 0 ? 0 : Math.min(5, probes.size());
        int dimension = learner.output().dimension();
        double[] numbers = new double[2 + count * dimension];
        numbers[0] = operator.norm();
        numbers[1] = operator.dictionarySize();
        for (int i = 0; i < count; i++) {
            System.arraycopy(operator.predict(probes.input(i)), 0, numbers, 2 + i * dimension, dimension);
        }
        return numbers;
    }
}
