package io.koopstream.cli;

import io.koopstream.io.samples.LookaheadReader;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelGuess;
import io.koopstream.kernel.Kernels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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

    private static final int ROWS_AHEAD = 1000;

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

    @Option(names = "--dt", paramLabel = "T", description = "usual time between rows, where a column 'time' has gaps")
    private Double dt;

    @Option(names = "--skip-bad", description = "skip rows that cannot be used, and count them")
    private boolean skipBad;

    @Option(names = "--every", paramLabel = "N", description = "save and print a status line every N samples")
    private Long every;

    @Option(names = "--report", paramLabel = "F.html", description = "also write a report that needs no other file")
    private Path report;

    @Mixin
    private MethodOptions method;

    @Mixin
    private Output output;

    LearnCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        method.check();
        if (every != null && every < 1) {
            throw CommandFailure.data("--every " + every + ": must be at least 1");
        }
        output.requireFree(file);
        output.requireFree(report);
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw CommandFailure.file(file + ": its folder does not exist; create it first");
        }
        Data rows = new Data(console, skipBad);
        try (SampleReader reader = open(rows)) {
            String reason = "asked for";
            Kernel kernel;
            SampleReader source = reader;
            if (method.kernel() != null) {
                kernel = Kernels.parse(method.kernel());
            } else {
                LookaheadReader ahead = new LookaheadReader(reader, ROWS_AHEAD);
                source = ahead;
                kernel = guess(ahead);
                reason = "guessed from the first rows: " + String.join("; ", KernelGuess.reasons());
                console.tell("kernel %s, from distances in the first rows (--kernel sets another)", kernel.text());
            }
            Training training = method.start(reader.names().size(), kernel);
            training.warnings().forEach(warning -> console.tell("koop: note: " + warning));
            LearnRun run = new LearnRun(console, training, rows, method.maxDictionary());
            run.saveTo(file, every == null ? Long.MAX_VALUE : every);
            run.over(source, dt == null ? Double.NaN : dt);
            finish(run, training, reader, reason);
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

    private static Kernel guess(LookaheadReader ahead) {
        double[][] states = ahead.states();
        if (states.length < 2) {
            // Nothing to guess from; any kernel will do for the error that comes when the rows are read.
            return Kernels.gaussian(1);
        }
        return KernelGuess.from(states);
    }

    private void finish(LearnRun run, Training training, SampleReader reader, String kernelReason) throws IOException {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("samples", training.samples());
        result.put("dictionary", training.dictionarySize());
        result.put("seconds", run.seconds());
        result.put("samplesPerSecond", training.samples() / run.seconds());
        result.put("norm", training.snapshot().norm());
        result.put("oneStepError", training.curve().error());
        result.put("rows", run.rows());
        result.put("skipped", run.skipped());
        result.put("gaps", run.gaps());
        result.put("method", method.method());
        result.put("kernel", training.input().kernel().text());
        result.put("model", file.toString());
        if (report != null) {
            Report.write(report, training, reader, method.explained(training, kernelReason), result);
            result.put("report", report.toString());
        }
        if (output.json()) {
            console.out().print(Json.text(result));
            return;
        }
        console.say(
                "Learned from %,d samples in %.1f s (%,.0f a second); the dictionary keeps %,d; one-step error %.3f.",
                training.samples(),
                run.seconds(),
                training.samples() / run.seconds(),
                training.dictionarySize(),
                training.curve().error());
        if (run.gaps() > 0) {
            console.say("%,d rows did not follow the one before (gaps): no pair was made across them.", run.gaps());
        }
        console.say("Model: %s   (next: koop spectrum %s)", file, file);
        if (report != null) {
            console.say("Report: %s", report);
        }
    }
}
