package io.koopstream.spectrum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of metastable sets that time scales speak for. */
class SpectralGapTest {

    private static List<Complex> sampled(double interval, double... rates) {
        return Arrays.stream(rates)
                .mapToObj(rate -> new Complex(Math.exp(-interval * rate), 0))
                .toList();
    }

    /** Two states that are left after 44 steps, and relaxation within them that is fifteen times as fast. */
    @ParameterizedTest
    @ValueSource(doubles = {0.04, 0.2, 1, 2})
    void twoStatesAreFoundHoweverFinelyTheyAreSampled(double interval) {
        SpectralGap gap = SpectralGap.of(sampled(interval, 0, 0.0227, 0.34, 0.5, 0.9));
        assertThat(gap.sets()).isEqualTo(2);
        assertThat(gap.ratio()).isCloseTo(0.34 / 0.0227, org.assertj.core.data.Offset.offset(1e-9));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-4, 0.01, 0.3})
    void oneWellHasNoMetastableSets(double interval) {
        assertThat(SpectralGap.of(sampled(interval, 0, 1, 2, 3, 4)).sets()).isEqualTo(1);
    }

    @Test
    void setsThatAreNeverLeftAreTwo() {
        assertThat(SpectralGap.of(sampled(1, 0, 0, 0.5, 0.7)).sets()).isEqualTo(2);
    }
}
