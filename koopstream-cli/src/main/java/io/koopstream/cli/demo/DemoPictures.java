package io.koopstream.cli.demo;

import io.koopstream.answers.Clock;
import io.koopstream.cli.ask.EigenfunctionMaps;
import io.koopstream.cli.plot.Figure;
import io.koopstream.cli.plot.ForecastPlot;
import io.koopstream.cli.plot.LearningPlot;
import io.koopstream.cli.plot.PlanePlot;
import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.forecast.Forecast;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.Spectrum;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The pictures of the demo. */
final class DemoPictures {

    /** Name and what it shows. */
    static final List<String[]> CONTENTS = List.of(
            new String[] {"spectrum", "eigenvalues on the unit circle, the exact ones as rings"},
            new String[] {"eigenfunctions", "eigenfunctions 2 to 4 with the dictionary; crosses mark the wells"},
            new String[] {"sets", "the four metastable sets found from them"},
            new String[] {"learning", "dictionary size and one-step error over the stream"},
            new String[] {"forecast", "expected path with spread, over simulated paths in grey"});

    /** The name of the model file beside the pictures. */
    static final String MODEL = "model.safetensors";

    private static final double[][] WELLS = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    private static final double[] FORECAST_START = {0.3, -1.5};
    private static final int FORECAST_STEPS = 30;
    private static final int FORECAST_PATHS = 40;

    private DemoPictures() {}

    static List<String> files() {
        List<String> files = new ArrayList<>();
        for (String[] picture : CONTENTS) {
            files.add(picture[0] + ".png");
            files.add(picture[0] + ".svg");
        }
        return files;
    }

    static void write(Demo demo, Path folder) throws IOException {
        KoopmanOperator operator = demo.operator();
        Spectrum many = Spectrum.leading(operator, Demo.DRAWN_EIGENVALUES);
        double[][] exact = demo.system().exactEigenvalues(many.size()).orElseThrow();
        SpectrumPlot.of(many.eigenvalues(), null, exact, null).write(folder, "spectrum");
        Slice slice = new Slice(0, 1, new double[2], new double[] {-2, -2}, new double[] {2, 2}, "x₁", "x₂");
        double[][] grid = slice.points();
        EigenfunctionMaps.of(operator, demo.spectrum(), slice, 1, 3, WELLS).write(folder, "eigenfunctions");
        MetastableSets sets = MetastableSets.of(operator, WELLS.length, demo.states(), demo.seed());
        PlanePlot.sets(slice, WELLS.length, sets.assign(grid), operator.inputPoints(), WELLS)
                .write(folder, "sets");
        LearningPlot.of(demo.curve()).write(folder, "learning");
        forecast(demo).write(folder, "forecast");
    }

    private static Figure forecast(Demo demo) {
        Forecast forecast = demo.forecast(FORECAST_START, FORECAST_STEPS);
        double[][][] paths = new double[FORECAST_PATHS][FORECAST_STEPS + 1][];
        for (int i = 0; i < FORECAST_PATHS; i++) {
            var random = io.koopstream.systems.TrajectoryStreams.of(demo.seed() + 1, i);
            double[] state = FORECAST_START.clone();
            for (int s = 0; s <= FORECAST_STEPS; s++) {
                paths[i][s] = state.clone();
                demo.system().step(state, random);
            }
        }
        return ForecastPlot.of(forecast, Clock.of(demo.system().dt()), List.of("x₁", "x₂"), List.of(), paths);
    }
}
