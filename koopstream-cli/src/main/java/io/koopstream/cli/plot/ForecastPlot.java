package io.koopstream.cli.plot;

import io.koopstream.answers.Clock;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.Peak;
import io.koopstream.rows.Observation;
import java.awt.BasicStroke;
import java.awt.geom.Ellipse2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** A forecast as a fan: the expected path of every coordinate with bands around it, and dots where its futures gather in more than one place. */
public final class ForecastPlot {

    private static final int MAX_PANELS = 6;
    private static final double[] BANDS = {0.95, 0.8, 0.5};

    private ForecastPlot() {}

    /**
     * @param forecast the path
     * @param clock how times are told
     * @param names of the coordinates
     * @param past rows up to the start, oldest first; may be empty
     * @param paths simulated paths for comparison, [path][step 0..][coordinate]; may be empty
     */
    public static Figure of(
            Forecast forecast, Clock clock, List<String> names, List<Observation> past, double[][][] paths) {
        // As long as the fan, so that neither is squeezed.
        List<Observation> shown = past.subList(Math.max(0, past.size() - 1 - forecast.steps()), past.size());
        int before = Math.max(0, shown.size() - 1);
        int panels = Math.min(forecast.dimension(), MAX_PANELS);
        boolean banded = forecast.bandSource() != Forecast.BandSource.UNKNOWN;
        boolean dated = clock.isDated() && !Double.isNaN(forecast.time(0));
        double dt = dated ? 1 : clock.dtInUnits();
        List<JFreeChart> charts = new ArrayList<>();
        for (int c = 0; c < panels; c++) {
            NumberAxis x = dated
                    ? Charts.told(
                            null,
                            -before,
                            forecast.steps(),
                            step -> clock.at(step < 0 ? shown.get(before + step).time() : forecast.time(step)))
                    : Charts.axis(c == panels - 1 ? clock.unit() : null, -before * dt, forecast.steps() * dt);
            XYPlot plot = Charts.plot(x, Charts.axis(names.get(c)));
            addPaths(plot, paths, c, dt);
            addPast(plot, shown, c, dt);
            addFan(plot, forecast, c, dt, banded);
            addPeaks(plot, forecast, c, dt);
            AxisSpace space = new AxisSpace();
            space.setLeft(34);
            plot.setFixedRangeAxisSpace(space);
            JFreeChart chart = Charts.chart(
                    plot, c == 0 ? (banded ? "Forecast: mean with bands of 50, 80 and 95 %" : "Forecast: mean") : null);
            charts.add(chart);
        }
        return Figure.column(charts, Figure.COLUMN, 115);
    }

    private static void addFan(XYPlot plot, Forecast forecast, int c, double dt, boolean banded) {
        for (int b = banded ? 0 : BANDS.length - 1; b < BANDS.length; b++) {
            double tail = (1 - BANDS[b]) / 2;
            YIntervalSeries band = new YIntervalSeries("mean");
            double start = forecast.start()[c];
            band.add(0, start, start, start);
            for (int s = 1; s <= forecast.steps(); s++) {
                double mean = forecast.mean(s)[c];
                band.add(
                        s * dt,
                        mean,
                        banded ? forecast.quantile(s, c, tail) : mean,
                        banded ? forecast.quantile(s, c, 1 - tail) : mean);
            }
            YIntervalSeriesCollection data = new YIntervalSeriesCollection();
            data.addSeries(band);
            DeviationRenderer renderer = new DeviationRenderer(b == BANDS.length - 1, false);
            renderer.setSeriesPaint(0, Palette.distinct(0));
            renderer.setSeriesFillPaint(0, Palette.distinct(0));
            renderer.setSeriesStroke(0, new BasicStroke(1.4f));
            renderer.setAlpha(0.16f);
            Charts.add(plot, data, renderer);
        }
    }

    /** Where futures gather in more than one place: a dot each, larger where more of them are. */
    private static void addPeaks(XYPlot plot, Forecast forecast, int c, double dt) {
        int every = Math.max(1, forecast.steps() / 20);
        for (int s = every; s <= forecast.steps(); s += every) {
            List<Peak> peaks = forecast.modes(s, c);
            for (Peak peak : peaks.size() > 1 ? peaks : List.<Peak>of()) {
                XYSeries dot = Charts.series("peak");
                dot.add(s * dt, peak.value());
                XYLineAndShapeRenderer renderer = Charts.add(plot, dot, false, true);
                double size = 2 + 5 * peak.mass();
                renderer.setSeriesShape(0, new Ellipse2D.Double(-size / 2, -size / 2, size, size));
                renderer.setSeriesPaint(0, Palette.distinct(1));
            }
        }
    }

    private static void addPast(XYPlot plot, List<Observation> past, int c, double dt) {
        XYSeries series = Charts.series("past");
        for (int i = 0; i < past.size(); i++) {
            series.add((i + 1 - past.size()) * dt, past.get(i).values()[c]);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, series, true, false);
        renderer.setSeriesPaint(0, Palette.INK);
        renderer.setSeriesStroke(0, new BasicStroke(1f));
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
