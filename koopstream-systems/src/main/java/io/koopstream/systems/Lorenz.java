package io.koopstream.systems;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The Lorenz system of 1963, {@code lorenz-v1}: deterministic chaos.
 *
 * <ul>
 *   <li><b>Equation:</b> x′ = σ(y − x), y′ = x(ρ − z) − y, z′ = xy − βz.
 *   <li><b>Parameters:</b> σ = 10, ρ = 28, β = 8/3, τ = 0.1 (sampling interval); all dimensionless.
 *   <li><b>Start:</b> uniform on [−10, 10]² × [15, 35], then 20 time units forgotten, so that a path begins on the attractor.
 *   <li><b>Integrator:</b> classical fourth-order Runge–Kutta, inner step 0.005. From states on the attractor the error after one interval is
 *       below 5e-5; {@link #step} does not touch the generator.
 *   <li><b>Exact facts:</b> the attractor mixes (Luzzatto, Melbourne, Paccaut, <i>The Lorenz attractor is mixing</i>, Commun. Math. Phys. 260, 2005), so on L² of its
 *       natural measure 1 is the only eigenvalue and the rest of the spectrum is continuous: {@link #exactEigenvalues} stays empty. What a
 *       learned operator can be compared with are correlations: {@link #correlationOfZ}, from a very long run with standard errors
 *       ({@code lorenz_correlations.py}, 10⁷ states on 4,000 paths; below 8e-4 at every lag), and the means and deviations in
 *       {@code lorenz_moments.csv}. The largest Lyapunov exponent is 0.906: an error doubles in 0.77 time units.
 *   <li><b>Origin:</b> Lorenz, <i>Deterministic nonperiodic flow</i>, J. Atmos. Sci. 20, 1963.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class Lorenz implements BenchmarkSystem {

    private static final double SIGMA = 10;
    private static final double RHO = 28;
    private static final double BETA = 8.0 / 3.0;
    private static final double DT = 0.1;
    private static final DataSheet SHEET = new DataSheet(
            "lorenz-v1",
            DT,
            List.of("x", "y", "z"),
            "Lorenz system of 1963, deterministic chaos; correlations from a very long run");
    private static final int INNER_STEPS = 20;
    private static final int TRANSIENT_INTERVALS = 200;

    private final int innerSteps;

    /** The system called {@code lorenz-v1}. */
    public Lorenz() {
        this(INNER_STEPS);
    }

    /** With another inner step, to measure the integrator's error. */
    Lorenz(int innerSteps) {
        this.innerSteps = innerSteps;
    }

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        double[] state = {rng.nextDouble(-10, 10), rng.nextDouble(-10, 10), rng.nextDouble(15, 35)};
        for (int t = 0; t < TRANSIENT_INTERVALS; t++) {
            advance(state);
        }
        return state;
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        advance(state);
    }

    private void advance(double[] state) {
        double h = DT / innerSteps;
        double[] slope = new double[3];
        double[] probe = new double[3];
        double[] sum = new double[3];
        for (int i = 0; i < innerSteps; i++) {
            for (int stage = 0; stage < 4; stage++) {
                double reach = stage == 0 ? 0 : stage == 3 ? h : h / 2;
                double weight = stage == 0 || stage == 3 ? 1 : 2;
                for (int c = 0; c < 3; c++) {
                    probe[c] = state[c] + reach * slope[c];
                }
                slope(probe, slope);
                for (int c = 0; c < 3; c++) {
                    sum[c] = (stage == 0 ? 0 : sum[c]) + weight * slope[c];
                }
            }
            for (int c = 0; c < 3; c++) {
                state[c] += h / 6 * sum[c];
            }
        }
    }

    private static void slope(double[] state, double[] slope) {
        slope[0] = SIGMA * (state[1] - state[0]);
        slope[1] = state[0] * (RHO - state[2]) - state[1];
        slope[2] = state[0] * state[1] - BETA * state[2];
    }

    /**
     * Correlation of z with itself {@code lag} sampling intervals later under the natural measure, and its standard error.
     *
     * @param lag from 0 to 20
     */
    public double[] correlationOfZ(int lag) {
        double[][] known = ReferenceTable.read("lorenz_correlations.csv");
        if (lag < 0 || lag >= known.length) {
            throw new IllegalArgumentException(
                    "lag = " + lag + ": must be from 0 to " + (known.length - 1) + " (sampling intervals)");
        }
        return known[lag];
    }
}
