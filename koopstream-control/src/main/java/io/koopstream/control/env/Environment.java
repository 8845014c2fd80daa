package io.koopstream.control.env;

import java.util.List;

/**
 * A controlled process with Gymnasium's conventions: {@code reset(seed)} starts an episode, {@code step(action)} gives
 * observation, reward, terminated and truncated.
 *
 * <p>Ids carry a version; changed behaviour means a new id, so that published figures stay reproducible. Each class is a data
 * sheet. Everything random comes from the seed of {@link #reset}. One instance serves one thread; {@link #fresh()} gives
 * another. What every environment owes is checked by {@code EnvironmentChecker} in the tests.
 */
public interface Environment {

    /** Name and version, such as {@code Pendulum-v1}. */
    String id();

    /** One line saying what is to be done. */
    String description();

    /** Bounds of the observations. */
    Box observationSpace();

    /** One short name per coordinate of an observation, usable as column headers. */
    List<String> observationNames();

    /** One short name per coordinate of an action. */
    List<String> actionNames();

    /** Bounds of the actions; a step clips its action to them. */
    Box actionSpace();

    /** Steps after which an episode is truncated. */
    int maxSteps();

    /** A new instance of the same environment, before its first reset. */
    Environment fresh();

    /**
     * Starts an episode.
     *
     * @param seed determines the start, and everything random afterwards
     * @return the first observation; the array belongs to the caller
     */
    double[] reset(long seed);

    /**
     * Advances by one sampling interval.
     *
     * @param action one value a coordinate of the action space; values outside are clipped to it
     * @throws io.koopstream.InvalidQueryException if the action has the wrong length or is not a number; nothing has changed then
     * @throws io.koopstream.InvalidConfigException before the first {@link #reset} and after the end of an episode
     */
    StepResult step(double... action);
}
