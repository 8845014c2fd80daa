package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.HeldOutPairs;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.cli.plot.PseudospectrumPlot;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.cli.shell.StepOption;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.spectrum.TrustRule.Noise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop spectrum}. */
@Command(
        name = "spectrum",
        mixinStandardHelpOptions = true,
        description =
                "Shows the leading eigenvalues, largest modulus first, with time scales, frequencies and residuals.",
        footer = {
            "",
            "Example:  koop spectrum wells.safetensors -k 6 --dt 0.1 --plot spectrum.png",
            "          koop spectrum wells.safetensors --holdout other.csv",
            "          koop spectrum signals.safetensors --rank auto",
            "Residual: how far f(x+) is from lambda f(x) on held-out pairs. Noise of the system is part of it; bias is"
                    + " the rest,",
            "the model's error. Std. error: of the eigenvalue. Pairs that may be spurious are flagged with the reason,"
                    + " never left",
            "out. VAMP-2 and VAMP-E: variational scores of the eigenfunctions on the same pairs; higher is better for"
                    + " the same k."
        })
public final class SpectrumCommand extends KoopCommand {

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(
            names = "-k",
            paramLabel = "K",
            defaultValue = "" + EigenvalueTable.USUAL_SIZE,
            description = "how many; default: ${DEFAULT-VALUE}")
    private int count;

    @Option(
            names = "--holdout",
            paramLabel = "DATA",
            description =
                    "validate on pairs of this data; default: the pairs held out while learning, if there are enough")
    private Path holdout;

    @Option(
            names = "--deterministic",
            description = "the system has no noise: a residual is the model's error, not the system's noise")
    private boolean deterministic;

    @Option(
            names = "--pseudospectrum",
            paramLabel = "F",
            description = "pseudospectrum on the data of --holdout, .png or .svg")
    private Path pseudospectrum;

    @Mixin
    private PlotOption plot;

    @Mixin
    private StepOption step;

    @Mixin
    private RowOptions columns;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        output.requirePicture(plot.file());
        output.requirePicture(pseudospectrum);
        TrustRule rule = deterministic ? TrustRule.deterministic() : TrustRule.stochastic();
        Model model = Model.read(file, answers, rule);
        Clock clock = step.clock(model);
        HeldOutPairs pairs = pairs(model);
        if (pairs == null && (deterministic || pseudospectrum != null)) {
            throw CommandFailure.usage((deterministic ? "--deterministic" : "--pseudospectrum")
                    + " needs --holdout DATA: this model has too few held-out pairs of its own");
        }
        SpectrumAnswer answer =
                SpectrumAnswer.of(model.learned(), count, clock, model.wish(), holdout == null ? null : pairs);
        EigenvalueTable table = new EigenvalueTable(answer.eigenvalues(), clock);
        if (pseudospectrum != null) {
            PseudospectrumPlot.of(
                            model.operator(),
                            pairs.x(),
                            pairs.xNext(),
                            deterministic ? Noise.DETERMINISTIC : Noise.STOCHASTIC,
                            table.numbers())
                    .write(pseudospectrum);
        }
        if (plot.isGiven()) {
            SpectrumPlot.of(table.numbers(), table.residuals(), null, table.flags())
                    .write(plot.file());
        }
        if (output.json()) {
            console.json(answer);
            return;
        }
        table.print(console);
        int shown = answer.eigenvalues().size();
        if (shown < count) {
            console.say("There are no more: the operator has rank %d.", answer.rank());
        }
        if (model.learned().leastSquares().isPresent()) {
            console.say(
                    "Computed with lambda %s%s.",
                    Numbers.shortest(answer.lambda()), answers.limitsRank() ? ", rank " + answer.rank() : "");
        }
        SpectrumAnswer.Vamp scores = answer.vamp();
        if (scores.scoredOn() > 0) {
            console.say(
                    "On %,d held-out pairs: VAMP-2 %.3f of at most %d%s.",
                    scores.scoredOn(),
                    scores.vamp2(),
                    shown,
                    Double.isNaN(scores.vampE()) ? "" : String.format(Locale.ROOT, ", VAMP-E %.3f", scores.vampE()));
        }
        for (Path picture : new Path[] {plot.file(), pseudospectrum}) {
            if (picture != null) {
                console.say("Picture: %s", picture);
            }
        }
    }

    /** Pairs on which to judge: those of --holdout, or the model's own; null when there are too few. */
    private HeldOutPairs pairs(Model model) throws IOException {
        if (holdout == null) {
            return HeldOutPairs.of(model.learned().settled()).orElse(null);
        }
        Data data = new Data(console, columns);
        PairCollector pairs = new PairCollector();
        try (SampleReader reader = data.open(holdout, model)) {
            data.requireFitting(reader, model);
            data.forEachPair(reader, model.labels(), pairs);
        }
        if (pairs.inputs().length < TrustReport.MIN_HELD_OUT) {
            throw CommandFailure.data(holdout + ": holds " + pairs.pairs() + " pairs, at least "
                    + TrustReport.MIN_HELD_OUT + " are needed");
        }
        return new HeldOutPairs(pairs.inputs(), pairs.outputs());
    }
}
