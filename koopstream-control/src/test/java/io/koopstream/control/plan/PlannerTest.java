package io.koopstream.control.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.dynamics.SuccessorWeights;
import io.koopstream.control.env.ActionGrid;
import io.koopstream.control.env.Box;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private static final ActionGrid TWO = ActionGrid.of(Box.interval(0, 1), 2);

    /** Two states. In 0: stay at cost 1, or move to 1 at cost 3. In 1: everything stays and is free. */
    private static final TabularModel TINY = new TabularModel(new double[][][] {{{1, 0}, {0, 1}}, {{0, 1}, {0, 1}}});

    private static final Cost TINY_COST = (x, u) -> x[0] == 1 ? 0 : u[0] == 0 ? 1 : 3;

    private static ControlProblem tiny(double discount) {
        return ControlProblem.continuing(TINY_COST, discount, TWO);
    }

    private static TabularModel random(int states, int actions, double mass, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][][] p = new double[states][actions][states];
        for (double[][] state : p) {
            for (double[] row : state) {
                double sum = 0;
                for (int j = 0; j < states; j++) {
                    row[j] = random.nextDouble() < 0.4 ? random.nextDouble() : 0;
                    sum += row[j];
                }
                for (int j = 0; j < states && sum > 0; j++) {
                    row[j] *= mass / sum;
                }
            }
        }
        return new TabularModel(p);
    }

    private static final Cost WAVY = (x, u) -> 2 + StrictMath.sin(3 * x[0]) + (u[0] - 0.3) * (u[0] - 0.3);

    /** Of the paper: eq.greedy_policy. */
    @Test
    void solvesATinyProblemByHand() {
        // Staying forever costs 1/(1 − γ), moving costs 3 once: worth it exactly when γ > 2/3.
        Plan patient = ValueIteration.DEFAULT.solve(TINY, tiny(0.9));
        assertThat(patient.values()[0]).isCloseTo(3, within(1e-4));
        assertThat(patient.values()[1]).isZero();
        assertThat(patient.policy().gridAction(new double[] {0})).containsExactly(1);
        Plan hasty = ValueIteration.DEFAULT.solve(TINY, tiny(0.5));
        assertThat(hasty.values()[0]).isCloseTo(2, within(1e-5));
        assertThat(hasty.policy().gridAction(new double[] {0})).containsExactly(0);
        assertThat(ValueIteration.DEFAULT.solve(TINY, tiny(0)).values()).containsExactly(1, 0);
    }

    /** Of the paper: eq.bellman. */
    @Test
    void theValuesAreTheFixedPointOfBellmansEquation() {
        for (long seed = 1; seed <= 5; seed++) {
            TabularModel model = random(30, 5, 0.97, seed);
            ActionGrid grid = ActionGrid.of(Box.interval(0, 1), 5);
            ControlProblem problem = ControlProblem.continuing(WAVY, 0.95, grid);
            Plan plan = new ValueIteration(1e-11, 5000).solve(model, problem);
            double[] values = plan.values();
            SuccessorModel.Query query = model.query(grid);
            SuccessorWeights row = new SuccessorWeights();
            for (int i = 0; i < 30; i++) {
                double least = Double.POSITIVE_INFINITY;
                query.at(model.point(i));
                for (int a = 0; a < 5; a++) {
                    query.successors(0, a, row);
                    double ahead = row.expect(values, plan.unknown());
                    least = Math.min(least, WAVY.of(model.point(i), grid.action(a)) + 0.95 * ahead);
                }
                assertThat(values[i]).as("seed %d", seed).isCloseTo(least, within(1e-10));
            }
            assertThat(plan.errorBound()).isLessThan(1e-9);
        }
    }

    @Test
    void aSweepIsMonotoneAndContracts() {
        double discount = 0.9;
        ControlProblem problem = ControlProblem.continuing(WAVY, discount, ActionGrid.of(Box.interval(0, 1), 4));
        BellmanRows rows = new BellmanRows(random(25, 4, 0.8, 3), problem, false);
        SplittableRandom random = new SplittableRandom(9);
        for (int trial = 0; trial < 50; trial++) {
            double[] low = new double[25];
            double[] high = new double[25];
            double distance = 0;
            for (int i = 0; i < 25; i++) {
                low[i] = 100 * (random.nextDouble() - 0.5);
                high[i] = low[i] + 10 * random.nextDouble();
                distance = Math.max(distance, high[i] - low[i]);
            }
            double[] sweptLow = new double[25];
            double[] sweptHigh = new double[25];
            rows.sweep(low, sweptLow);
            rows.sweep(high, sweptHigh);
            for (int i = 0; i < 25; i++) {
                assertThat(sweptHigh[i]).isGreaterThanOrEqualTo(sweptLow[i]);
                assertThat(sweptHigh[i] - sweptLow[i]).isLessThanOrEqualTo(discount * distance + 1e-12);
            }
        }
    }

    @Test
    void whatIsUnknownCountsAsTheWorst() {
        // Action 0 leads nowhere that is known, action 1 stays; both cost 1. Free would make the unknown attractive.
        TabularModel model = new TabularModel(new double[][][] {{{0}, {1}}});
        Plan plan = ValueIteration.DEFAULT.solve(model, ControlProblem.continuing((x, u) -> 1 + u[0] * 0.1, 0.9, TWO));
        assertThat(plan.unknown()).isCloseTo(11, within(1e-12));
        assertThat(plan.policy().gridAction(new double[] {0})).containsExactly(0);
        Plan cheaper = ValueIteration.DEFAULT.solve(model, ControlProblem.continuing((x, u) -> 2 - u[0], 0.9, TWO));
        assertThat(cheaper.policy().gridAction(new double[] {0})).containsExactly(1);
        assertThat(cheaper.values()[0]).isCloseTo(10, within(1e-4));
    }

    @Test
    void anOptimistGoesWhereNothingIsKnown() {
        // Action 0 leads nowhere that is known, action 1 stays and is cheaper now.
        TabularModel model = new TabularModel(new double[][][] {{{0}, {1}}});
        ControlProblem problem = ControlProblem.continuing((x, u) -> 2 - u[0], 0.9, TWO);
        Plan plan = ValueIteration.DEFAULT.solveOptimistically(model, problem);
        // The best that could be: 1 in every step.
        assertThat(plan.unknown()).isCloseTo(10, within(1e-12));
        Plan cheap = ValueIteration.DEFAULT.solveOptimistically(
                new TabularModel(new double[][][] {{{0, 0}, {1, 0}}, {{0, 1}, {0, 1}}}),
                ControlProblem.continuing((x, u) -> x[0] == 1 ? 0 : 2 - u[0], 0.9, TWO));
        assertThat(cheap.policy().gridAction(new double[] {0})).containsExactly(0);
        assertThat(cheap.values()[0]).isCloseTo(2, within(1e-4));
    }

    @Test
    void terminalStatesKeepTheirCost() {
        ControlProblem problem = new ControlProblem(TINY_COST, 0.9, TWO, x -> x[0] == 1, x -> -7);
        Plan plan = ValueIteration.DEFAULT.solve(TINY, problem);
        assertThat(plan.values()).containsExactly(new double[] {3 - 0.9 * 7, -7}, within(1e-9));
        assertThat(plan.policy().value(new double[] {1})).isEqualTo(-7);
    }

    @Test
    void actionsAreRefinedBetweenGridPoints() {
        TabularModel model = new TabularModel(new double[][][] {{{1}, {1}, {1}, {1}, {1}}});
        ActionGrid grid = ActionGrid.of(Box.interval(0, 1), 5);
        Plan inside = ValueIteration.DEFAULT.solve(
                model, ControlProblem.continuing((x, u) -> (u[0] - 0.3) * (u[0] - 0.3), 0.5, grid));
        assertThat(inside.policy().gridAction(new double[] {0})).containsExactly(0.25);
        assertThat(inside.policy().action(new double[] {0})[0]).isCloseTo(0.3, within(1e-12));
        Plan border = ValueIteration.DEFAULT.solve(
                model, ControlProblem.continuing((x, u) -> (u[0] - 3) * (u[0] - 3), 0.5, grid));
        assertThat(border.policy().action(new double[] {0})).containsExactly(1);
        assertThat(border.policy().actions(new double[][] {{0}, {0}})).hasDimensions(2, 1);
    }

    @Test
    void gridsInTwoDimensionsAreRefinedAlongEachCoordinate() {
        ActionGrid grid = ActionGrid.of(Box.symmetric(1.0, 2.0), 5, 9);
        assertThat(grid.size()).isEqualTo(45);
        assertThat(grid.action(0)).containsExactly(-1, -2);
        assertThat(grid.action(44)).containsExactly(1, 2);
        assertThat(grid.action(grid.middle())).containsExactly(0, 0);
        double[] values = new double[45];
        int best = 0;
        for (int a = 0; a < 45; a++) {
            double[] u = grid.action(a);
            values[a] = (u[0] - 0.1) * (u[0] - 0.1) + (u[1] + 0.7) * (u[1] + 0.7);
            best = values[a] < values[best] ? a : best;
        }
        assertThat(grid.refine(best, values)).containsExactly(new double[] {0.1, -0.7}, within(1e-12));
    }

    @Test
    void refusesBadProblems() {
        for (double discount : new double[] {1, 1.5, -0.1, Double.NaN}) {
            assertThatExceptionOfType(InvalidConfigException.class)
                    .isThrownBy(() -> tiny(discount))
                    .withMessageContaining("discount");
        }
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> ActionGrid.of(Box.interval(0, 1)))
                .withMessageContaining("empty");
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> ActionGrid.of(Box.interval(0, 1), 0));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> ActionGrid.of(Box.interval(0, 1), 2, 2));
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> Box.interval(1, 0));
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> new ValueIteration(0, 1));
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> new ValueIteration(1, 0));
    }

    @Test
    void refusesCostsThatAreNoNumbers() {
        ControlProblem bad = ControlProblem.continuing((x, u) -> x[0] == 1 ? Double.NaN : 0, 0.9, TWO);
        assertThatExceptionOfType(SolverException.class)
                .isThrownBy(() -> ValueIteration.DEFAULT.solve(TINY, bad))
                .withMessageContaining("NaN");
        assertThatExceptionOfType(SolverException.class)
                .isThrownBy(() -> ValueIteration.DEFAULT.solve(
                        TINY, new ControlProblem(TINY_COST, 0.9, TWO, x -> true, x -> Double.NaN)));
    }

    @Test
    void anUnfinishedSweepComesWithTheBestSoFar() {
        SolverException sweeps =
                catchThrowableOfType(SolverException.class, () -> new ValueIteration(1e-9, 3).solve(TINY, tiny(0.9)));
        // 0 → 1 → 1.9 → 2.71: three sweeps of staying.
        assertThat(sweeps.bestValues()).containsExactly(new double[] {2.71, 0}, within(1e-12));
        assertThat(sweeps.residual()).isCloseTo(0.81, within(1e-12));
        assertThat(sweeps.sweeps()).isEqualTo(3);
        assertThat(sweeps).hasMessageContaining("residual");
    }

    @Test
    void refusesAModelThatCouldDiverge() {
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() ->
                        ValueIteration.DEFAULT.solve(new TabularModel(new double[][][] {{{1.1}, {1}}}), tiny(0.9)))
                .withMessageContaining("sum to 1.1");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() ->
                        ValueIteration.DEFAULT.solve(new TabularModel(new double[][][] {{{-0.1}, {1}}}), tiny(0.9)))
                .withMessageContaining("-0.1");
    }
}
