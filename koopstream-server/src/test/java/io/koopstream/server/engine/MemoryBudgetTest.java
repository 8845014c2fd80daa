package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One sum of all memory that grows. */
class MemoryBudgetTest {

    @Test
    void whatIsFreeIsTakenAndGivenBack() {
        MemoryBudget budget = new MemoryBudget(100);
        assertThat(budget.tryTake(60)).isTrue();
        assertThat(budget.tryTake(41)).isFalse();
        assertThat(budget.used()).isEqualTo(60);
        assertThat(budget.tryTake(40)).isTrue();
        budget.give(100);
        assertThat(budget.used()).isZero();
    }

    /** As a dictionary of two thousand million points asks for. */
    @Test
    void moreThanAnyMemoryIsRefusedAndLeavesTheSumAsItWas() {
        MemoryBudget budget = new MemoryBudget(100 << 20);
        assertThat(budget.tryTake(1 << 20)).isTrue();
        assertThat(budget.tryTake(Long.MAX_VALUE)).isFalse();
        assertThat(budget.share(Long.MAX_VALUE)).isEmpty();
        assertThat(budget.isFullOfModels(Long.MAX_VALUE)).isTrue();
        assertThat(budget.used()).isEqualTo(1 << 20);
    }
}
