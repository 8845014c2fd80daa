package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.RkhsElement;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.theory.InterpolationNorm;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Questions that have no answer: the query cases 1 to 10 of the reliability plan. A learner cannot be closed (11) and a snapshot is
 * never discarded (12). What the answers are is in {@link OperatorIdentitiesTest} and {@link OperatorDistanceTest}.
 */
class QueryTest {

    private static final double[] ORIGIN = {0, 0};

    private static KoopmanOperator learned() {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config());
        Samples samples = Streams.vanDerPol(1, 200);
        learner.partialFit(samples.inputs(), samples.outputs());
        return learner.snapshot();
    }

    private static SogdConfig config() {
        return SogdConfig.forState(2, Kernels.gaussian(0.7)).build();
    }

    private static KoopmanOperator empty() {
        return SogdLearner.koopman(config()).snapshot();
    }

    private static void assertRefused(ThrowingCallable question, String... words) {
        InvalidQueryException refusal = catchThrowableOfType(InvalidQueryException.class, question);
        assertThat(refusal).as("must be refused").isNotNull();
        assertThat(refusal.getMessage()).isNotBlank();
        for (String word : words) {
            assertThat(refusal.getMessage()).contains(word);
        }
    }

    @Test
    void case1NothingCanBePredictedBeforeAnySample() {
        KoopmanOperator operator = empty();
        assertRefused(() -> operator.predict(ORIGIN), "nothing was learned yet");
        assertRefused(() -> operator.expectVector(x -> x, ORIGIN), "nothing was learned yet");
        assertRefused(() -> operator.forecast(ORIGIN, 3), "nothing was learned yet");
        assertRefused(() -> operator.embedding(ORIGIN, 3), "nothing was learned yet");
        assertRefused(() -> operator.power(2), "nothing was learned yet");
        assertRefused(() -> operator.normalisedWeights(ORIGIN), "cannot be normalised");
        assertRefused(() -> Spectrum.leading(operator, 1), "nothing was learned yet");
        assertRefused(() -> Spectrum.full(operator), "nothing was learned yet");
        // As an operator it is zero, and answers as zero does.
        assertThat(operator.norm()).isZero();
        assertThat(operator.weights(ORIGIN)).isEmpty();
        assertThat(operator.coverage(ORIGIN)).isZero();
        assertThat(operator.embedding(ORIGIN).norm()).isZero();
        assertThat(operator.distance(learned())).isEqualTo(learned().norm());
    }

    @Test
    void case1ExpectAgreesWithPredictBeforeAnySample() {
        assertRefused(() -> empty().expect(x -> 1, ORIGIN), "nothing was learned yet");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, KoopmanOperator.MAX_HORIZON + 1, Integer.MAX_VALUE})
    void cases2To4HorizonsAreFromOneToTheLimit(int steps) {
        KoopmanOperator operator = learned();
        assertRefused(() -> operator.forecast(ORIGIN, steps), "steps = " + steps, "from 1 to 100000");
        assertRefused(() -> operator.embedding(ORIGIN, steps), "steps = " + steps);
        assertRefused(() -> operator.power(steps), "steps = " + steps);
    }

    @Test
    void case4TheLimitItselfIsServedOrOverflowsInWords() {
        KoopmanOperator operator = learned();
        try {
            double[][] path = operator.forecast(ORIGIN, KoopmanOperator.MAX_HORIZON);
            assertThat(path).hasNumberOfRows(KoopmanOperator.MAX_HORIZON);
            assertThat(path[KoopmanOperator.MAX_HORIZON - 1]).doesNotContain(Double.NaN);
        } catch (InvalidQueryException e) {
            assertThat(e).hasMessageContaining("outside the unit circle");
        }
    }

    /** A step close to the largest legal one leaves an operator with eigenvalues far outside the unit circle. */
    @Test
    void anOperatorThatGrowsIsNotIteratedIntoInfinity() {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(SogdConfig.forState(1, Kernels.gaussian(0.5))
                .lambda(1e-6)
                .stepSize(1.9)
                .build());
        Samples samples = Streams.randomWalk(3, 300, 1);
        learner.partialFit(samples.inputs(), samples.outputs());
        KoopmanOperator operator = learner.snapshot();
        assertThat(Spectrum.leading(operator, 1).eigenvalue(0).modulus()).isGreaterThan(1.5);
        double[] start = {0.1};
        assertRefused(() -> operator.forecast(start, 100_000), "outside the unit circle");
        assertRefused(() -> operator.embedding(start, 100_000), "outside the unit circle");
        assertRefused(() -> operator.power(100_000), "outside the unit circle");
        assertThat(operator.forecast(start, 50)).hasNumberOfRows(50);
    }

    @Test
    void cases5And6PointsMustBeInTheSpace() {
        KoopmanOperator operator = learned();
        double[][] bad = {
            {Double.NaN, 0},
            {0, Double.POSITIVE_INFINITY},
            {0, Double.NEGATIVE_INFINITY},
            {1e155, 0},
            {0},
            {0, 0, 0},
            {},
            null
        };
        for (double[] x : bad) {
            assertRefused(() -> operator.predict(x));
            assertRefused(() -> operator.weights(x));
            assertRefused(() -> operator.normalisedWeights(x));
            assertRefused(() -> operator.expect(y -> y[0], x));
            assertRefused(() -> operator.expectVector(y -> y, x));
            assertRefused(() -> operator.embedding(x));
            assertRefused(() -> operator.coverage(x));
            assertRefused(() -> operator.forecast(x, 2));
            assertRefused(() -> operator.embedding(x, 2));
            assertRefused(() -> operator.koopman(y -> 1).at(x));
            assertRefused(() -> RkhsElement.feature(operator.domain(), x));
            assertRefused(
                    () -> InterpolationNorm.distance(operator, operator, 0.5, new double[][] {ORIGIN, x}), "inputs[1]");
            assertRefused(() -> Spectrum.leading(operator, 1).eigenfunctions(new double[][] {x}), "points[0]");
        }
        assertRefused(() -> operator.predict(new double[] {0, Double.NaN}), "x[1] = NaN");
        assertRefused(() -> operator.predict(new double[3]), "3 coordinates", "the space has 2");
    }

    @Test
    void cases7To9EigenpairsThatDoNotExist() {
        KoopmanOperator operator = learned();
        int size = operator.dictionarySize();
        assertRefused(() -> Spectrum.leading(operator, 0), "k = 0", "1 to " + size);
        assertRefused(() -> Spectrum.leading(operator, -3), "k = -3");
        assertRefused(() -> Spectrum.leading(operator, size + 1), "k = " + (size + 1));
        Spectrum spectrum = Spectrum.leading(operator, 2);
        assertRefused(() -> spectrum.eigenvalue(-1), "eigenpair -1");
        assertRefused(() -> spectrum.eigenvalue(spectrum.size()), "there are 0 to " + (spectrum.size() - 1));
        assertRefused(() -> spectrum.backwardError(spectrum.size()), "eigenpair");
        for (double dt : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertRefused(() -> spectrum.timescales(dt), "dt = " + dt);
            assertRefused(() -> spectrum.frequencies(dt), "dt = " + dt);
            assertRefused(() -> spectrum.growthRates(dt), "dt = " + dt);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void case10AnObservableThatIsNoNumberIsNamedWithItsPoint(double value) {
        KoopmanOperator operator = learned();
        double[] culprit = operator.outputPoints()[3];
        String where = "[" + culprit[0] + ", " + culprit[1] + "]";
        assertRefused(() -> operator.expect(y -> y[0] == culprit[0] ? value : 1, ORIGIN), String.valueOf(value), where);
        assertRefused(() -> operator.koopman(y -> y[0] == culprit[0] ? value : 1), String.valueOf(value), where);
        assertRefused(
                () -> operator.expectVector(y -> new double[] {1, y[0] == culprit[0] ? value : 1}, ORIGIN),
                "component 1",
                where);
        assertRefused(() -> operator.forecast(y -> new double[] {value}, ORIGIN, 2), "component 0");
    }

    @Test
    void anObservableMustKeepItsLength() {
        KoopmanOperator operator = learned();
        double first = operator.outputPoints()[0][0];
        assertRefused(
                () -> operator.expectVector(y -> new double[y[0] == first ? 2 : 3], ORIGIN),
                "2 components at one point and 3 at");
    }

    @Test
    void anObservableThatThrowsIsHeard() {
        assertThatThrownBy(() -> learned()
                        .expect(
                                y -> {
                                    throw new IllegalStateException("my own problem");
                                },
                                ORIGIN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("my own problem");
    }

    @Test
    void spacesMustMatch() {
        KoopmanOperator operator = learned();
        Rkhs other = new Rkhs(Kernels.gaussian(0.8), 2);
        RkhsElement stranger = RkhsElement.feature(other, ORIGIN);
        RkhsElement own = RkhsElement.feature(operator.domain(), ORIGIN);
        assertRefused(() -> operator.apply(stranger), "acts on");
        assertRefused(() -> operator.applyAdjoint(stranger), "acts on");
        assertRefused(() -> own.inner(stranger), "different spaces");
        assertRefused(() -> own.plus(1, stranger), "different spaces");
        assertRefused(() -> own.distance(stranger), "different spaces");
        SogdLearner<TransitionOperator> narrow = SogdLearner.transition(
                SogdConfig.forState(2, Kernels.gaussian(0.6)).build());
        assertRefused(() -> operator.distance(narrow.snapshot()), "different spaces");
        assertRefused(() -> operator.inner(narrow.snapshot()), "different spaces");
        TransitionOperator rectangular = SogdLearner.transition(
                        SogdConfig.forTransition(operator.domain(), other).build())
                .snapshot();
        assertRefused(rectangular::asKoopman, "maps a space into itself");
    }

    @Test
    void elementsAreChecked() {
        Rkhs space = learned().domain();
        assertRefused(() -> RkhsElement.of(space, new double[][] {ORIGIN}, new double[2]), "1 points but 2 weights");
        assertRefused(
                () -> RkhsElement.of(space, new double[][] {ORIGIN, ORIGIN}, new double[] {1, Double.NaN}),
                "weights[1] = NaN");
        assertRefused(() -> RkhsElement.meanEmbedding(space, new double[0][]), "no samples");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.001, 1.001, Double.NaN})
    void theInterpolationExponentIsBetweenZeroAndOne(double beta) {
        KoopmanOperator operator = learned();
        assertRefused(
                () -> InterpolationNorm.distance(operator, operator, beta, new double[][] {ORIGIN}), "beta = " + beta);
        assertRefused(() -> InterpolationNorm.distance(operator, operator, 0.5, new double[0][]), "no samples");
    }

    @Test
    void normalisedWeightsAreRefusedWhereNothingWasLearned() {
        KoopmanOperator operator = learned();
        assertRefused(() -> operator.normalisedWeights(new double[] {1e3, 1e3}), "nothing was learned");
        assertThat(operator.coverage(new double[] {1e3, 1e3})).isZero();
    }

    @Test
    void whatIsGivenOutIsACopy() {
        KoopmanOperator operator = learned();
        double before = operator.predict(ORIGIN)[0];
        operator.inputPoints()[0][0] = 99;
        operator.outputPoints()[0][0] = 99;
        operator.coefficients()[0][0] = 99;
        operator.weights(ORIGIN)[0] = 99;
        RkhsElement element = operator.embedding(ORIGIN);
        element.weights()[0] = 99;
        element.points()[0][0] = 99;
        // An observable that scribbles on the point it is handed.
        operator.expect(
                y -> {
                    y[0] = 99;
                    return 1;
                },
                ORIGIN);
        assertThat(operator.predict(ORIGIN)[0]).isEqualTo(before);
        assertThat(element.expect(y -> y[0])).isEqualTo(before);
    }
}
