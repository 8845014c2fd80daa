package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import io.koopstream.learner.SogdState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The learning methods a model file can hold, with what each adds to the texts and tensors that all share. */
enum ModelMethod {

    /** Algorithm 1: the operator's matrix itself. */
    SOGD("sogd", "budget criterion step_size", "M"),

    /** Algorithm 1 with averaging: the last iterate, with which it goes on, and the average, which is the answer. */
    SOGD_AVERAGED("sogd-averaged", "average_loss averaging budget criterion step_size", "M M_average"),

    /** Online least squares: the additive statistics S (m, m) and T (n, m). */
    LEAST_SQUARES("least-squares", "epsilon forgetting weight", "S T");

    private final String text;
    private final String keys;
    private final String matrices;

    ModelMethod(String text, String keys, String matrices) {
        this.text = text;
        this.keys = keys;
        this.matrices = matrices;
    }

    /** The name in the file. */
    String text() {
        return text;
    }

    /** The metadata keys of this method alone. */
    Set<String> keys() {
        return Set.of(keys.split(" "));
    }

    /** The tensors of this method alone, in the order of the file; all but S have as many rows as there are outputs. */
    List<String> matrices() {
        return List.of(matrices.split(" "));
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
        Set<String> all = new TreeSet<>();
        Arrays.stream(values()).forEach(method -> all.addAll(method.keys()));
        return all;
    }
}
