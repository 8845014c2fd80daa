package io.koopstream.tuning;

import io.koopstream.learner.Learner;
import io.koopstream.learner.MethodConfig;
import io.koopstream.operator.KoopmanOperator;
import java.util.List;

/**
 * The settings of one run, and why each has its value.
 *
 * @param config the settings of one of the methods
 * @param explained what is set, to what, and why
 */
public record ChosenSettings(MethodConfig config, List<Explained> explained) {

    /**
     * One setting.
     *
     * @param name its name as an option of {@code koop learn}, without dashes in front
     * @param value as one would write it
     * @param reason why
     */
    public record Explained(String name, String value, String reason) {}

    /** Copies the list. */
    public ChosenSettings {
        explained = List.copyOf(explained);
    }

    /** A learner with these settings that has seen nothing. */
    public Learner<KoopmanOperator> newLearner() {
        return config.newKoopmanLearner();
    }
}
