package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** What every benchmark system owes its users; one subclass per system. */
abstract class BenchmarkSystemContract {

    private static final long SEED = 42;

    /** A new instance of the registered system. */
    abstract BenchmarkSystem system();

    /**
     * The last state of {@code trajectory(1, 50, 42)}. If it changes, behaviour changed: publish a new id and keep the old
     * version, do not edit the number.
     */
    abstract double[] publishedState();

    /** How many eigenvalues are asked for to check their order; fewer where fewer are known. */
    int knownEigenvalues() {
        return 17;
    }

    @Test
    void behavesAsPublishedUnderItsId() {
        assertThat(system().trajectory(1, 50, SEED)[50]).containsExactly(publishedState());
    }

    @Test
    void describesItself() {
        BenchmarkSystem system = system();
        assertThat(system.id()).matches("[a-z]+-v[1-9][0-9]*");
        assertThat(system.dimension()).isPositive();
        assertThat(system.dt()).isPositive().isFinite();
        assertThat(system.coordinateNames()).hasSize(system.dimension()).doesNotHaveDuplicates();
        assertThat(system.coordinateNames()).allMatch(name -> name.matches("[a-z][a-z0-9_]*"));
        assertThat(system.description()).isNotBlank().doesNotContain("\n");
    }

    @Test
    void isRegisteredUnderItsId() {
        assertThat(BenchmarkSystems.of(system().id())).hasSameClassAs(system());
    }

    @Test
    void simulatesFiniteStatesOfTheStatedShape() {
        double[][][] paths = system().simulate(3, 20, SEED);
        assertThat(paths).hasDimensions(3, 21);
        for (double[][] path : paths) {
            for (double[] state : path) {
                assertThat(state).hasSize(system().dimension());
                assertThat(Arrays.stream(state).allMatch(Double::isFinite)).isTrue();
            }
        }
    }

    @Test
    void givesTheSameBitsForTheSameSeedOnly() {
        double[][][] paths = system().simulate(3, 20, SEED);
        assertThat(system().simulate(3, 20, SEED)).isDeepEqualTo(paths);
        assertThat(system().simulate(3, 20, SEED + 1)[0]).isNotEqualTo(paths[0]);
        assertThat(paths[1][0]).isNotEqualTo(paths[0][0]);
    }

    @Test
    void moreTrajectoriesOrStepsOnlyAppend() {
        double[][][] many = system().simulate(5, 20, SEED);
        double[][][] few = system().simulate(2, 7, SEED);
        for (int i = 0; i < few.length; i++) {
            assertThat(Arrays.copyOf(many[i], 8)).isDeepEqualTo(few[i]);
            assertThat(system().trajectory(i, 20, SEED)).isDeepEqualTo(many[i]);
        }
    }

    @Test
    void oneInstanceServesInterleavedTrajectories() {
        BenchmarkSystem shared = system();
        UniformRandomProvider[] rngs = {TrajectoryStreams.of(SEED, 0), TrajectoryStreams.of(SEED, 1)};
        double[][] states = {shared.initialState(rngs[0]), shared.initialState(rngs[1])};
        for (int t = 0; t < 10; t++) {
            shared.step(states[0], rngs[0]);
            shared.step(states[1], rngs[1]);
        }
        assertThat(states[0]).containsExactly(shared.trajectory(0, 10, SEED)[10]);
        assertThat(states[1]).containsExactly(shared.trajectory(1, 10, SEED)[10]);
    }

    @Test
    void refusesBadSimulationArguments() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system().simulate(0, 10, SEED))
                .withMessage("trajectories = 0: must be >= 1 (independent paths to simulate)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system().simulate(1, 0, SEED))
                .withMessage("steps = 0: must be >= 1 (sampling intervals to simulate)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system().trajectory(-1, 10, SEED))
                .withMessage("index = -1: must be >= 0 (number of the trajectory)");
    }

    @Test
    void refusesBadStatesAndLeavesThemAsTheyWere() {
        UniformRandomProvider rng = TrajectoryStreams.of(SEED, 0);
        double[] tooLong = new double[system().dimension() + 1];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system().step(tooLong, rng))
                .withMessageContaining("dimension of " + system().id());
        assertThat(tooLong).containsOnly(0.0);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            double[] state = system().initialState(rng);
            state[state.length - 1] = bad;
            double[] before = state.clone();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> system().step(state, rng))
                    .withMessageContaining("must be finite");
            assertThat(state).containsExactly(before);
        }
    }

    @Test
    void refusesToGiveFewerThanOneEigenvalue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system().exactEigenvalues(0))
                .withMessage("count = 0: must be >= 1 (leading eigenvalues wanted)");
    }

    @Test
    void knownEigenvaluesAreOrderedAsPromised() {
        system().exactEigenvalues(knownEigenvalues()).ifPresent(values -> {
            assertThat(values).hasDimensions(knownEigenvalues(), 2);
            assertThat(values[0]).containsExactly(1, 0);
            for (int i = 1; i < values.length; i++) {
                double before = Math.hypot(values[i - 1][0], values[i - 1][1]);
                assertThat(Math.hypot(values[i][0], values[i][1])).isLessThan(1).isLessThanOrEqualTo(before + 1e-15);
                if (values[i][1] < 0) {
                    assertThat(values[i - 1]).containsExactly(values[i][0], -values[i][1]);
                }
            }
        });
    }

    @Test
    void askingForFewerEigenvaluesGivesTheLeadingOnesInAFreshArray() {
        system().exactEigenvalues(Math.min(9, knownEigenvalues())).ifPresent(values -> {
            double[][] fewer = system().exactEigenvalues(4).orElseThrow();
            assertThat(Arrays.copyOf(values, 4)).isDeepEqualTo(fewer);
            fewer[0][0] = -7;
            assertThat(system().exactEigenvalues(1).orElseThrow()[0][0]).isEqualTo(1);
        });
    }
}
