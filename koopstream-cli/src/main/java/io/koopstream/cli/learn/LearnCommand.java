package io.koopstream.cli.learn;

import io.koopstream.answers.ChangeEvent;
import io.koopstream.answers.Clock;
import io.koopstream.answers.Horizon;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.Projected;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.cli.ask.EigenvalueTable;
import io.koopstream.cli.plot.ScorePlot;
import io.koopstream.cli.shell.AccuracyTable;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.cli.shell.ScoreSummary;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.io.samples.ProjectedReader;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.TransitionOperator.Pruning;
import io.koopstream.rows.Projection;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop learn}. */
@Command(
        name = "learn",
        mixinStandardHelpOptions = true,
        description = "Learns a model from data in one pass.",
        footer = {
            "",
            "Example:  koop learn wells.csv -o wells.safetensors",
            "          tail -n +1 -f sensor.csv | koop learn - -o sensor.safetensors --every 1000",
            "Data: CSV, JSON, Parquet, NPY or NPZ as it is (docs/data.md); '-' is CSV or JSON on standard input. 'koop"
                    + " look' shows what is in a file."
        })
public final class LearnCommand extends KoopCommand {

    /** Eigenvalues that are validated on held-out pairs, and shown in the report. */
    private static final int MAX_SHOWN = 100;

