package io.koopstream.cli.plot;

import io.koopstream.forecast.ForecastRecord.Accuracy;
import io.koopstream.forecast.ForecastRecord.Member;
import java.awt.BasicStroke;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** Errors of forecasts over the horizon, beside those of baselines. */
public final class AccuracyPlot {

    private AccuracyPlot() {}

    /**
     * @param judged by horizon, ascending; at least one
     * @param dt time of a step
     * @param unit of horizons, for the axis
     */
    public static Figure of(List<Accuracy> judged, double dt, String unit) {
        LogAxis horizontal = Charts.logarithmic(
                unit.replaceFirst("\\w+", "$0 ahead"),
                0.9 * judged.get(0).horizon() * dt,
                1.1 * judged.get(judged.size() - 1).horizon() * dt);
        XYPlot plot = Charts.plot(horizontal, Charts.axis("error / standard deviation"));
        add(plot, judged, "forecast", 0, dt, Accuracy::error);
        add(plot, judged, "last row", 1, dt, one -> one.least(Member.LAST_ROW));
        if (judged.stream().anyMatch(one -> one.errors().containsKey(Member.SEASON))) {
            add(plot, judged, "last period", 2, dt, one -> one.least(Member.SEASON));
        }
        add(plot, judged, "regression", 3, dt, one -> one.least(Member.LEVELS, Member.INCREMENTS));
        JFreeChart chart = Charts.chart(plot, null);
        Charts.addLegend(chart);
        return Figure.withAspect(chart, Figure.COLUMN, 0.62);
    }

    private static void add(
            XYPlot plot, List<Accuracy> judged, String name, int colour, double dt, ToDoubleFunction<Accuracy> error) {
        XYSeries curve = Charts.series(name);
        judged.forEach(one -> curve.add(one.horizon() * dt, error.applyAsDouble(one)));
        XYLineAndShapeRenderer renderer = Charts.add(plot, curve, true, true);
        renderer.setSeriesPaint(0, Palette.distinct(colour));
        renderer.setSeriesStroke(0, new BasicStroke(colour == 0 ? 1.6f : 0.9f));
    }
}
