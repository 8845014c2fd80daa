package io.koopstream.cli;

import io.koopstream.io.Json;
import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.LookaheadReader;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.LambdaChoice;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.operator.Pruning;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.VampScores;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.Proposal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop learn}. */
@Command(
        name = "learn",
        mixinStandardHelpOptions = true,
        description = "Learns a model from samples in one pass.",
        footer = {
            "",
            "Example:  koop learn wells.csv -o wells.safetensors",
            "          tail -n +1 -f sensor.csv | koop learn - -o sensor.safetensors --every 1000",
            "Data: CSV with a header, NPY, NPZ, Parquet or JSON lines; '-' is CSV or JSON lines on standard input."
        })
final class LearnCommand implements Callable<Integer> {

    /** Eigenvalues that are judged on pairs kept aside, and shown in the report. */
    private static final int EIGENVALUES = 8;

    private static final int MAX_SHOWN = 100;

    private final Console console;

    @Parameters(paramLabel = "DATA", description = "file with samples, or '-' for standard input")
    private Path data;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "MODEL",
            description = "model file to write")
    private Path file;

    @Option(names = "--next", paramLabel = "Y.npy", description = "next states, row by row, for DATA of states")
    private Path next;

    @Option(
            names = "--names",
            paramLabel = "A,B",
            description = "names of the coordinates; default: those of the data, x1,x2,... where it has none")
    private String names;

    @Option(names = "--dt", paramLabel = "T", description = "usual time between rows, where a column 'time' has gaps")
    private Double dt;

    @Option(
            names = "--delays",
            paramLabel = "K",
            description =
                    "a state is a row and K earlier ones, for systems that are observed in part; default: chosen from the first samples, 0 with --kernel")
    private Integer delays;

    @Option(
            names = "--stride",
            paramLabel = "S",
            defaultValue = "1",
            description = "rows between those of --delays; default: ${DEFAULT-VALUE}")
    private int stride;

    @Option(names = "--skip-bad", description = "skip rows that cannot be used, and count them")
    private boolean skipBad;

    @Option(
            names = "--use-all",
            description =
                    "at the end learn the pairs too that were kept aside (the last 2000 or so); lambda stays the one they chose for spectra")
    private boolean useAll;

    @Option(names = "--every", paramLabel = "N", description = "save and print a status line every N samples")
    private Long every;

    @Option(names = "--report", paramLabel = "F.html", description = "also write a report that needs no other file")
    private Path report;

    @Mixin
    private MethodOptions method;

    @Mixin
    private WarmUp warmUp;

    @Mixin
    private WatchOptions watch;

    @Mixin
    private Output output;

    private ChosenSettings settings;

    LearnCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        method.check();
        warmUp.check();
        watch.check(method.method(), method.holdsOut());
        if (every != null) {
            Output.requireAtLeastOne("--every", every);
        }
        if (delays() < 0 || delays() > 1000 || stride < 1 || stride > 10_000) {
            throw CommandFailure.data("--delays " + delays() + " --stride " + stride
                    + ": delays must be 0 to 1000, the stride 1 to 10000");
        }
        output.requireFree(file);
        output.requireFree(report);
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw CommandFailure.file(file + ": its folder does not exist; create it first");
        }
        Data rows = new Data(console, skipBad);
        try (SampleReader reader = open(rows)) {
            StateLabels labels = labels(reader, delays());
            LearnRun run = new LearnRun(console, rows, reader, seen -> start(reader, labels, seen));
            run.saveTo(file, every == null ? Long.MAX_VALUE : every);
            run.interval(dt == null ? Double.NaN : dt);
            boolean proposes = method.wantsProposal();
            if (proposes && Output.isStandard(data)) {
                console.tell(
                        "koop: choosing settings from the first %,d rows; with --kernel learning starts at once",
                        warmUp.rows(reader.names().size(), true));
            }
            run.over(proposes ? warmUp.rows(reader.names().size(), Output.isStandard(data)) : 0);
            finish(run, reader);
        }
        return Exit.FINE;
    }

    private SampleReader open(Data rows) throws IOException {
        if (next == null) {
            return rows.open(data);
        }
        if (Output.isStandard(data)) {
            throw CommandFailure.usage("--next needs DATA to be an NPY file, not standard input");
        }
        return SampleReaders.pairs(data, next);
    }

    private int delays() {
        return delays == null ? 0 : delays;
    }

    private StateLabels labels(SampleReader reader, int held) {
        List<String> own = reader.names();
        if (names != null) {
            own = Arrays.stream(names.split(",", -1)).map(String::strip).toList();
            if (own.size() != reader.names().size()) {
                throw CommandFailure.data("--names " + names + ": " + own.size() + " names, a row of " + reader.source()
                        + " has " + reader.names().size() + " coordinates");
            }
        }
        try {
            return new StateLabels(own, held, stride);
        } catch (IllegalArgumentException e) {
            if (names != null) {
                throw CommandFailure.data("--names " + names + ": " + e.getMessage());
            }
            console.tell("koop: note: " + e.getMessage() + "; the model calls them x1, x2, ...");
            return new StateLabels(List.of(), held, stride);
        }
    }

    private Training start(SampleReader reader, StateLabels given, LookaheadReader seen) {
        Proposal proposal = null;
        StateLabels labels = given;
        if (method.wantsProposal()) {
            boolean chooseDelays = delays == null && stride == 1 && !reader.isPairs();
            proposal = warmUp.propose(seen, labels, dt == null ? Double.NaN : dt, method.maxDictionary(), chooseDelays);
            if (proposal != null && proposal.delays() > 0) {
                labels = labels(reader, proposal.delays());
            }
        }
        int observed = reader.names().size();
        settings = method.settings(DelayEmbedding.dimension(observed, labels.delays()), observed, proposal);
        if (proposal != null) {
            console.tell("Settings from the first samples (override with the option of that name):");
            if (proposal.delays() > 0) {
                console.tell("  delays = %d: they lower the error of the forecast", proposal.delays());
            }
            settings.explained()
                    .forEach(setting -> console.tell(
                            "  %s = %s: %s", setting.name(), shortened(setting.value()), setting.reason()));
        }
        if (proposal != null) {
            proposal.warnings().forEach(warning -> console.tell("koop: note: " + warning));
        }
        Training training = new Training(settings, labels, watch);
        training.warnings().forEach(warning -> console.tell("koop: note: " + warning));
        return training;
    }

    /** A kernel of many coordinates has as many scales: nobody reads those here; the model and the report hold them all. */
    private static String shortened(String value) {
        return value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN - 3) + "...";
    }

    private void finish(LearnRun run, SampleReader reader) throws IOException {
        Training training = run.training();
        Spectrum spectrum = Spectrum.upTo(training.snapshot(), EIGENVALUES);
        TrustReport trust = training.trust(spectrum, watch.rule()).orElse(null);
        VampScores scores = training.scores(spectrum).orElse(null);
        LambdaChoice choice =
                training.statistics().map(LeastSquaresState::choice).orElse(null);
        if (useAll) {
            training.useAll();
            training.save(file);
        }
        EigenvalueTable table = new EigenvalueTable(spectrum, trust, 1);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("samples", training.samples());
        result.put("dictionary", training.snapshot().dictionarySize());
        result.put("seconds", run.seconds());
        result.put("samplesPerSecond", training.samples() / run.seconds());
        Pruning pruning = training.snapshot().pruning();
        result.put("removals", pruning.removals());
        result.put("refusals", pruning.refusals());
        result.put("errorBound", pruning.errorBound());
        result.put("norm", training.snapshot().norm());
        result.put("oneStepError", training.curve().error());
        result.put("rows", run.rows());
        result.put("skipped", run.skipped());
        result.put("gaps", run.gaps());
        result.put("method", method.method());
        result.put("kernel", training.input().kernel().text());
        result.put("names", training.names());
        if (choice != null) {
            result.put("heldOut", training.heldOut());
            result.put("delays", training.labels().delays());
            result.put("lambdaForSpectrum", choice.spectrum());
            result.put("lambdaForForecast", choice.forecast());
            result.put("forecastErrorOverPersistence", choice.forecastError());
            result.put("vamp2", scores == null ? Double.NaN : scores.vamp2());
            result.put("vampE", scores == null ? Double.NaN : scores.vampE().orElse(Double.NaN));
        }
        result.put("model", file.toString());
        if (report != null) {
            Report.write(
                    report,
                    new Report.Content(training, reader, settings, spectrum, table, run.drifts(), choice),
                    result);
            result.put("report", report.toString());
        }
        if (output.json()) {
            result.put("eigenvalues", table.json());
            if (watch.watchesDrift()) {
                result.put("drift", drifts(run));
            }
            result.put("settings", explained());
            console.out().print(Json.text(result));
            return;
        }
        console.say(
                "Learned from %,d samples in %.1f s (%,.0f a second); the dictionary keeps %,d; one-step error %.3f.",
                training.samples(),
                run.seconds(),
                training.samples() / run.seconds(),
                training.snapshot().dictionarySize(),
                training.curve().error());
        if (pruning.removals() + pruning.refusals() > 0) {
            console.say("The dictionary was full: " + Model.pruned(pruning) + ".");
        }
        if (run.gaps() > 0) {
            console.say("%,d rows did not follow the one before (gaps): no pair was made across them.", run.gaps());
        }
        if (choice != null && choice.isChosen()) {
            console.say(
                    "On %,d pairs kept aside: one step ahead %.3g of persistence's error (lambda %s); lambda for spectra %s.",
                    choice.heldOut(),
                    choice.forecastError(),
                    Numbers.shortest(choice.forecast()),
                    Numbers.shortest(choice.spectrum()));
            if (choice.isAtEdge()) {
                console.say("A lambda sits at the end of the grid that was tried: a better one may lie beyond.");
            }
        }
        if (trust != null) {
            console.say("Eigenvalues, judged on the pairs kept aside (time scales in steps):");
            table.print(console);
        } else if (method.holdsOut()) {
            console.say("Only %,d pairs were kept aside: too few to judge the eigenvalues.", training.heldOut());
        }
        console.say("Model: %s   (next: koop spectrum %s)", file, file);
        if (report != null) {
            console.say("Report: %s", report);
        }
    }

    private static List<Object> drifts(LearnRun run) {
        List<Object> list = new ArrayList<>();
        for (DriftEvent event : run.drifts()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("sample", event.sample());
            entry.put("since", event.since());
            entry.put("errorBefore", event.errorBefore());
            entry.put("errorAfter", event.errorAfter());
            list.add(entry);
        }
        return list;
    }

    private Map<String, Object> explained() {
        Map<String, Object> map = new LinkedHashMap<>();
        settings.explained()
                .forEach(setting ->
                        map.put(setting.name(), Map.of("value", setting.value(), "reason", setting.reason())));
        return map;
    }
}
