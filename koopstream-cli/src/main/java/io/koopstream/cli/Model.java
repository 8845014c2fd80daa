package io.koopstream.cli;

import io.koopstream.io.ModelFile;
import io.koopstream.kernel.KernelText;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdState;
import io.koopstream.operator.KoopmanOperator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A model file as the commands see it: the learned operator, and what is known about how it was learned. */
final class Model {

    private final Path file;
    private final LearnerState state;
    private final KoopmanOperator operator;

    private Model(Path file, LearnerState state) {
        this.file = file;
        this.state = state;
        this.operator = state.resumeKoopman().snapshot();
    }

    static Model read(Path file) {
        return new Model(file, ModelFile.read(file));
    }

    KoopmanOperator operator() {
        return operator;
    }

    int dimension() {
        return operator.domain().dimension();
    }

    /** Names of the coordinates for tables and pictures; the file does not hold those of the data. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (int c = 1; c <= dimension(); c++) {
            names.add("x" + c);
        }
        return names;
    }

    /** The settings by the names of the options. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        if (state instanceof SogdState sogd) {
            settings.put("method", "sogd");
            settings.put("kernel", sogd.input().kernel().text());
            settings.put("lambda", sogd.config().lambda());
            settings.put("stepSize", sogd.config().stepSize().text());
            settings.put("budget", sogd.config().budget().text());
            settings.put("criterion", sogd.config().criterion().name().toLowerCase(Locale.ROOT));
        } else if (state instanceof LeastSquaresState leastSquares) {
            settings.put("method", "least-squares");
            settings.put("kernel", leastSquares.input().kernel().text());
            settings.put("lambda", leastSquares.config().lambda());
            settings.put("epsilon", leastSquares.config().epsilon());
            settings.put("forgetting", leastSquares.config().forgetting());
        }
        return settings;
    }

    /** Everything to say about it in a few lines. */
    Map<String, Object> description() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", file.toString());
        facts.put("dimension", dimension());
        facts.put("samples", state.samples());
        facts.put("dictionary", operator.dictionarySize());
        facts.put("norm", operator.norm());
        facts.put("dependents", state.dependents());
        facts.putAll(settings());
        facts.put("digest", state.digest());
        return facts;
    }

    /** A value of {@link #description()} as text. */
    static String text(Object value) {
        return value instanceof Double number ? KernelText.number(number) : String.valueOf(value);
    }
}
