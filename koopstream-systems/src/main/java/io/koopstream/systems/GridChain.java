package io.koopstream.systems;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A Markov chain on a grid in [−1, 1], {@code gridchain-v1}: an autoregression that is confined to finitely many states, so that
 * expectations are finite sums and everything about it can be computed exactly.
 *
 * <ul>
 *   <li><b>Law:</b> from x the next state is y on the grid with probability ∝ exp(−(y − cx)² / (2s²)).
 *   <li><b>Parameters:</b> grid −1, −0.95, …, 1 (41 states), c = 0.3, s = 0.6; all dimensionless, time in steps, τ = 1.
 *   <li><b>Start:</b> uniform on the grid.
 *   <li><b>Integrator:</b> none; one uniform number per step, by inversion of the cumulated probabilities.
 *   <li><b>Exact facts:</b> reversible, P_ij = w_j k_ij / z_i with w_j = exp(−y_j²/(2s²)), k_ij = exp(c x_i y_j / s²); the stationary
 *       law is π_i ∝ w_i z_i. Koopman eigenvalues 1, 0.19370, 0.02269, …; {@code gridchain_spectrum.py} computes them to 1e-13. Any
 *       two states share successors, so each step brings the laws from any two starts closer by Dobrushin's coefficient of
 *       {@link #transitionMatrix()}, 0.324, at least.
 *   <li><b>Origin:</b> made for this library, to compare learned operators with exact ones.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class GridChain implements BenchmarkSystem {

    private static final DataSheet SHEET = new DataSheet(
            "gridchain-v1",
            1,
            List.of("x"),
            "Autoregression confined to 41 states on a grid; transition matrix, stationary law and spectrum exact");
    private static final int CELLS_PER_UNIT = 20;
    private static final int STATES = 2 * CELLS_PER_UNIT + 1;
    private static final double COEFFICIENT = 0.3;
    private static final double DEVIATION = 0.6;
    private static final double OFF_GRID = 1e-9;

    private final double[][] transition = new double[STATES][STATES];
    private final double[][] cumulated = new double[STATES][STATES];
    private final double[] stationary = new double[STATES];

    /** The system called {@code gridchain-v1}. */
    public GridChain() {
        double variance = DEVIATION * DEVIATION;
        double total = 0;
        for (int i = 0; i < STATES; i++) {
            double sum = 0;
            for (int j = 0; j < STATES; j++) {
                double y = coordinate(j);
                transition[i][j] = StrictMath.exp((COEFFICIENT * coordinate(i) - y / 2) * y / variance);
                sum += transition[i][j];
            }
            double running = 0;
            for (int j = 0; j < STATES; j++) {
                transition[i][j] /= sum;
                running += transition[i][j];
                cumulated[i][j] = running;
            }
            stationary[i] = sum * StrictMath.exp(-coordinate(i) * coordinate(i) / (2 * variance));
            total += stationary[i];
        }
        for (int i = 0; i < STATES; i++) {
            stationary[i] /= total;
        }
    }

    private static double coordinate(int state) {
        return (double) (state - CELLS_PER_UNIT) / CELLS_PER_UNIT;
    }

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        return new double[] {coordinate(rng.nextInt(STATES))};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        int from = (int) Math.round(state[0] * CELLS_PER_UNIT) + CELLS_PER_UNIT;
        if (from < 0 || from >= STATES || Math.abs(state[0] - coordinate(from)) > OFF_GRID) {
            throw new IllegalArgumentException(
                    "state[0] = " + state[0] + ": must be one of -1, -0.95, ..., 1 (coordinate x of " + id() + ")");
        }
        double uniform = rng.nextDouble();
        int to = 0;
        while (to < STATES - 1 && uniform >= cumulated[from][to]) {
            to++;
        }
        state[0] = coordinate(to);
    }

    /** All states, one per row, from the lowest on. */
    public double[][] states() {
        double[][] states = new double[STATES][];
        for (int i = 0; i < STATES; i++) {
            states[i] = new double[] {coordinate(i)};
        }
        return states;
    }

    /** P: row i is the law of the next state from state i; the array belongs to the caller. */
    public double[][] transitionMatrix() {
        return Arrays.stream(transition).map(double[]::clone).toArray(double[][]::new);
    }

    /** π, the stationary law; the array belongs to the caller. */
    public double[] stationaryLaw() {
        return stationary.clone();
    }

    /** {@inheritDoc} Here at most the 41 there are, all real. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        return Optional.of(ReferenceTable.leading("gridchain_eigenvalues.csv", count, this));
    }
}
