package io.koopstream.cli.plot;

import java.awt.BasicStroke;
import java.awt.geom.Line2D;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;

/** Functions and sets of one-dimensional states: curves and stripes, with the dictionary as ticks along the axis. */
final class LinePlot {

    /** Between kept samples a function may exceed 1; what lies further out is extrapolation. */
    private static final double FURTHEST = 1.5;

    private LinePlot() {}

    /** Functions as curves on one scale from −1 to 1; NaN leaves a gap. */
    static Figure functions(Slice slice, List<String> titles, List<double[]> values, double[][] dictionary) {
        double reach = 1;
        for (double[] function : values) {
            for (double value : function) {
                reach = Math.min(FURTHEST, Math.max(reach, Math.abs(value)));
            }
        }
        double floor = -1.14 * reach;
        XYPlot plot = Charts.plot(axis(slice), Charts.axis("eigenfunction", floor, 1.06 * reach));
        double[][] points = slice.points();
        for (int f = 0; f < values.size(); f++) {
            XYSeries curve = Charts.series(titles.get(f));
            for (int i = 0; i < points.length; i++) {
                curve.add(points[i][0], values.get(f)[i]);
            }
            XYLineAndShapeRenderer renderer = Charts.add(plot, curve, true, false);
            renderer.setSeriesPaint(0, Palette.distinct(f));
            renderer.setSeriesStroke(0, new BasicStroke(1.3f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        }
        addDictionary(plot, dictionary, floor);
        JFreeChart chart = Charts.chart(plot, null);
        Charts.addLegend(chart);
        return Figure.withAspect(chart, Figure.COLUMN, 0.62);
    }

    /** Sets as stripes. */
    static Figure sets(Slice slice, int count, int[] sets, double[][] dictionary) {
        NumberAxis vertical = Charts.axis(null, 0, 1);
        vertical.setVisible(false);
        XYPlot plot = Charts.plot(axis(slice), vertical);
        double[][] points = slice.points();
        int from = 0;
        for (int i = 1; i <= sets.length; i++) {
            if (i == sets.length || sets[i] != sets[from]) {
                double end = i == sets.length ? slice.high()[0] : (points[i - 1][0] + points[i][0]) / 2;
                double begin = from == 0 ? slice.low()[0] : (points[from - 1][0] + points[from][0]) / 2;
                IntervalMarker stripe = new IntervalMarker(
                        begin, end, sets[from] < 0 ? Palette.EMPTY : Palette.light(Palette.distinct(sets[from])));
                stripe.setAlpha(1f);
                plot.addDomainMarker(stripe, Layer.BACKGROUND);
                from = i;
            }
        }
        addDictionary(plot, dictionary, 0);
        JFreeChart chart = Charts.chart(plot, "Metastable sets");
        PlanePlot.addSetLegend(chart, count);
        return Figure.withAspect(chart, Figure.COLUMN, 0.25);
    }

    private static NumberAxis axis(Slice slice) {
        return Charts.axis(slice.firstName(), slice.low()[0], slice.high()[0]);
    }

    private static void addDictionary(XYPlot plot, double[][] dictionary, double floor) {
        XYSeries ticks = Charts.series("kept samples");
        for (double[] point : dictionary) {
            ticks.add(point[0], floor);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, ticks, false, true);
        renderer.setSeriesShape(0, new Line2D.Double(0, 0, 0, -5));
        renderer.setSeriesStroke(0, new BasicStroke(0.6f));
        renderer.setSeriesPaint(0, Palette.INK);
        renderer.setSeriesVisibleInLegend(0, false);
    }
}
