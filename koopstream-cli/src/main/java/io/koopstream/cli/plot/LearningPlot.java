package io.koopstream.cli.plot;

import io.koopstream.change.LearningCurve;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** How the dictionary grew and the one-step error fell over the stream. */
public final class LearningPlot {

    private LearningPlot() {}

    /** Whether there are enough readings for a picture. */
    public static boolean canShow(LearningCurve curve) {
        return curve.readings().size() >= 2;
    }

    /** The size of the dictionary, and the smoothed one-step error, over the samples learned. */
    public static Figure of(LearningCurve curve) {
        List<LearningCurve.Reading> readings = curve.readings();
        double[] samples =
                readings.stream().mapToDouble(LearningCurve.Reading::pairs).toArray();
        double[] dictionary =
                readings.stream().mapToDouble(LearningCurve.Reading::dictionary).toArray();
        double[] error =
                readings.stream().mapToDouble(LearningCurve.Reading::error).toArray();
        return Figure.column(
                List.of(
                        curve(samples, dictionary, null, "dictionary size", 0),
                        curve(samples, error, "samples", "one-step error", 5)),
                Figure.COLUMN,
                110);
    }

    private static JFreeChart curve(double[] x, double[] y, String xName, String yName, int colour) {
        LogAxis horizontal = Charts.logarithmic(xName, x[0], x[x.length - 1]);
        var vertical = Charts.axis(yName);
        vertical.setAutoRangeIncludesZero(true);
        XYPlot plot = Charts.plot(horizontal, vertical);
        XYSeries series = Charts.series(yName);
        for (int i = 0; i < x.length; i++) {
            series.add(x[i], y[i]);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, series, true, false);
        renderer.setSeriesPaint(0, Palette.distinct(colour));
        // One width for the numbers of both, so that the panels line up.
        var space = new org.jfree.chart.axis.AxisSpace();
        space.setLeft(42);
        plot.setFixedRangeAxisSpace(space);
        return Charts.chart(plot, null);
    }
}
