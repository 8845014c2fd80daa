package io.koopstream.cli.plot;

import java.awt.BasicStroke;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** Curves over a common axis, one or more charts of them. */
public final class CurvePlot {

    private static final int MARGIN_LEFT = 46;
    private static final int MAX_LABELS = 6;

    private CurvePlot() {}

    /** How a curve is drawn. */
    public enum Style {
        /** A line. */
        LINE,
        /** A dashed line, for what is computed and not measured. */
        DASHED,
        /** Dots. */
        DOTS,
        /** Rings, for what is exact. */
        RINGS,
        /** A line that is not named in the legend. */
        UNNAMED
    }

    /** A curve: points with NaN are left out. */
    public static final class Curve {

        private final String name;
        private final double[] x;
        private final double[] y;
        private final Style style;
        private final int colour;

        /**
         * @param name in the legend
         * @param x abscissae
         * @param y ordinates, as many
         * @param style how it is drawn
         * @param colour number of the colour; those of one chart that differ are told apart at a glance
         */
        public Curve(String name, double[] x, double[] y, Style style, int colour) {
            this.name = name;
            this.x = x.clone();
            this.y = y.clone();
            this.style = style;
            this.colour = colour;
        }
    }

    /**
     * A chart.
     *
     * @param title above it
     * @param xName label of the horizontal axis
     * @param yName label of the vertical axis
     * @param logX whether the horizontal axis is logarithmic
     * @param logY whether the vertical axis is logarithmic
     * @param curves drawn in order
     */
    public record Chart(String title, String xName, String yName, boolean logX, boolean logY, List<Curve> curves) {}

    /** Charts in rows of three, or one as wide as a column. */
    public static Figure of(List<Chart> charts) {
        List<JFreeChart> drawn = new ArrayList<>();
        for (Chart chart : charts) {
            drawn.add(draw(chart));
        }
        return drawn.size() == 1 ? Figure.of(drawn.get(0), Figure.COLUMN, 190) : Figure.rows(drawn, 165, 0.8);
    }

    private static JFreeChart draw(Chart chart) {
        XYPlot plot = Charts.plot(
                axis(chart.xName, chart.logX, chart.curves, true), axis(chart.yName, chart.logY, chart.curves, false));
        for (Curve curve : chart.curves) {
            XYSeries series = Charts.series(curve.name);
            for (int i = 0; i < curve.x.length; i++) {
                if (!Double.isNaN(curve.y[i])) {
                    series.add(curve.x[i], curve.y[i]);
                }
            }
            boolean dots = curve.style == Style.DOTS || curve.style == Style.RINGS;
            XYLineAndShapeRenderer renderer = Charts.add(plot, series, !dots, dots);
            renderer.setSeriesPaint(0, Palette.distinct(curve.colour));
            renderer.setSeriesVisibleInLegend(0, curve.style != Style.UNNAMED);
            if (dots) {
                renderer.setSeriesShape(0, Charts.dot(curve.style == Style.RINGS ? 7 : 3.5));
                renderer.setSeriesShapesFilled(0, curve.style == Style.DOTS);
                renderer.setSeriesOutlineStroke(0, new BasicStroke(0.9f));
            } else {
                renderer.setDrawSeriesLineAsPath(true);
                float[] dashes = curve.style == Style.DASHED ? new float[] {3, 2} : null;
                renderer.setSeriesStroke(
                        0, new BasicStroke(1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
            }
        }
        AxisSpace space = new AxisSpace();
        space.setLeft(MARGIN_LEFT);
        plot.setFixedRangeAxisSpace(space);
        JFreeChart drawn = Charts.chart(plot, chart.title);
        if (chart.curves.size() > 1) {
            Charts.addLegend(drawn);
        }
        return drawn;
    }

    private static ValueAxis axis(String name, boolean logarithmic, List<Curve> curves, boolean horizontal) {
        double[] values = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(horizontal ? curve.x : curve.y))
                .filter(value -> Double.isFinite(value) && (!logarithmic || value > 0))
                .toArray();
        double low = Arrays.stream(values).min().orElse(0.1);
        double high = Arrays.stream(values).max().orElse(1);
        if (!logarithmic) {
            double margin = horizontal ? 0.02 * (high - low) : 0.06 * (high - low);
            return Charts.axis(name, low - margin, high + margin);
        }
        LogAxis axis = Charts.logarithmic(
                name,
                horizontal ? low : Math.pow(10, Math.floor(Math.log10(low))),
                horizontal ? high : Math.pow(10, Math.ceil(Math.log10(high))));
        if (!horizontal || high > 9_999 || low < 0.01) {
            axis.setNumberFormatOverride(new DecimalFormat("0E0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        }
        double decades = Math.log10(high / low);
        axis.setTickUnit(new NumberTickUnit(Math.max(1, Math.ceil(decades / MAX_LABELS))));
        return axis;
    }
}
