package io.koopstream.lab.accuracy;

/**
 * A rotation of the plane that grows faster: x₁′ = ω(t) x₂, x₂′ = −ω(t) x₁ with ω(t) = 1 + 0.1 t, from (1, 0), seen every 0.1 until t = 10.
 *
 * <p>The time-varying example of Zhang, Rowley, Deem, Cattafesta, <i>Online dynamic mode decomposition for time-varying systems</i>, SIAM J. Appl. Dyn.
 * Syst. 18, 2019, and of its library odmd, which follows it with weighting 0.9. The angle turned by time t is t + 0.05 t², so states are exact.
 */
final class DriftingRotation {

    static final int PAIRS = 100;

    private static final double STEP = 0.1;
    private static final double GROWTH = 0.1;

    private DriftingRotation() {}

    private static double angle(double t) {
        return t + GROWTH / 2 * t * t;
    }

    static PairStream pairs() {
        double[][] states = new double[PAIRS + 1][];
        for (int k = 0; k <= PAIRS; k++) {
            double angle = angle(k * STEP);
            states[k] = new double[] {Math.cos(angle), -Math.sin(angle)};
        }
        return PairStream.of(states);
    }

    /** e^(±iθ), θ the angle turned within the pair with this number, from 1 on. */
    static double[][] eigenvalues(int pair) {
        double turned = angle(pair * STEP) - angle((pair - 1) * STEP);
        return new double[][] {{Math.cos(turned), Math.sin(turned)}, {Math.cos(turned), -Math.sin(turned)}};
    }
}
