package io.koopstream.cli.plot;

import io.koopstream.cli.shell.ScoreSummary;
import io.koopstream.cli.shell.ScoreSummary.Bin;
import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** The course of rows with their scores below it, alarms marked in both. */
public final class ScorePlot {

    private ScorePlot() {}

    /**
     * @param names of the coordinates
     * @param threshold the score from which on there is an alarm
     */
    public static Figure of(ScoreSummary summary, List<String> names, double threshold) {
        List<JFreeChart> charts = new ArrayList<>();
        for (int c = 0; c < summary.coordinates(); c++) {
            XYSeries course = Charts.series(names.get(c));
            for (int i = 0; i < summary.bins().size(); i++) {
                Bin bin = summary.bins().get(i);
                if (bin.low(c) <= bin.high(c)) {
                    course.add(row(summary, i), bin.low(c));
                    course.add(row(summary, i), bin.high(c));
                }
            }
            charts.add(
                    panel(summary, course, names.get(c), c == 0 ? "Rows and their scores; alarms in orange" : null, 0));
        }
        XYSeries scores = Charts.series("score");
        for (int i = 0; i < summary.bins().size(); i++) {
            if (!Double.isNaN(summary.bins().get(i).score())) {
                scores.add(row(summary, i), summary.bins().get(i).score());
            }
        }
        JFreeChart last = panel(summary, scores, "score", null, 2);
        ValueMarker marker = new ValueMarker(threshold, Palette.FAINT, new BasicStroke(0.8f));
        last.getXYPlot().addRangeMarker(marker);
        charts.add(last);
        return Figure.column(charts, Figure.COLUMN, 115);
    }

    private static double row(ScoreSummary summary, int bin) {
        return (double) bin * summary.width() + 1;
    }

    /** Over rows, told by their times where they have some. */
    private static NumberAxis axis(ScoreSummary summary, double rows, String label) {
        List<Bin> bins = summary.bins();
        return bins.isEmpty() || bins.get(0).time().isEmpty()
                ? Charts.axis(label, 1, rows)
                : Charts.told(
                        null,
                        1,
                        rows,
                        row -> bins.get(Math.min(bins.size() - 1, (row - 1) / summary.width()))
                                .time());
    }

    private static JFreeChart panel(ScoreSummary summary, XYSeries series, String name, String title, int colour) {
        double rows = Math.max(2, (double) summary.bins().size() * summary.width());
        XYPlot plot = Charts.plot(axis(summary, rows, name.equals("score") ? "row" : null), Charts.axis(name));
        for (int i = 0; i < summary.bins().size(); i++) {
            if (summary.bins().get(i).alarm()) {
                plot.addDomainMarker(new ValueMarker(row(summary, i), Palette.distinct(1), new BasicStroke(1.0f)));
            }
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, series, true, false);
        renderer.setSeriesPaint(0, Palette.distinct(colour));
        renderer.setSeriesStroke(0, new BasicStroke(0.6f));
        AxisSpace space = new AxisSpace();
        space.setLeft(34);
        plot.setFixedRangeAxisSpace(space);
        return Charts.chart(plot, title);
    }
}
