package io.koopstream.cli.shell;

import io.koopstream.answers.Clock;
import picocli.CommandLine.Option;

/** {@code --dt}, for commands that tell times of a model. */
public final class StepOption {

    @Option(
            names = "--dt",
            paramLabel = "T",
            description = "time per step, e.g. 0.1, or 15min, 1h, 7d; default: from the model, or 1")
    private String dt;

    /** The clock of a model, with this step if one is given. */
    public Clock clock(Model model) {
        return Clock.of(model.labels().time(), dt);
    }
}
