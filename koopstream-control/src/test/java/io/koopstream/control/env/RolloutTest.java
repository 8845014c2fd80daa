package io.koopstream.control.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Against roll-outs of an independent script, rollouts.py beside the recordings. */
class RolloutTest {

    private static final double TOLERANCE = 1e-12;

    private static List<double[]> recording(String name) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(RolloutTest.class.getResourceAsStream(name), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .map(line -> Arrays.stream(line.split(",", -1))
                            .mapToDouble(Double::parseDouble)
                            .toArray())
                    .toList();
        }
    }

    @Test
    void pendulumStepsAsGymnasiumsFormulas() throws IOException {
        List<double[]> rows = recording("pendulum-v1.csv");
        Pendulum pendulum = new Pendulum();
        pendulum.resetTo(rows.get(0)[1], rows.get(0)[2]);
        for (double[] row : rows.subList(1, rows.size())) {
            StepResult result = pendulum.step(row[0]);
            double[] observation = result.observation();
            assertThat(observation[0]).isCloseTo(Math.cos(row[1]), within(TOLERANCE));
            assertThat(observation[1]).isCloseTo(Math.sin(row[1]), within(TOLERANCE));
            assertThat(observation[2]).isCloseTo(row[2], within(TOLERANCE));
            assertThat(result.reward()).isCloseTo(row[3], within(TOLERANCE));
        }
    }

    @Test
    void mountainCarStepsAsGymnasiumsFormulas() throws IOException {
        List<double[]> rows = recording("mountain-car-continuous-v0.csv");
        MountainCarContinuous car = new MountainCarContinuous();
        car.resetTo(rows.get(0)[1], rows.get(0)[2]);
        StepResult result = null;
        for (double[] row : rows.subList(1, rows.size())) {
            result = car.step(row[0]);
            assertThat(result.observation()[0]).isCloseTo(row[1], within(TOLERANCE));
            assertThat(result.observation()[1]).isCloseTo(row[2], within(TOLERANCE));
            assertThat(result.reward()).isCloseTo(row[3], within(TOLERANCE));
        }
        assertThat(result.terminated()).isTrue();
    }

    @Test
    void cartPoleStepsAsTheEquationsOfMotion() throws IOException {
        List<double[]> rows = recording("cart-pole-swing-up-v1.csv");
        assertThat(rows).hasSizeGreaterThan(100);
        CartPoleSwingUp cart = new CartPoleSwingUp();
        cart.resetTo(rows.get(0)[1], rows.get(0)[2], rows.get(0)[3], rows.get(0)[4]);
        for (double[] row : rows.subList(1, rows.size())) {
            StepResult result = cart.step(row[0]);
            double[] expected = {row[1], row[2], Math.cos(row[3]), Math.sin(row[3]), row[4]};
            // The script solves for the accelerations in another way, so rounding differs and grows along the motion.
            assertThat(result.observation()).containsExactly(expected, within(1e-9));
            assertThat(result.reward()).isCloseTo(row[5], within(1e-9));
        }
    }

    @Test
    void pendulumsExtremesAreThoseOfItsDataSheet() {
        assertThat(Pendulum.cost(-Math.PI, 8, 2)).isCloseTo(16.2736044, within(1e-7));
        Pendulum fast = new Pendulum();
        fast.resetTo(1.5, 7.9);
        assertThat(fast.step(2).observation()[2]).isEqualTo(8);
        fast.resetTo(-1.5, -7.9);
        assertThat(fast.step(-2).observation()[2]).isEqualTo(-8);
    }

    @Test
    void theWallOfTheMountainCarStopsIt() {
        MountainCarContinuous car = new MountainCarContinuous();
        car.resetTo(-1.19, -0.06);
        assertThat(car.step(-1).observation()).containsExactly(-1.2, 0.0);
    }

    @Test
    void aPoleOnACartKeepsItsEnergyWithoutForce() {
        CartPoleSwingUp cart = new CartPoleSwingUp();
        double[] state = cart.resetTo(0, 0, 2.5, 0);
        double start = energy(state);
        for (int t = 0; t < 300; t++) {
            state = cart.step(0).observation();
            // Semi-implicit Euler keeps the energy up to an oscillation of the order of the step.
            assertThat(energy(state)).isCloseTo(start, within(0.03));
        }
    }

    /** Of a cart of 1 kg and a uniform pole of 0.1 kg and 1 m; its moment of inertia about the pivot is 4/3 m l². */
    private static double energy(double[] state) {
        double cart = 0.5 * 1.1 * state[1] * state[1];
        double coupling = 0.1 * 0.5 * state[1] * state[4] * state[2];
        double pole = 0.5 * 0.1 * 0.25 * 4 / 3 * state[4] * state[4];
        return cart + coupling + pole + 0.1 * 9.8 * 0.5 * state[2];
    }
}