    @Parameters(paramLabel = "DATA", description = "data file, or '-' for standard input")
    private Path data;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "MODEL",
            description = "model file to write")
    private Path file;

    @Option(names = "--next", paramLabel = "Y.npy", description = "next states, row by row, for the states in DATA")
    private Path next;

    @Option(
            names = "--use-all",
            description =
                    "at the end, also learn the held-out pairs (up to 2000); lambda stays what they chose for spectra")
    private boolean useAll;

    @Option(names = "--every", paramLabel = "N", description = "save the model and print a status line every N samples")
    private Long every;

    @Option(
            names = "--resume",
            paramLabel = "MODEL",
            description = "keep learning a model written by 'koop learn', with its settings; gives the same model as"
                    + " learning all data in one run")
    private Path resume;

    @Option(
            names = "--deterministic",
            description = "the system has no noise: a residual is the model's error, not the system's noise")
    private boolean deterministic;

    @Option(names = "--report", paramLabel = "F.html", description = "also write a self-contained HTML report")
    private Path report;

    @Option(
            names = "--scores",
            paramLabel = "F.csv",
            description = "also score every row before it is learned, one line per row, '-' for standard output"
                    + " (docs/scores.md)")
    private Path scores;

    @Option(names = "--scores-plot", paramLabel = "F", description = "picture of rows, scores and alarms, .png or .svg")
    private Path scoresPlot;

    @Option(
            names = "--trace",
            paramLabel = "F.csv",
            description =
                    "with --method sogd: also write every step: outcome, t, dictionary, eta, epsilon, delta and norm"
                            + " (of U); learns without blocks, and the norm costs a pass over the matrix per pair")
    private Path trace;

    @Option(
            names = "--snapshots",
            paramLabel = "N,N",
            split = ",",
            description =
                    "also save the model after these numbers of pairs, as MODEL-N; such a model answers and is not"
                            + " resumed")
    private List<Long> snapshots = List.of();

    @Mixin
    private RowOptions columns;

    @Mixin
    private ProjectOption project;

    private final LearnOptions options = new LearnOptions();

    @Mixin
    private Output output;

    @Override
    public CommandLine line(Console to) {
        return options.addTo(super.line(to));
    }

    @Override
    protected void answer() throws IOException {
        if (scores != null || scoresPlot != null) {
            options.score();
        } else if (resume == null) {
            options.requireNoneOfScores();
        }
        if (trace != null) {
            options.learnStepByStep();
        }
        boolean keepsAside = options.keepsAside();
        if (deterministic && !keepsAside) {
            throw CommandFailure.usage(
                    "--deterministic is about held-out pairs: with" + " --method sogd or --holdout 0 there are none");
        }
        if (every != null) {
            Output.requireAtLeastOne("--every", every);
        }
        output.requireFree(resume != null && Files.exists(file) && Files.isSameFile(file, resume) ? null : file);
        output.requireFree(report);
        output.requireFree(scores);
        output.requireFree(trace);
        for (long pairs : snapshots) {
            Output.requireAtLeastOne("--snapshots", pairs);
            output.requireFree(snapshot(pairs));
        }
        output.requirePicture(scoresPlot);
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw CommandFailure.file(file + ": its folder does not exist; create it first");
        }
        Data rows = new Data(console, columns);
        StoredModel known = resume == null ? null : ModelFile.load(resume);
        try (SampleReader reader = open(rows, known)) {
            Training training = known == null ? begin(reader) : resumed(reader, known);
            if (training.stream().isWarmingUp() && Output.isStandard(data)) {
                console.tell(
                        "koop: choosing settings from the first %,d rows; with --kernel learning starts at once",
                        training.stream().settings().warmUp());
            }
            StepSheet steps = new StepSheet(
                    trace,
                    training.samples(),
                    snapshots,
                    pairs -> ModelFile.write(snapshot(pairs), new StoredModel(training.state(), training.labels())));
            if (trace != null || !snapshots.isEmpty()) {
                training.stream().listenToSteps(steps::record);
            }
            ScoreSummary summary = new ScoreSummary(reader.names());
            boolean scored = training.stream().settings().scores();
            try (ScoreSheet sheet = scored ? sheet(training, reader, summary) : null) {
                LearnRun run = new LearnRun(
                        console,
                        rows,
                        reader,
                        training,
                        file,
                        every == null ? Long.MAX_VALUE : every,
                        sheet,
                        () -> say(training));
                run.run();
                SortedSet<Long> missed = steps.finish();
                if (!missed.isEmpty()) {
                    console.tell("koop: note: no snapshot after %s pairs; there were %,d", missed, training.samples());
                }
                if (scored) {
                    sheet.finish();
                    if (scoresPlot != null) {
                        ScorePlot.of(
                                        summary,
                                        reader.names(),
                                        threshold(training.stream().settings().alarmRate()))
                                .write(scoresPlot);
                    }
                }
                ProjectOption.tellMissed(reader, console);
                finish(run, training, reader, scored ? summary : null);
            }
        }
    }

    private Path snapshot(long pairs) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return file.resolveSibling(
                dot <= 0 ? name + "-" + pairs : name.substring(0, dot) + "-" + pairs + name.substring(dot));
    }

    /** The score from which on there is an alarm. */
    static double threshold(double alarmRate) {
        return -Math.log10(alarmRate) / 10;
    }

    private ScoreSheet sheet(Training training, SampleReader reader, ScoreSummary summary) throws IOException {
        return new ScoreSheet(
                console,
                scores,
                Output.isStandard(data),
                reader.names(),
                training.stream().settings().preparation(),
                summary);
    }

    private Training begin(SampleReader reader) {
        Projection projection = reader instanceof ProjectedReader projected ? projected.projection() : null;
        StreamConfig settings = options.config(
                reader.names(), given -> projection == null ? Map.of() : ProjectOption.linear(projection, given));
        int delays = settings.delays().orElse(0);
        if (delays > 0 && reader.isPairs()) {
            throw CommandFailure.data(
                    reader.source() + ": rows are pairs, and delays need trajectories; leave out --delays");
        }
        requireStorable(reader.source(), (long) reader.names().size() * (delays + 1));
        LearningStream stream = LearningStream.of(settings, reader.names().size());
        Training training = new Training(stream, names(reader), timeStyle(reader), columns.reading(), projection);
        stream.warnings().forEach(warning -> console.tell("koop: note: " + warning));
        return training;
    }

    /** Refuses states that no model file can hold before they are learned. */
    private static void requireStorable(String source, long dimension) {
        if (dimension > ModelFile.MAX_DIMENSION) {
            throw CommandFailure.data(String.format(
                    Locale.ROOT,
                    "%s: states have %,d coordinates, delays included, and a model file holds at most %,d; choose"
                            + " columns with --columns, or --delays 0",
                    source,
                    dimension,
                    ModelFile.MAX_DIMENSION));
        }
    }

    /** Keeps learning a model: what is said here must be what it was learned with. */
    private Training resumed(SampleReader reader, StoredModel model) {
        LearningStreamState stored = model.stream()
                .orElseThrow(() -> CommandFailure.data(resume
                        + ": does not hold the stream that learned it (models of a server, a job,"
                        + " --use-all or an older release do not); learn it again with 'koop learn'"));
        options.words(reader.names()).forEach((word, value) -> {
            String known = stored.settings().given().get(word);
            if (!value.equals(known)) {
                throw CommandFailure.usage(LearnOptions.option(word) + " " + value + ": " + resume
                        + (known == null ? " was learned without it" : " was learned with " + known)
                        + "; leave it out, or learn without --resume");
            }
        });
        List<String> own = reader.names();
        List<String> known = model.labels().names();
        if (own.size() != stored.dimension()) {
            throw CommandFailure.data(reader.source() + ": rows have " + own.size() + " coordinates, " + resume
                    + " was learned from " + stored.dimension());
        }
        List<String> names = columns.columns().names();
        if (!names.isEmpty()
                || (!known.isEmpty()
                        && !known.equals(own)
                        && !Data.numbered(own.size()).equals(own))) {
            throw CommandFailure.data("coordinates " + String.join(",", own) + ": " + resume + " was learned with "
                    + String.join(",", known) + ", and --resume takes them in that order");
        }
        return new Training(
                LearningStream.resume(stored),
                known,
                model.labels().time().style(),
                model.labels().reading(),
                model.projection());
    }

    private static String timeStyle(SampleReader reader) {
        return reader.timeStyle().map(TimeStyle::text).orElse("");
    }

    private SampleReader open(Data rows, StoredModel known) throws IOException {
        if (known != null) {
            project.requireSame(known.projection());
            return Data.projected(opened(rows, known), Optional.ofNullable(known.projection()));
        }
        SampleReader reader = opened(rows, null);
        SampleReader taken = project.projected(
                reader, Output.isStandard(data) ? null : () -> opened(rows, null), options.warmUp(), console);
        if (taken != reader && options.takesLogarithms()) {
            reader.close();
            throw CommandFailure.usage("--log is of columns, and coordinates are learned: add --project none");
        }
        return taken;
    }

    private SampleReader opened(Data rows, StoredModel known) throws IOException {
        if (next == null) {
            return known == null
                    ? rows.openWithLast(data, options.inputs())
                    : rows.open(data, known.labels().names(), known.labels());
        }
        if (Output.isStandard(data)) {
            throw CommandFailure.usage("--next needs DATA to be an NPY file, not standard input");
        }
        return SampleReaders.pairs(data, next, columns.columns());
    }

    /** Names of the coordinates of a row; empty where they cannot be used. */
    private List<String> names(SampleReader reader) {
        try {
            return StateLabels.of(reader.names()).names();
        } catch (IllegalArgumentException e) {
            if (!columns.columns().names().isEmpty()) {
                throw CommandFailure.data("--names " + String.join(",", reader.names()) + ": " + e.getMessage());
            }
            console.tell("koop: note: " + e.getMessage() + "; the model calls them x1, x2, ...");
            return List.of();
        }
    }

    private void say(Training training) {
        training.stream()
                .learner()
                .ifPresent(learner ->
                        requireStorable(data.toString(), learner.input().dimension()));
        console.tell("Settings from the first samples (override with the option of that name):");
        training.stream()
                .explained()
                .forEach(setting ->
                        console.tell("  %s = %s: %s", setting.name(), shortened(setting.value()), setting.reason()));
        training.stream().warnings().forEach(warning -> console.tell("koop: note: " + warning));
    }

    /** A kernel of many coordinates has as many scales: nobody reads those here; the model and the report hold them all. */
    private static String shortened(String value) {
        return value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN - 3) + "...";
    }

    private void finish(LearnRun run, Training training, SampleReader reader, ScoreSummary summary) throws IOException {
        LearningStream stream = training.stream();
        LearnedModel learned = training.learned(deterministic ? TrustRule.deterministic() : TrustRule.stochastic());
        Spectrum spectrum = learned.spectrum(EigenvalueTable.USUAL_SIZE);
        Clock clock = learned.clock();
        SpectrumAnswer answer =
                SpectrumAnswer.of(learned, EigenvalueTable.USUAL_SIZE, clock, Regularisation.USUAL, null);
        LambdaChoice choice =
                learned.leastSquares().map(LeastSquaresState::choice).orElse(null);
        EigenvalueTable table = new EigenvalueTable(answer.eigenvalues(), clock);
        Conclusion conclusion = new Conclusion(spectrum, answer.eigenvalues(), choice, learned, clock);
        if (useAll) {
            training.useAll();
            training.save(file);
        }
        if (!training.readBack(file)) {
            console.tell(
                    "koop: note: %s is saved, but too large to be read while it is learned; try 'koop info %s'",
                    file, file);
        }
        LearningStreamState.Counts counts = stream.counts();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("samples", training.samples());
        result.put("dictionary", training.snapshot().dictionarySize());
        result.put("seconds", run.seconds());
        result.put("samplesPerSecond", run.pairs() / run.seconds());
        Pruning pruning = training.snapshot().pruning();
        result.put("removals", pruning.removals());
        result.put("refusals", pruning.refusals());
        result.put("errorBound", pruning.errorBound());
        result.put("norm", training.snapshot().norm());
        result.put("oneStepError", training.curve().error());
        result.put("rows", run.rows());
        result.put("skipped", run.skipped());
        result.put("missing", counts.missing());
        result.put("filled", counts.filled());
        result.put("dt", clock.dt());
        result.put("timeUnit", clock.timeUnit());
        result.put("gaps", stream.trajectories().gaps());
        result.put("late", stream.trajectories().late());
        result.put("duplicates", stream.trajectories().duplicates());
        result.put("method", stream.settings().method().toString());
        result.put("kernel", training.snapshot().domain().kernel().text());
        result.put("names", learned.names());
        result.put("projection", Projected.of(training.projection()));
        if (choice != null) {
            result.put("heldOut", training.heldOut());
            result.put("delays", training.labels().delays());
            result.put("lambdaForSpectrum", choice.spectrum());
            result.put("lambdaForForecast", choice.forecast());
            result.put("forecastErrorOverPersistence", choice.forecastError());
            result.put("vamp2", answer.vamp().vamp2());
            result.put("vampE", answer.vamp().vampE());
        }
        AccuracyTable accuracy = new AccuracyTable(stream.record().orElse(null));
        result.put("model", file.toString());
        if (report != null) {
            Report.write(
                    report,
                    new Report.Content(training, reader, learned, spectrum, table, choice, conclusion, clock, file),
                    result);
            result.put("report", report.toString());
        }
        if (output.json()) {
            result.put("eigenvalues", answer.eigenvalues());
            result.put("forecasts", stream.record().map(Horizon::of).orElse(List.of()));
            if (stream.settings().drift()) {
                result.put("drift", ChangeEvent.of(stream.watch().events(), learned.names(), clock));
            }
            result.put("settings", stream.explained());
            if (summary != null) {
                result.put("scores", summary.document());
            }
            console.json(result);
            return;
        }
        console.say(
                "Learned from %,d samples in %.1f s (%,.0f per second); the dictionary keeps %,d; one-step error %.3f.",
                training.samples(),
                run.seconds(),
                run.pairs() / run.seconds(),
                training.snapshot().dictionarySize(),
                training.curve().error());
        if (pruning.refusals() > 0) {
            console.say("The dictionary was full: " + Model.pruned(pruning) + ".");
        }
        if (clock.isDated()) {
            console.say(
                    stream.maxGap().weekends()
                            ? "A step is 1 working day: Monday follows Friday, and 5 d are a week."
                            : "A step is %s, the usual time between rows.",
                    clock.duration(clock.dt()));
        }
        if (counts.missing() > 0) {
            console.say(
                    "%s with missing values: %s.",
                    Numbers.counted(counts.missing(), "row"),
                    counts.filled() > 0
                            ? String.format(Locale.ROOT, "%,d were filled in, the others are gaps", counts.filled())
                            : "no pair was made across them (--fill linear fills in short gaps)");
        }
        long gaps = stream.trajectories().gaps();
        if (gaps > 0) {
            console.say(
                    "%s between rows, across which no pair was made%s.",
                    Numbers.counted(gaps, "gap"),
                    gaps > run.rows() / 10
                            ? "; if such rows do follow each other, set --max-gap, e.g. --max-gap 2h; if times are"
                                    + " irregular, --resample makes regular rows ('koop look' proposes how)"
                            : "");
        }
        long leftOut = stream.trajectories().late() + stream.trajectories().duplicates();
        if (leftOut > 0) {
            console.say("Late or duplicate rows, skipped: %,d.", leftOut);
        }
        if (choice != null && choice.isChosen()) {
            console.say(
                    "On %,d held-out pairs: one-step forecast error %.3g times that of persistence (lambda %s); lambda"
                            + " for spectra %s.",
                    choice.heldOut(),
                    choice.forecastError(),
                    Numbers.shortest(choice.forecast()),
                    Numbers.shortest(choice.spectrum()));
            if (choice.isAtEdge()) {
                console.say("A lambda is at the end of the grid: a better one may lie beyond it.");
            }
        }
        if (conclusion.isJudged()) {
            console.say(
                    "Eigenvalues, validated on held-out pairs%s:",
                    clock.isDated()
                            ? ""
                            : " (time scales in " + (clock.isTold() ? "units of the data's time" : "steps") + ")");
            table.print(console);
        }
        console.say(conclusion.sentence());
        if (!accuracy.isEmpty()) {
            accuracy.print(console, clock);
        }
        if (summary != null) {
            console.say("Scores, computed before each row was learned:");
            summary.say(console);
        }
        console.say("Model: %s   (next: koop %s %s)", file, clock.isDated() ? "forecast" : "spectrum", file);
        if (report != null) {
            console.say("Report: %s", report);
        }
    }
}
