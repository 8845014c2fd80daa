package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.answers.SetsAnswer;
import io.koopstream.cli.plot.PlanePlot;
import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.cli.shell.StepOption;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.SetFacts;
import io.koopstream.spectrum.SpectralGap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop sets}. */
@Command(
        name = "sets",
        mixinStandardHelpOptions = true,
        description =
                "Finds metastable sets, which the process rarely leaves: where they are, how much time it spends there, how long it stays.",
        footer = {
            "",
            "Example:  koop sets wells.safetensors -k 4 --plot sets.png",
            "          koop sets wells.safetensors -k 4 --at wells.csv -o sets.csv",
            "Sets are numbered from 1; 0 marks states in regions without data.",
            "Population: the long-run share of time spent in a set. Mean exit time: until the process settles in another set."
        })
public final class SetsCommand extends KoopCommand {

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(
            names = "-k",
            paramLabel = "K",
            description = "number of sets; default: from the largest gap in the spectrum")
    private Integer wanted;

    @Option(names = "--at", paramLabel = "DATA", description = "states to assign to the sets")
    private Path at;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F",
            description = "file for the assignments: .csv, .npy (int64) or .parquet")
    private Path result;

    @Mixin
    private SeedOption seed;

    @Mixin
    private PlotOption plot;

    @Mixin
    private StepOption step;

    @Mixin
    private RowOptions columns;

    @Mixin
    private SliceOptions slices;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        if (result != null && at == null) {
            throw CommandFailure.usage("-o needs --at DATA: the states to assign");
        }
        output.requireFree(result);
        output.requirePicture(plot.file());
        Model model = Model.read(file, answers);
        Clock clock = step.clock(model);
        Regularised learned = model.regularised();
        KoopmanOperator operator = learned.operator();
        MetastableSets sets = wanted == null ? byGap(operator) : MetastableSets.of(operator, wanted, seed.seed());
        SetsAnswer answer = at == null
                ? SetsAnswer.of(model.learned(), learned, sets, clock)
                : SetsAnswer.of(model.learned(), learned, sets, clock, assign(model, sets));
        if (plot.isGiven()) {
            Slice slice = slices.slice(model);
            PlanePlot.sets(slice, sets.count(), sets.assign(slice.points()), operator.inputPoints(), new double[0][])
                    .write(plot.file());
        }
        if (output.json()) {
            console.json(answer);
        } else if (result == null || !Output.isStandard(result)) {
            print(model.learned().coordinates(), answer, clock);
        }
    }

    private MetastableSets byGap(KoopmanOperator operator) {
        SpectralGap gap = SpectralGap.of(operator);
        if (gap.sets() < 2) {
            throw CommandFailure.data(
                    gap.ratio() == 0
                            ? "no metastable sets: the model has one time scale only, and so no gap between two; -k 2 splits the states anyway"
                            : String.format(
                                    Locale.ROOT,
                                    "no metastable sets: neighbouring time scales differ by a factor of %.1f at most, less than %.0f; -k 2 splits the states anyway",
                                    gap.ratio(),
                                    SpectralGap.MIN_RATIO));
        }
        console.tell(
                "%d sets: after eigenvalue %d the time scales drop by a factor of %.1f, the largest gap; -k sets another number",
                gap.sets(), gap.sets(), gap.ratio());
        return MetastableSets.of(operator, gap.sets(), seed.seed());
    }

    /** How many states have no set, then how many each set has. */
    private long[] assign(Model model, MetastableSets sets) throws IOException {
        long[] sizes = new long[sets.count() + 1];
        Data data = new Data(console, columns);
        if (result == null) {
            data.forEachState(at, model, state -> sizes[set(sets, state) + 1]++);
        } else if (Output.endsWith(result, ".npy")) {
            try (NpyWriter writer = new NpyWriter(result, NpyWriter.Kind.WHOLE)) {
                data.forEachState(at, model, state -> {
                    int set = set(sets, state);
                    sizes[set + 1]++;
                    writer.write(set + 1);
                });
                writer.commit();
            }
        } else {
            try (TableWriter writer = Output.table(console, result, List.of("set"), 1)) {
                data.forEachState(at, model, state -> {
                    int set = set(sets, state);
                    sizes[set + 1]++;
                    writer.row(set + 1);
                });
                writer.commit();
            }
        }
        return sizes;
    }

    /** The set of a state; none when a row is not enough for a state. */
    private static int set(MetastableSets sets, double[] state) {
        return state == null ? -1 : sets.assign(new double[][] {state})[0];
    }

    private String counted() {
        return at == null ? "kept samples" : "states of " + at;
    }

    private void print(List<String> names, SetsAnswer answer, Clock clock) {
        String exit = "mean exit time" + clock.heading();
        console.say("  set   population   %s   %s   %s", exit, counted(), SetTable.heading(names));
        for (int set = 0; set < answer.k(); set++) {
            SetFacts fact = answer.sets().get(set);
            console.say(
                    "  %3d   %10s   %" + exit.length() + "s   %," + counted().length() + "d   %s",
                    set + 1,
                    SetTable.population(fact),
                    SetTable.exitTime(fact, clock),
                    answer.sizes()[set],
                    SetTable.centre(fact, names.size()));
        }
        if (answer.unassigned() > 0) {
            console.say("  none: %,d (nothing was learned there)", answer.unassigned());
        }
        if (!clock.isTold()) {
            console.say("--dt sets the length of a step.");
        }
        plot.say(console);
    }
}
