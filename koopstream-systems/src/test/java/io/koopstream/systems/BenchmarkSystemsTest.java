package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class BenchmarkSystemsTest {

    @Test
    void listsEverySystemOnce() {
        assertThat(BenchmarkSystems.all())
                .extracting(BenchmarkSystem::id)
                .containsExactly(
                        "fourwell-v1",
                        "ou-v1",
                        "duffing-v1",
                        "rotation-v1",
                        "logistic-v1",
                        "oscillator-v1",
                        "vanderpol-v1",
                        "lorenz-v1",
                        "gridchain-v1",
                        "prinz-v1",
                        "quadwell-v1",
                        "slowmanifold-v1");
    }

    @Test
    void acceptsTheFullIdAndTheBareName() {
        assertThat(BenchmarkSystems.of("fourwell-v1")).isInstanceOf(FourWell.class);
        assertThat(BenchmarkSystems.of("fourwell")).isInstanceOf(FourWell.class);
        assertThat(BenchmarkSystems.of("ou")).isInstanceOf(OrnsteinUhlenbeck.class);
    }

    @Test
    void aBareNameMeansTheNewestVersionByNumber() {
        List<BenchmarkSystem> versions =
                List.of(named("toy-v2"), named("toy-v10"), named("toy-v9"), named("toyish-v11"));
        assertThat(BenchmarkSystems.find("toy", versions).id()).isEqualTo("toy-v10");
        assertThat(BenchmarkSystems.find("toy-v2", versions).id()).isEqualTo("toy-v2");
    }

    @Test
    void unknownNamesAreAnsweredWithTheKnownOnes() {
        for (String wrong : new String[] {"fivewell", "fourwell-v99", "FourWell", "", "fourwell-v"}) {
            assertThatExceptionOfType(UnknownSystemException.class)
                    .isThrownBy(() -> BenchmarkSystems.of(wrong))
                    .withMessage("unknown system '" + wrong
                            + "': must be one of fourwell-v1, ou-v1, duffing-v1, rotation-v1, logistic-v1,"
                            + " oscillator-v1, vanderpol-v1, lorenz-v1, gridchain-v1, prinz-v1, quadwell-v1, slowmanifold-v1"
                            + " (without -v… for the newest version)")
                    .satisfies(e -> assertThat(e.knownIds()).hasSize(12).contains("ou-v1"));
        }
    }

    private static BenchmarkSystem named(String id) {
        return new BenchmarkSystem() {
            @Override
            public DataSheet sheet() {
                return new DataSheet(id, 1, List.of("x"), "stands still");
            }

            @Override
            public double[] initialState(UniformRandomProvider rng) {
                return new double[1];
            }

            @Override
            public void step(double[] state, UniformRandomProvider rng) {}
        };
    }
}
