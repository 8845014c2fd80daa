package io.koopstream.cli;

import io.koopstream.cli.plot.PseudospectrumPlot;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.io.Json;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Noise;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
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
            "Residual: how exactly the pair solves the learned problem; with --holdout, how well it holds on that data. For a",
            "noisy system it contains the noise; bias is the rest, the model's error. Spread: standard error. Pairs that may be",
            "spurious are flagged with the reason, never left out."
        })
final class SpectrumCommand implements Callable<Integer> {

    /** Enough for a dozen blocks of four. */
    private static final int FEWEST_PAIRS = 48;

    private final Console console;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(names = "-k", paramLabel = "K", defaultValue = "6", description = "how many; default: ${DEFAULT-VALUE}")
    private int count;

    @Option(
            names = "--dt",
            paramLabel = "T",
            defaultValue = "1",
            description = "time between samples; default: ${DEFAULT-VALUE}")
    private double dt;

    @Option(names = "--holdout", paramLabel = "DATA", description = "measure residuals on pairs of this data")
    private Path holdout;

    @Option(names = "--skip-bad", description = "skip rows of the data that cannot be used")
    private boolean skipBad;

    @Option(
            names = "--deterministic",
            description = "the system has no noise: what a residual shows is the model's error, not the system's noise")
    private boolean deterministic;

    @Option(names = "--plot", paramLabel = "F", description = "picture on the unit circle, .png or .svg")
    private Path plot;

    @Option(
            names = "--pseudospectrum",
            paramLabel = "F",
            description = "picture of how nearly every number is an eigenvalue on the data of --holdout, .png or .svg")
    private Path pseudospectrum;

    @Mixin
    private Output output;

    SpectrumCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        output.requirePicture(plot);
        output.requirePicture(pseudospectrum);
        if (holdout == null && (deterministic || pseudospectrum != null)) {
            throw CommandFailure.usage((deterministic ? "--deterministic" : "--pseudospectrum")
                    + " needs --holdout DATA: pairs on which to judge");
        }
        Model model = Model.read(file);
        Spectrum spectrum = Spectrum.leading(model.operator(), count);
        TrustReport trust = null;
        if (holdout != null) {
            PairCollector pairs = pairs(model);
            trust = judged(model, spectrum, pairs);
            if (pseudospectrum != null) {
                PseudospectrumPlot.of(
                                model.operator(),
                                pairs.inputs(),
                                pairs.outputs(),
                                deterministic ? Noise.DETERMINISTIC : Noise.STOCHASTIC,
                                spectrum.eigenvalues())
                        .write(pseudospectrum);
            }
        }
        EigenvalueTable table = new EigenvalueTable(spectrum, trust, dt);
        if (plot != null) {
            SpectrumPlot.of(spectrum.eigenvalues(), trust == null ? null : table.residuals(), null, table.flags())
                    .write(plot);
        }
        if (output.json()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("eigenvalues", table.json());
            result.put("dt", dt);
            result.put("holdout", holdout == null ? null : holdout.toString());
            if (trust != null) {
                result.put("heldOut", trust.heldOut());
            }
            console.out().print(Json.text(result));
            return Exit.FINE;
        }
        table.print(console);
        for (Path picture : new Path[] {plot, pseudospectrum}) {
            if (picture != null) {
                console.say("Picture: %s", picture);
            }
        }
        return Exit.FINE;
    }

    private PairCollector pairs(Model model) throws IOException {
        Data data = new Data(console, skipBad);
        PairCollector pairs = new PairCollector(model.operator().domain());
        try (SampleReader reader = data.open(holdout)) {
            data.requireFitting(reader, model);
            pairs.over(reader, data, model.labels());
        }
        if (pairs.inputs().length < FEWEST_PAIRS) {
            throw CommandFailure.data(holdout + ": holds " + pairs.samples() + " pairs, at least " + FEWEST_PAIRS
                    + " are needed to judge on");
        }
        return pairs;
    }

    private TrustReport judged(Model model, Spectrum spectrum, PairCollector pairs) {
        double[][] x = pairs.inputs();
        double[][] xNext = pairs.outputs();
        TrustRule rule = deterministic ? TrustRule.deterministic() : TrustRule.stochastic();
        // The statistics of Algorithm 1 do not add up, so nothing is known about its spread.
        return model.isLeastSquares()
                ? TrustReport.of(
                        spectrum,
                        EigenvalueSpread.fromHeldOut(spectrum, x, xNext, model.lambda(), model.samples()),
                        x,
                        xNext,
                        rule)
                : TrustReport.of(spectrum, x, xNext, rule);
    }
}
