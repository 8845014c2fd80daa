package io.koopstream.cli.plot;

import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYSeries;

/** The courses of columns over rows, one below another. */
public final class CoursePlot {

    private static final double HEIGHT = 70;

    private CoursePlot() {}

    /**
     * @param names of the columns
     * @param courses values of each; NaN leaves a gap
     * @param rows how many rows lie between two values
     */
    public static Figure of(List<String> names, List<double[]> courses, double rows) {
        List<JFreeChart> charts = new ArrayList<>();
        for (int c = 0; c < names.size(); c++) {
            XYSeries line = Charts.series(names.get(c));
            double[] course = courses.get(c);
            for (int i = 0; i < course.length; i++) {
                line.add((i + 0.5) * rows, course[i]);
            }
            XYPlot plot = Charts.plot(Charts.axis(c == names.size() - 1 ? "row" : null), Charts.axis(null));
            Charts.add(plot, line, true, false)
                    .setSeriesStroke(0, new BasicStroke(0.7f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            charts.add(Charts.chart(plot, names.get(c)));
        }
        return Figure.column(charts, Figure.COLUMN, HEIGHT);
    }
}
