package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class TrajectoryStreamsTest {

    @Test
    void neighbouringSeedsAndIndicesShareNothing() {
        Set<Long> seen = new HashSet<>();
        for (long seed = -5; seed < 5; seed++) {
            for (int index = 0; index < 200; index++) {
                UniformRandomProvider rng = TrajectoryStreams.of(seed, index);
                for (int i = 0; i < 10; i++) {
                    assertThat(seen.add(rng.nextLong())).isTrue();
                }
            }
        }
    }

    @Test
    void firstValuesAcrossIndicesAreUniform() {
        int streams = 10_000;
        double mean = 0;
        double correlation = 0;
        double before = 0;
        for (int index = 0; index < streams; index++) {
            double value = TrajectoryStreams.of(7, index).nextDouble() - 0.5;
            mean += value / streams;
            correlation += 12 * value * before / streams;
            before = value;
        }
        // Standard errors √(1/12n) and √(1/n).
        assertThat(Math.abs(mean)).isLessThan(4 * 0.0029);
        assertThat(Math.abs(correlation)).isLessThan(4 * 0.01);
    }
}
