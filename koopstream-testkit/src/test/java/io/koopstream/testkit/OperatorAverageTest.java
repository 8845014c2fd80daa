package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.OperatorAverage;
import io.koopstream.systems.FourWell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Averages of operators with different dictionaries, exact and within a budget. */
class OperatorAverageTest {

    private static final double[] WEIGHTS = {1, 2, 3};

    /** Operators of learners that saw different trajectories and so kept different points. */
    private static List<KoopmanOperator> operators(int count, long seed) {
        List<KoopmanOperator> operators = new ArrayList<>();
        for (int p = 0; p < count; p++) {
            LeastSquaresLearner<KoopmanOperator> learner =
                    LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(0.6))
                            .lambda(1e-3)
                            .epsilon(0.3)
                            .build());
            for (double[][] path : new FourWell().simulate(8, 50, 10 * seed + p)) {
                for (int t = 0; t < 50; t++) {
                    learner.update(path[t], path[t + 1]);
                }
            }
            operators.add(learner.snapshot());
        }
        return operators;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theAverageHasTheDistancesOfAPointOnALine(long seed) {
        List<KoopmanOperator> two = operators(2, seed);
        double apart = two.get(0).distance(two.get(1));
        OperatorAverage average = OperatorAverage.of(two, new double[] {1, 3});
        // On the segment from U to V, three quarters of the way.
        assertThat(average.operator().distance(two.get(0))).as("seed %d", seed).isCloseTo(0.75 * apart, within(1e-8));
        assertThat(average.operator().distance(two.get(1))).as("seed %d", seed).isCloseTo(0.25 * apart, within(1e-8));
        assertThat(average.error()).isZero();
        assertThat(average.unionSize()).isGreaterThan(two.get(0).dictionarySize());
        assertThat(average.operator().samples()).isEqualTo(800);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void expectationsAreAveragesOfExpectations(long seed) {
        List<KoopmanOperator> three = operators(3, seed);
        KoopmanOperator average = OperatorAverage.of(three, WEIGHTS).koopman();
        double[] x = {0.4, -0.9};
        double expected = 0;
        for (int p = 0; p < 3; p++) {
            expected += WEIGHTS[p] / 6 * three.get(p).embedding(x).at(new double[] {0.8, -1});
        }
        assertThat(average.embedding(x).at(new double[] {0.8, -1}))
                .as("seed %d", seed)
                .isCloseTo(expected, within(1e-7));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theBudgetIsKeptAndUsed(long seed) {
        List<KoopmanOperator> three = operators(3, seed);
        OperatorAverage whole = OperatorAverage.of(three, WEIGHTS);
        int before = whole.unionSize();
        for (double budget : new double[] {1e-6, 1e-3, 0.03, 0.3}) {
            OperatorAverage reduced = OperatorAverage.of(three, WEIGHTS, budget);
            double measured = reduced.operator().distance(whole.operator());
            String label = "seed " + seed + ", budget " + budget;
            assertThat(measured).as(label).isLessThanOrEqualTo(budget);
            assertThat(reduced.error()).as(label).isLessThanOrEqualTo(budget).isCloseTo(measured, within(1e-7));
            assertThat(reduced.operator().dictionarySize()).as(label).isLessThanOrEqualTo(before);
            assertThat(reduced.operator().inputBasis().factorDefect()).as(label).isLessThan(1e3);
            before = reduced.operator().dictionarySize();
        }
        assertThat(before).as("seed %d", seed).isLessThan(whole.unionSize() * 3 / 4);
    }

    @Test
    void everythingMayGoButOnePointASide() {
        List<KoopmanOperator> two = operators(2, 4);
        OperatorAverage reduced = OperatorAverage.of(two, new double[] {1, 1}, 1e6);
        assertThat(reduced.operator().dictionarySize()).isEqualTo(1);
        // The projection is the best operator on what is left, so the rest is orthogonal to it (Pythagoras).
        double whole = OperatorAverage.of(two, new double[] {1, 1}).operator().norm();
        assertThat(Math.hypot(reduced.operator().norm(), reduced.error())).isCloseTo(whole, within(1e-7));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theOrderOfTheOperatorsDoesNotMatter(long seed) {
        List<KoopmanOperator> three = operators(3, seed);
        List<KoopmanOperator> reversed = new ArrayList<>(three);
        Collections.reverse(reversed);
        for (double budget : new double[] {0, 0.03}) {
            OperatorAverage forwards = OperatorAverage.of(three, new double[] {1, 2, 3}, budget);
            OperatorAverage backwards = OperatorAverage.of(reversed, new double[] {3, 2, 1}, budget);
            assertThat(forwards.operator().distance(backwards.operator()))
                    .as("seed %d, budget %s", seed, budget)
                    .isLessThan(1e-7);
            assertThat(forwards.operator().inputPoints())
                    .isDeepEqualTo(backwards.operator().inputPoints());
        }
    }

    @Test
    void operatorsOnOneDictionaryKeepItsBits() {
        KoopmanOperator u = operators(1, 6).get(0);
        OperatorAverage average = OperatorAverage.of(List.of(u, u.power(2)), new double[] {0.5, 0.5});
        assertThat(average.operator().inputBasis()).isSameAs(u.inputBasis());
        assertThat(average.operator().matrix().get(0, 0))
                .isEqualTo(
                        0.5 * u.matrix().get(0, 0) + 0.5 * u.power(2).matrix().get(0, 0));
    }

    @Test
    void refusesWhatHasNoAverage() {
        List<KoopmanOperator> two = operators(2, 1);
        assertThatThrownBy(() -> OperatorAverage.of(List.of(), new double[0]))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("no operators");
        assertThatThrownBy(() -> OperatorAverage.of(two, new double[] {1}))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("1 weights for 2 operators");
        assertThatThrownBy(() -> OperatorAverage.of(two, new double[] {1, -1}))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("weights[1] = -1.0");
        assertThatThrownBy(() -> OperatorAverage.of(two, new double[] {0, 0}))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("sum to 0.0");
        assertThatThrownBy(() -> OperatorAverage.of(two, new double[] {1, 1}, -0.1))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("budget = -0.1");
        KoopmanOperator elsewhere = LeastSquaresLearner.koopman(
                        LeastSquaresConfig.forState(2, Kernels.gaussian(0.7)).build())
                .snapshot();
        assertThatThrownBy(() -> OperatorAverage.of(List.of(two.get(0), elsewhere), new double[] {1, 1}))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("different spaces");
    }
}
