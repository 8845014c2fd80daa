package io.koopstream.cli.plot;

import io.koopstream.control.Formula;
import java.awt.Paint;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** A controller on the states it knows: one dot each, coloured by value and, beside it, by action. */
public final class ControlPlot {

    private static final double DATA_WIDTH = 150;

    private ControlPlot() {}

    /**
     * @param axes two formulas over the state
     * @param states one per row
     * @param values expected discounted cost, one per state
     * @param actionNames names of the action's coordinates
     * @param actions one row a state
     */
    public static Figure of(
            List<Formula> axes, double[][] states, double[] values, List<String> actionNames, double[][] actions) {
        List<JFreeChart> charts = new ArrayList<>();
        charts.add(panel(axes, states, values, "Expected discounted cost", true));
        for (int c = 0; c < actionNames.size(); c++) {
            double[] column = new double[actions.length];
            for (int i = 0; i < column.length; i++) {
                column[i] = actions[i][c];
            }
            charts.add(panel(axes, states, column, "Action: " + actionNames.get(c), false));
        }
        return Figure.rows(charts, DATA_WIDTH, 1);
    }

    private static JFreeChart panel(
            List<Formula> axes, double[][] states, double[] heights, String title, boolean sequential) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        XYSeries dots = Charts.series(title);
        for (int i = 0; i < states.length; i++) {
            dots.add(axes.get(0).at(states[i]), axes.get(1).at(states[i]));
            low = Math.min(low, heights[i]);
            high = Math.max(high, heights[i]);
        }
        double largest = Math.max(Math.max(Math.abs(low), Math.abs(high)), 1e-12);
        PaintScale scale =
                sequential ? Palette.sequential(low, Math.max(high, low + 1e-12)) : Palette.diverging(largest);
        XYPlot plot = Charts.plot(
                Charts.axis(axes.get(0).toString()), Charts.axis(axes.get(1).toString()));
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true) {
            private static final long serialVersionUID = 1L;

            @Override
            public Paint getItemPaint(int row, int column) {
                return scale.getPaint(heights[column]);
            }
        };
        renderer.setSeriesShape(0, Charts.dot(4));
        Charts.add(plot, new XYSeriesCollection(dots), renderer);
        JFreeChart chart = Charts.chart(plot, title);
        chart.addSubtitle(SpectrumPlot.colourBar(scale, null));
        return chart;
    }
}
