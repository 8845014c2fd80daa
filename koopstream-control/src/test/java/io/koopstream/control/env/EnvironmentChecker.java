package io.koopstream.control.env;

import io.koopstream.KoopstreamException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Checks that an environment keeps its promises; run it on your own. Every finding says what to change.
 *
 * <p>Checked: a versioned id, names and spaces that fit, observations inside their space, finite rewards, the same seed giving the
 * same episode bit for bit and another seed another one, independence of instances, actions clipped to their bounds, the
 * episode's end, and errors for calls out of order and for bad actions.
 */
public final class EnvironmentChecker {

    private static final int EPISODES = 3;

    private final Environment environment;
    private final List<String> findings = new ArrayList<>();

    private EnvironmentChecker(Environment environment) {
        this.environment = environment;
    }

    /** What is wrong with the environment; empty when nothing is. */
    public static List<String> findings(Environment environment) {
        EnvironmentChecker checker = new EnvironmentChecker(environment);
        checker.description();
        checker.order();
        for (long seed = 1; seed <= EPISODES; seed++) {
            checker.episode(seed);
        }
        checker.seeds();
        checker.actions();
        return List.copyOf(checker.findings);
    }

    /** Throws with all findings when there are any. */
    public static void check(Environment environment) {
        List<String> findings = findings(environment);
        if (!findings.isEmpty()) {
            throw new KoopstreamException(environment.id() + ": " + String.join("; ", findings));
        }
    }

    private void require(boolean holds, String otherwise) {
        if (!holds && !findings.contains(otherwise)) {
            findings.add(otherwise);
        }
    }

    private void description() {
        require(
                environment.id().matches("[A-Za-z]+-v[0-9]+"),
                "the id needs a version, as in Pendulum-v1, so that published figures stay reproducible");
        require(!environment.description().isBlank(), "the description is empty: say in one line what is to be done");
        require(
                environment.observationNames().size()
                        == environment.observationSpace().dimension(),
                "give one observation name per coordinate of the observation space");
        require(
                environment.actionNames().size() == environment.actionSpace().dimension(),
                "give one action name per coordinate of the action space");
        require(environment.maxSteps() >= 1, "maxSteps must be at least 1, or an episode never ends");
        Environment other = environment.fresh();
        require(
                other != environment && other.id().equals(environment.id()),
                "fresh() must give a new instance of the same environment");
    }

    private void order() {
        Environment unused = environment.fresh();
        require(
                refuses(unused, middle()),
                "step before reset must throw a KoopstreamException: most likely it reads a state that reset should"
                        + " have set");
    }

    private void episode(long seed) {
        Environment first = environment.fresh();
        Environment second = environment.fresh();
        double[] start = first.reset(seed);
        require(Arrays.equals(start, second.reset(seed)), unseeded());
        require(first.observationSpace().contains(start), "the first observation lies outside the observation space");
        SplittableRandom random = new SplittableRandom(seed);
        int steps = 0;
        StepResult result;
        do {
            double[] action = first.actionSpace().sample(random);
            result = first.step(action);
            StepResult twin = second.step(action);
            require(
                    Arrays.equals(result.observation(), twin.observation())
                            && result.reward() == twin.reward()
                            && result.over() == twin.over(),
                    unseeded());
            require(
                    first.observationSpace().contains(result.observation()),
                    "an observation lies outside the observation space, or is not a number");
            require(Double.isFinite(result.reward()), "a reward is not a finite number");
            steps++;
        } while (!result.over() && steps <= environment.maxSteps());
        require(result.over(), "the episode is not truncated after maxSteps steps");
        require(refuses(first, middle()), "step after the end of an episode must throw a KoopstreamException");
        require(Arrays.equals(start, first.reset(seed)), "reset must clear everything the last episode left behind");
    }

    private String unseeded() {
        return "equal seeds gave different episodes: most likely something random does not come from the seed of"
                + " reset, or instances share state";
    }

    private void seeds() {
        require(
                !Arrays.equals(environment.fresh().reset(1), environment.fresh().reset(2)),
                "two seeds gave the same start: most likely reset ignores its seed");
    }

    private void actions() {
        Environment inside = environment.fresh();
        Environment outside = environment.fresh();
        double[] bound = new double[environment.actionSpace().dimension()];
        double[] beyond = new double[bound.length];
        for (int c = 0; c < bound.length; c++) {
            bound[c] = environment.actionSpace().high().get(c);
            beyond[c] = bound[c] + 1;
        }
        inside.reset(1);
        outside.reset(1);
        StepResult clipped = outside.step(beyond);
        StepResult reference = inside.step(bound);
        require(
                Arrays.equals(reference.observation(), clipped.observation()) && reference.reward() == clipped.reward(),
                "an action beyond its bound must act as the action on the bound");
        Environment strict = environment.fresh();
        strict.reset(1);
        double[] bad = middle();
        bad[0] = Double.NaN;
        require(refuses(strict, bad), "an action that is NaN must throw a KoopstreamException");
        require(
                refuses(strict, new double[bad.length + 1]),
                "an action of the wrong length must throw a KoopstreamException");
        Environment untouched = environment.fresh();
        untouched.reset(1);
        require(
                Arrays.equals(
                        untouched.step(middle()).observation(),
                        strict.step(middle()).observation()),
                "a refused action must leave the state as it was");
    }

    private double[] middle() {
        Box space = environment.actionSpace();
        double[] action = new double[space.dimension()];
        for (int c = 0; c < action.length; c++) {
            action[c] = 0.5 * (space.low().get(c) + space.high().get(c));
        }
        return action;
    }

    private static boolean refuses(Environment environment, double[] action) {
        try {
            environment.step(action);
            return false;
        } catch (KoopstreamException expected) {
            return true;
        }
    }
}
