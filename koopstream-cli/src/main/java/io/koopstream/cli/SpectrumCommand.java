package io.koopstream.cli;

import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.HoldoutResiduals;
import io.koopstream.spectrum.Spectrum;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
            "Residual: how exactly the pair solves the learned problem; with --holdout, how well it holds on that data",
            "(for a noisy system it contains the noise)."
        })
final class SpectrumCommand implements Callable<Integer> {

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

    @Option(names = "--plot", paramLabel = "F", description = "picture on the unit circle, .png or .svg")
    private Path plot;

    @Mixin
    private Output output;

    SpectrumCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        output.requirePicture(plot);
        Model model = Model.read(file);
        Spectrum spectrum = Spectrum.leading(model.operator(), count);
        double[] timescales = spectrum.timescales(dt);
        double[] frequencies = spectrum.frequencies(dt);
        double[] residuals = holdout == null ? backwardErrors(spectrum) : onHoldout(model, spectrum);
        if (plot != null) {
            SpectrumPlot.of(spectrum.eigenvalues(), holdout == null ? null : residuals, null)
                    .write(plot);
        }
        if (output.json()) {
            List<Object> list = new ArrayList<>();
            for (int k = 0; k < spectrum.size(); k++) {
                Complex value = spectrum.eigenvalue(k);
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("re", value.re());
                entry.put("im", value.im());
                entry.put("modulus", value.modulus());
                entry.put("timescale", timescales[k]);
                entry.put("frequency", frequencies[k]);
                entry.put("residual", residuals[k]);
                list.add(entry);
            }
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("eigenvalues", list);
            result.put("dt", dt);
            result.put("holdout", holdout == null ? null : holdout.toString());
            console.out().print(Json.text(result));
        } else {
            console.say("   k   eigenvalue            modulus   time scale   frequency   residual");
            for (int k = 0; k < spectrum.size(); k++) {
                Complex value = spectrum.eigenvalue(k);
                console.say(
                        "  %2d   %-20s %8.4f %12s %11.4f   %8.1e",
                        k + 1,
                        Numbers.complex(value),
                        value.modulus(),
                        Numbers.timescale(timescales[k]),
                        frequencies[k],
                        residuals[k]);
            }
            if (plot != null) {
                console.say("Picture: %s", plot);
            }
        }
        return Exit.FINE;
    }

    private static double[] backwardErrors(Spectrum spectrum) {
        double[] errors = new double[spectrum.size()];
        for (int k = 0; k < errors.length; k++) {
            errors[k] = spectrum.backwardError(k);
        }
        return errors;
    }

    private double[] onHoldout(Model model, Spectrum spectrum) throws IOException {
        HoldoutResiduals residuals = new HoldoutResiduals(spectrum);
        Data data = new Data(console, skipBad);
        PairCollector pairs = new PairCollector(model.operator().domain(), residuals::add);
        try (SampleReader reader = data.open(holdout)) {
            Data.requireDimension(reader, model.dimension());
            Sample sample = new Sample();
            pairs.over(reader, data, sample);
        }
        if (residuals.pairs() == 0) {
            throw CommandFailure.data(holdout + ": holds no pair to measure on");
        }
        double[] values = new double[spectrum.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = residuals.residual(k);
        }
        return values;
    }
}
