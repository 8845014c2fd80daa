package io.koopstream.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;

/** What becomes of a controller stage by stage: distributions of scores, and curves. */
public final class StagePlot {

    private static final double LEFT = 40;
    private static final double WIDTH = 330;

    private StagePlot() {}

    /**
     * The distribution of scores in one stage.
     *
     * @param low lower end of the interval that holds 95 %
     * @param high its upper end
     */
    public record Spread(int stage, double median, double low, double high, double min, double max) {}

    /**
     * Stages of one method.
     *
     * @param title what the method is
     * @param stages its stages
     */
    public record Panel(String title, List<Spread> stages) {}

    /**
     * Curves over one horizontal axis.
     *
     * @param name for the legend
     * @param points rows (x, y)
     */
    public record Curve(String name, List<double[]> points) {}

    /** Panels below each other: white dots are medians, bars 95 %, whiskers extremes; the grey band and line are the reference's. */
    public static Figure scores(List<Panel> panels, Spread reference, int lastStage) {
        double lowest = reference.min();
        for (Panel panel : panels) {
            for (Spread spread : panel.stages()) {
                lowest = Math.min(lowest, spread.min());
            }
        }
        List<JFreeChart> charts = new ArrayList<>();
        for (int i = 0; i < panels.size(); i++) {
            charts.add(scores(panels.get(i), reference, lastStage, lowest, i));
        }
        return Figure.column(charts, WIDTH, 112);
    }

    private static JFreeChart scores(Panel panel, Spread reference, int lastStage, double lowest, int colour) {
        NumberAxis x = Charts.axis("stage", -0.7, lastStage + 0.7);
        x.setTickUnit(new NumberTickUnit(lastStage > 10 ? 2 : 1));
        NumberAxis y = Charts.axis("score", 1.04 * lowest, 60);
        XYPlot plot = plot(x, y);
        IntervalMarker band = new IntervalMarker(reference.low(), reference.high(), Palette.EMPTY);
        band.setAlpha(0.7f);
        plot.addRangeMarker(band, Layer.BACKGROUND);
        plot.addRangeMarker(new ValueMarker(reference.median(), Palette.INK, new BasicStroke(0.7f)), Layer.BACKGROUND);
        for (Spread spread : panel.stages()) {
            line(plot, spread.stage(), spread.min(), spread.max(), 0.8f, Palette.distinct(colour));
            line(plot, spread.stage(), spread.low(), spread.high(), 5f, Palette.distinct(colour));
        }
        XYSeries medians = Charts.series("median");
        panel.stages().forEach(spread -> medians.add(spread.stage(), spread.median()));
        XYLineAndShapeRenderer dots = Charts.add(plot, medians, false, true);
        dots.setSeriesShape(0, Charts.dot(3.6));
        dots.setSeriesPaint(0, Color.WHITE);
        dots.setUseOutlinePaint(true);
        dots.setSeriesOutlinePaint(0, Palette.INK);
        dots.setSeriesOutlineStroke(0, new BasicStroke(0.5f));
        return Charts.chart(plot, panel.title());
    }

    private static void line(XYPlot plot, int stage, double from, double to, float width, Color colour) {
        XYSeries ends = Charts.series("stage " + stage);
        ends.add(stage, from);
        ends.add(stage, to);
        XYLineAndShapeRenderer renderer = Charts.add(plot, ends, true, false);
        renderer.setSeriesPaint(0, colour);
        renderer.setSeriesStroke(0, new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
    }

    /**
     * Curves with dots, in one chart.
     *
     * @param reference a horizontal line, or NaN for none
     */
    public static Figure curves(String xName, String yName, List<Curve> curves, double reference) {
        NumberAxis x = Charts.axis(xName);
        x.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
        x.setLowerMargin(0.03);
        x.setUpperMargin(0.03);
        XYPlot plot = plot(x, Charts.axis(yName));
        if (!Double.isNaN(reference)) {
            plot.addRangeMarker(new ValueMarker(reference, Palette.INK, new BasicStroke(0.7f)), Layer.BACKGROUND);
        }
        for (int i = 0; i < curves.size(); i++) {
            XYSeries series = Charts.series(curves.get(i).name());
            curves.get(i).points().forEach(point -> series.add(point[0], point[1]));
            XYLineAndShapeRenderer renderer = Charts.add(plot, series, true, true);
            renderer.setSeriesPaint(0, Palette.distinct(i));
            renderer.setSeriesShape(0, Charts.dot(3));
        }
        JFreeChart chart = Charts.chart(plot, null);
        Charts.addLegend(chart);
        return Figure.of(chart, WIDTH, 200);
    }

    private static XYPlot plot(NumberAxis x, NumberAxis y) {
        XYPlot plot = Charts.plot(x, y);
        AxisSpace space = new AxisSpace();
        space.setLeft(LEFT);
        plot.setFixedRangeAxisSpace(space);
        return plot;
    }
}
