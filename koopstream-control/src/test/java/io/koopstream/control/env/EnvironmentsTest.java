package io.koopstream.control.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.KoopstreamException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class EnvironmentsTest {

    @TestFactory
    Stream<DynamicTest> everyEnvironmentPassesTheChecker() {
        return Environments.all().stream()
                .map(environment -> DynamicTest.dynamicTest(
                        environment.id(),
                        () -> assertThat(EnvironmentChecker.findings(environment))
                                .isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> everyEnvironmentIsFoundByItsId() {
        return Environments.all().stream()
                .map(environment -> DynamicTest.dynamicTest(
                        environment.id(),
                        () -> assertThat(Environments.of(environment.id())).hasSameClassAs(environment)));
    }

    @Test
    void refusesUnknownIdsAndMissingVersions() {
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Environments.of("Acrobot-v1"))
                .withMessageContaining("unknown")
                .withMessageContaining("Pendulum-v1");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Environments.of("Pendulum"))
                .withMessageContaining("needs a version");
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> Environments.of(null));
    }

    @Test
    void theNoisyPendulumIsPushedByWhatNobodySees() {
        Pendulum quiet = new Pendulum();
        Pendulum noisy = Pendulum.noisy();
        double squares = 0;
        double largest = 0;
        for (long seed = 0; seed < 2000; seed++) {
            assertThat(noisy.reset(seed)).containsExactly(quiet.reset(seed));
            StepResult calm = quiet.step(0.5);
            StepResult pushed = noisy.step(0.5);
            assertThat(pushed.reward()).isEqualTo(calm.reward());
            double off = pushed.observation()[2] - calm.observation()[2];
            squares += off * off;
            largest = Math.max(largest, Math.abs(off));
        }
        // A torque uniform on ±3.5 moves the speed by 0.15 times as much: standard deviation 0.525/√3, largest 0.525.
        assertThat(Math.sqrt(squares / 2000))
                .isCloseTo(0.525 / Math.sqrt(3), org.assertj.core.api.Assertions.within(0.01));
        assertThat(largest).isBetween(0.52, 0.525 + 1e-12);
    }

    @Test
    void refusesStepsOutOfOrderAndBadActions() {
        Pendulum pendulum = new Pendulum();
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> pendulum.step(0))
                .withMessageContaining("call reset(seed) first");
        pendulum.reset(1);
        assertThatExceptionOfType(InvalidQueryException.class).isThrownBy(() -> pendulum.step(0, 0));
        assertThatExceptionOfType(InvalidQueryException.class).isThrownBy(() -> pendulum.step(Double.NaN));
        for (int t = 0; t < 200; t++) {
            assertThat(pendulum.step(0).truncated()).isEqualTo(t == 199);
        }
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> pendulum.step(0))
                .withMessageContaining("the episode is over");
    }

    @Test
    void theCheckerFindsWhatIsBroken() {
        assertThat(EnvironmentChecker.findings(new Broken("Broken-v1", true, 0)))
                .anyMatch(finding -> finding.contains("two seeds gave the same start"));
        assertThat(EnvironmentChecker.findings(new Broken("Broken", false, 0)))
                .anyMatch(finding -> finding.contains("needs a version"));
        assertThat(EnvironmentChecker.findings(new Broken("Broken-v1", false, Double.NaN)))
                .anyMatch(finding -> finding.contains("reward is not a finite number"));
        assertThatExceptionOfType(KoopstreamException.class)
                .isThrownBy(() -> EnvironmentChecker.check(new Broken("Broken", true, 0)))
                .withMessageContaining("; ");
    }

    @Test
    void crashesAndGoalsTerminate() {
        CartPoleSwingUp cart = new CartPoleSwingUp();
        cart.resetTo(2.39, 1, 0, 0);
        StepResult crash = cart.step(10);
        assertThat(crash.terminated()).isTrue();
        assertThat(crash.truncated()).isFalse();
        assertThat(crash.reward()).isLessThan(-90);
        MountainCarContinuous car = new MountainCarContinuous();
        car.resetTo(0.44, 0.05);
        assertThat(car.step(1).reward()).isEqualTo(100 - 0.1);
    }

    /** A pendulum with something wrong. */
    private record Broken(String id, boolean ignoresSeed, double added, Pendulum inner) implements Environment {

        Broken(String id, boolean ignoresSeed, double added) {
            this(id, ignoresSeed, added, new Pendulum());
        }

        @Override
        public String description() {
            return inner.description();
        }

        @Override
        public Box observationSpace() {
            return inner.observationSpace();
        }

        @Override
        public List<String> observationNames() {
            return inner.observationNames();
        }

        @Override
        public List<String> actionNames() {
            return inner.actionNames();
        }

        @Override
        public Box actionSpace() {
            return inner.actionSpace();
        }

        @Override
        public int maxSteps() {
            return inner.maxSteps();
        }

        @Override
        public Environment fresh() {
            return new Broken(id, ignoresSeed, added);
        }

        @Override
        public double[] reset(long seed) {
            return inner.reset(ignoresSeed ? 0 : seed);
        }

        @Override
        public StepResult step(double... action) {
            StepResult result = inner.step(action);
            return new StepResult(
                    result.observation(), result.reward() + added, result.terminated(), result.truncated());
        }
    }
}
