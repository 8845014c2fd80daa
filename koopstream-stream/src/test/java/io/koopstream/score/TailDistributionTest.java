package io.koopstream.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TailDistributionTest {
    /** Numbers of noise-free data are often all equal, or equal but for a few. */
    @Test
    void equalNumbersHaveATailThatCanBeSaved() {
        for (int every : new int[] {Integer.MAX_VALUE, 40, 15, 12}) {
            TailDistribution tail = new TailDistribution();
            for (int i = 0; i < 3000; i++) {
                tail.add(i % every == every - 1 ? 1 : 0);
            }
            ScorerState.Past state = tail.state();
            assertTrue(state.scale() >= 0, () -> "every " + every + ": scale " + state.scale());
            assertEquals(tail.tail(2), new TailDistribution(state).tail(2));
            assertTrue(tail.tail(2) > 0 && tail.tail(2) < 0.2, () -> "every " + every + ": " + tail.tail(2));
        }
    }
}
