package io.koopstream.cli.plot;

import io.koopstream.learner.leastsquares.LambdaChoice;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** Errors on held-out pairs over the ridge λ, with the ridges that were chosen. */
public final class LambdaPlot {

    private LambdaPlot() {}

    /** The error of forecasts over persistence's above, the risk that decides for spectra below. */
    public static Figure of(LambdaChoice choice) {
        double[] spectral = choice.longErrors();
        boolean hasLong = spectral.length > 0 && !Double.isNaN(spectral[0]);
        return Figure.column(
                List.of(
                        panel(choice.grid(), choice.forecastErrors(), choice.forecast(), null, "forecast error", 0),
                        panel(
                                choice.grid(),
                                hasLong ? spectral : choice.spectrumErrors(),
                                choice.spectrum(),
                                "lambda",
                                hasLong ? "risk at lag " + LambdaChoice.LONG_LAG : "risk at lag 1",
                                5)),
                Figure.COLUMN,
                110);
    }

    private static JFreeChart panel(
            double[] grid, double[] errors, double chosen, String xName, String yName, int colour) {
        LogAxis horizontal = Charts.logarithmic(xName, grid[grid.length - 1], grid[0]);
        horizontal.setNumberFormatOverride(new DecimalFormat("0E0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        XYPlot plot = Charts.plot(horizontal, Charts.axis(yName));
        XYSeries curve = Charts.series(yName);
        XYSeries mark = Charts.series("chosen");
        for (int g = grid.length - 1; g >= 0; g--) {
            // Beyond what the axis should show: an operator that grows.
            if (errors[g] <= 10 * errors[0]) {
                curve.add(grid[g], errors[g]);
                if (grid[g] == chosen) {
                    mark.add(grid[g], errors[g]);
                }
            }
        }
        XYLineAndShapeRenderer line = Charts.add(plot, curve, true, false);
        line.setSeriesPaint(0, Palette.distinct(colour));
        XYLineAndShapeRenderer dot = Charts.add(plot, mark, false, true);
        dot.setSeriesPaint(0, Palette.distinct(colour));
        var space = new org.jfree.chart.axis.AxisSpace();
        space.setLeft(42);
        plot.setFixedRangeAxisSpace(space);
        return Charts.chart(plot, null);
    }
}
