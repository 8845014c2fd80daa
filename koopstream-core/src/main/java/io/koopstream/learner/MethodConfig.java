package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.KoopmanOperator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The settings of a learning method: what all methods have, and how their learners begin. */
public interface MethodConfig {

    /** {@code sogd} or {@code least-squares}. */
    String method();

    /** The space of the inputs x (or of z = (x, u)). */
    Rkhs input();

    /** The space of the outputs x⁺. */
    Rkhs output();

    /** The most points to keep, on either side where there are two dictionaries; {@link DictionaryCap#NONE} for no limit. */
    int maxDictionary();

    /** Number of samples learned at once. */
    int blockSize();

    /** The ridge of the risk R_λ; empty where it is chosen at a snapshot. */
    OptionalDouble fixedLambda();

    /** Number of leading coordinates of the output that are new; the others are delayed copies, which need no prediction. */
    int targets();

    /**
     * Bytes that a learner with these settings holds at m kept points on each side: 8 (k m² + p m) with k {@link #matrices()} and p
     * {@link #numbersPerPoint()}. Storage grows by half its length, so a learner that is still growing may hold up to 2.25 times as much; terms of
     * order m come on top (docs/numerics.md).
     */
    default double bytes(int m) {
        return DictionaryCap.bytes(m, matrices(), numbersPerPoint());
    }

    /** Number of m×m arrays a learner holds at m kept points. */
    int matrices();

    /** Number of numbers of order m a learner holds for each of m kept points. */
    int numbersPerPoint();

    /** True if inputs and outputs are states of one space, so that the operator can be iterated. */
    default boolean isOneSpace() {
        return input().equals(output());
    }

    /** Warnings about promises that these settings do not keep. */
    default List<String> warnings() {
        return List.of();
    }

    /** The settings by name, for people and JSON: numbers as numbers, in a fixed order. */
    default Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("method", method());
        settings.put("kernel", input().kernel().text());
        settings.put(
                "lambda", fixedLambda().isPresent() ? (Object) fixedLambda().getAsDouble() : "chosen");
        putOwn(settings);
        settings.put("maxDictionary", maxDictionary() == DictionaryCap.NONE ? "none" : (Object) maxDictionary());
        settings.put("blockSize", blockSize());
        return settings;
    }

    /** The settings in words that are the same in every JVM and every release, for digests. */
    String canonicalText();

    /** Adds the settings that only this method has. */
    void putOwn(Map<String, Object> settings);

    /** Refuses a cap that this JVM has no room for. */
    default void requireRoom() {
        DictionaryCap.requireRoom(maxDictionary(), matrices(), numbersPerPoint());
    }

    /** Refuses two spaces where a Koopman operator is to be learned. */
    default void requireOneSpace() {
        if (!isOneSpace()) {
            throw new InvalidConfigException(
                    "output",
                    output(),
                    "a Koopman operator needs input and output to be one space; the input is " + input());
        }
    }

    /** A learner of a Koopman operator that has seen nothing; input and output must be one space. */
    Learner<KoopmanOperator> newKoopmanLearner();
}
