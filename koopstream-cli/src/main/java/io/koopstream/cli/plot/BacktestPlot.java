package io.koopstream.cli.plot;

import io.koopstream.forecast.Backtest.Rival;
import io.koopstream.forecast.BacktestReport;
import java.awt.BasicStroke;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** Errors over the horizon: the model beside its rivals. */
public final class BacktestPlot {

    private BacktestPlot() {}

    /** @param unit what horizons are counted in, for the axis */
    public static Figure of(BacktestReport report, double dt, String unit) {
        int[] horizons = report.horizons();
        LogAxis horizontal = Charts.logarithmic(
                unit.replaceFirst("\\w+", "$0 ahead"),
                0.9 * horizons[0] * dt,
                1.1 * horizons[horizons.length - 1] * dt);
        XYPlot plot = Charts.plot(horizontal, Charts.axis("error / standard deviation"));
        add(plot, report, "model", 0, dt, report::relativeError);
        int colour = 1;
        for (Rival rival : Rival.values()) {
            if (rival != Rival.SEASONAL || report.period() > 0) {
                String name = rival.name().toLowerCase(Locale.ROOT);
                add(plot, report, name, colour, dt, h -> report.relativeError(h, rival));
            }
            colour++;
        }
        JFreeChart chart = Charts.chart(plot, null);
        Charts.addLegend(chart);
        return Figure.withAspect(chart, Figure.COLUMN, 0.62);
    }

    private static void add(
            XYPlot plot, BacktestReport report, String name, int colour, double dt, IntToDoubleFunction error) {
        XYSeries curve = Charts.series(name);
        int[] horizons = report.horizons();
        for (int h = 0; h < horizons.length; h++) {
            curve.add(horizons[h] * dt, error.applyAsDouble(h));
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, curve, true, true);
        renderer.setSeriesPaint(0, Palette.distinct(colour));
        renderer.setSeriesStroke(0, new BasicStroke(colour == 0 ? 1.6f : 0.9f));
    }
}
