package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import io.koopstream.learner.sogd.SogdState;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The learning methods a model file can hold, with what each adds to the texts and tensors that all share. */
enum ModelMethod {

    /** Algorithm 1: the operator's matrix itself. */
    SOGD("sogd", "budget criterion step_size"),

    /** Algorithm 1 with averaging: the last iterate, with which it goes on, and the average, which is the answer. */
    SOGD_AVERAGED("sogd-averaged", "average_loss averaging budget criterion step_size"),

    /** Online least squares: the additive statistics. */
    LEAST_SQUARES("least-squares", "epsilon forgetting targets weight");

    /** The keys of least squares that are there, all of them, exactly when pairs are held out. */
    static final Set<String> HOLD_OUT_KEYS =
            Set.of("hold_out", "hold_out_capacity", "hold_out_keep", "hold_out_seen", "held_out");

    private final String text;
    private final String keys;

    ModelMethod(String text, String keys) {
        this.text = text;
        this.keys = keys;
    }

    /** How its part of a file is written and read. */
    ModelSection section() {
        return this == LEAST_SQUARES ? new LeastSquaresSection() : new SogdSection();
    }

    /** The name in the file. */
    String text() {
        return text;
    }

    /** The metadata keys of this method alone that it always has. */
    Set<String> keys() {
        return Set.of(keys.split(" "));
    }

    /** The method of a state. */
    static ModelMethod of(LearnerState state) {
        if (state instanceof SogdState sogd) {
            return sogd.average().isPresent() ? SOGD_AVERAGED : SOGD;
        }
        return LEAST_SQUARES;
    }

    static Optional<ModelMethod> of(String text) {
        return Arrays.stream(values())
                .filter(method -> method.text.equals(text))
                .findFirst();
    }

    /** The names of all methods, for messages. */
    static String names() {
        return String.join(
                " or ", Arrays.stream(values()).map(ModelMethod::text).toList());
    }

    /** The keys of all methods. */
    static Set<String> allKeys() {
        Set<String> all = new TreeSet<>(HOLD_OUT_KEYS);
        all.add(SogdSection.DELTA);
        Arrays.stream(values()).forEach(method -> all.addAll(method.keys()));
        return all;
    }
}
