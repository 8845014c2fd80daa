package io.koopstream.cli.learn;

import io.koopstream.answers.TheoryAnswer;
import io.koopstream.answers.TheoryAnswer.Constants;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import io.koopstream.theory.Mixing;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop theory}. */
@Command(
        name = "theory",
        mixinStandardHelpOptions = true,
        description =
                "Says what the paper's convergence theory proves about a model, or about settings of --method sogd.",
        footer = {
            "",
            "Example:  koop theory sogd.safetensors",
            "          koop theory --kernel 'gaussian(0.5)' --lambda 1 --eta 2e-4 --budget 'constant(0)'"
                    + " --max-dictionary none --gamma 0.324"
        })
public final class TheoryCommand extends KoopCommand {

    private final LearnOptions options = new LearnOptions(StreamOption.OF_METHOD);

    @Mixin
    private JsonOption output;

    @Parameters(
            paramLabel = "MODEL",
            arity = "0..1",
            description = "model file; without it the options of learning say the settings")
    private Path file;

    @Option(
            names = "--gamma",
            paramLabel = "G",
            description = "mixing rate of Assumption 4, in (0, 1); of a model the default is read off its spectrum")
    private Double gamma;

    @Option(
            names = "--mixing-factor",
            paramLabel = "R",
            defaultValue = "1",
            description = "factor R of Assumption 4 (default: ${DEFAULT-VALUE})")
    private double factor;

    @Option(
            names = "--horizon",
            paramLabel = "N",
            description = "samples up to which conditions are checked (default: those learned, or 100000)")
    private Integer horizon;

    @Override
    public CommandLine line(Console to) {
        return options.addTo(super.line(to));
    }

    @Override
    protected void answer() {
        if (horizon != null && (horizon < 2 || horizon > TheoryAnswer.MAX_HORIZON)) {
            throw CommandFailure.data("--horizon " + horizon + ": must be from 2 to " + TheoryAnswer.MAX_HORIZON);
        }
        Mixing mixing = gamma == null ? null : new Mixing(factor, gamma);
        TheoryAnswer answer = file != null ? ofModel(mixing) : ofSettings(mixing);
        if (output.json()) {
            console.json(answer);
            return;
        }
        if (answer.mixing().estimate() != null) {
            console.say(
                    "Mixing: gamma = %s, so correlations fall by e in %s steps; %s.",
                    digits(answer.mixing().estimate().rate()),
                    digits(answer.mixing().estimate().relaxationSteps()),
                    answer.mixing().note());
        } else {
            console.say("Mixing: unknown; %s", answer.mixing().note());
        }
        answer.checks()
                .forEach(check -> console.say(
                        "%-30s %-14s %s",
                        check.statement(), check.holds() ? "holds" : "does not hold", check.reason()));
        if (answer.constants() != null) {
            print(answer.constants());
        }
        for (TheoryAnswer.Bound bound : answer.bounds()) {
            console.say("E|U_t - U_lambda|^2 <= %-10s after %,d samples", digits(bound.error()), bound.samples());
        }
    }

    private void print(Constants constants) {
        console.say(
                "Constants: B_infinity = %s, lambda = %s, b_cmp = %s, B = %s, B-check = %s, |U_lambda| <= %s, tau = %d,"
                        + " lambda/B-check = %s",
                digits(constants.kernelBound()),
                digits(constants.lambda()),
                digits(constants.compression()),
                digits(constants.growth()),
                digits(constants.drift()),
                digits(constants.operatorNorm()),
                constants.mixingTime(),
                digits(constants.largestWindow()));
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    private TheoryAnswer ofModel(Mixing mixing) {
        options.words(null).keySet().stream().findFirst().ifPresent(word -> {
            throw CommandFailure.usage(
                    LearnOptions.option(word) + ": the model has its own settings; leave it out, or leave out " + file);
        });
        return TheoryAnswer.of(Model.read(file).learned(), mixing, horizon == null ? 0 : horizon);
    }

    private TheoryAnswer ofSettings(Mixing mixing) {
        Map<String, String> words = new LinkedHashMap<>(Map.of(StreamOption.METHOD.name(), "sogd"));
        words.putAll(options.words(null));
        if (!words.containsKey(StreamOption.KERNEL.name())) {
            throw CommandFailure.usage("without MODEL, --kernel is needed: there is no data to choose it from");
        }
        StreamConfig config = LearnOptions.config(words);
        int dimension = Math.max(1, config.get(StreamOption.KERNEL).requiredDimension());
        if (!(config.choose(dimension, dimension, null).config() instanceof SogdConfig sogd)) {
            throw CommandFailure.usage("--method least-squares: the theory is about --method sogd");
        }
        return TheoryAnswer.of(sogd, mixing, horizon == null ? 100_000 : horizon);
    }
}
