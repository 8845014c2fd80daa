package io.koopstream.cli.plot;

import io.koopstream.forecast.PathForecast;
import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** A forecast as a fan: the expected path of every coordinate with one and two standard deviations around it. */
public final class ForecastPlot {

    private static final int MAX_PANELS = 6;

    private ForecastPlot() {}

    /**
     * @param start where it starts
     * @param forecast the path
     * @param dt time between steps
     * @param timeName label of the time axis, with its unit
     * @param names of the coordinates
     * @param paths simulated paths for comparison, [path][step 0..][coordinate]; may be empty
     */
    public static Figure of(
            double[] start, PathForecast forecast, double dt, String timeName, List<String> names, double[][][] paths) {
        int panels = Math.min(start.length, MAX_PANELS);
        List<JFreeChart> charts = new ArrayList<>();
        for (int c = 0; c < panels; c++) {
            boolean last = c == panels - 1;
            var x = Charts.axis(last ? timeName : null, 0, forecast.steps() * dt);
            XYPlot plot = Charts.plot(x, Charts.axis(names.get(c)));
            addPaths(plot, paths, c, dt);
            addFan(plot, start, forecast, c, dt);
            AxisSpace space = new AxisSpace();
            space.setLeft(34);
            plot.setFixedRangeAxisSpace(space);
            JFreeChart chart = Charts.chart(plot, c == 0 ? "Forecast: mean, 1 and 2 standard deviations" : null);
            charts.add(chart);
        }
        return Figure.column(charts, Figure.COLUMN, 115);
    }

    private static void addFan(XYPlot plot, double[] start, PathForecast forecast, int c, double dt) {
        for (int deviations = 2; deviations >= 1; deviations--) {
            YIntervalSeries band = new YIntervalSeries("mean");
            band.add(0, start[c], start[c], start[c]);
            for (int s = 1; s <= forecast.steps(); s++) {
                double mean = forecast.mean(s)[c];
                double half = deviations * forecast.spread(s)[c];
                band.add(s * dt, mean, mean - half, mean + half);
            }
            YIntervalSeriesCollection data = new YIntervalSeriesCollection();
            data.addSeries(band);
            DeviationRenderer renderer = new DeviationRenderer(deviations == 1, false);
            renderer.setSeriesPaint(0, Palette.distinct(0));
            renderer.setSeriesFillPaint(0, Palette.distinct(0));
            renderer.setSeriesStroke(0, new BasicStroke(1.4f));
            renderer.setAlpha(0.16f);
            Charts.add(plot, data, renderer);
        }
    }

    private static void addPaths(XYPlot plot, double[][][] paths, int c, double dt) {
        for (double[][] path : paths) {
            XYSeries series = Charts.series("path");
            for (int s = 0; s < path.length; s++) {
                series.add(s * dt, path[s][c]);
            }
            XYLineAndShapeRenderer renderer = Charts.add(plot, series, true, false);
            renderer.setSeriesPaint(0, Palette.FAINT);
            renderer.setSeriesStroke(0, new BasicStroke(0.4f));
        }
    }
}
