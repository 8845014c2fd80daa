package io.koopstream.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** The look that all charts share. */
final class Charts {

    static final Font LABEL = new Font(Font.SANS_SERIF, Font.PLAIN, 8);
    static final Font TICK = new Font(Font.SANS_SERIF, Font.PLAIN, 7);
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 8);

    private Charts() {}

    /** An empty plot between two axes, framed, on white. */
    static XYPlot plot(ValueAxis x, ValueAxis y) {
        XYPlot plot = new XYPlot(null, x, y, null);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinesVisible(false);
        plot.setOutlinePaint(Palette.INK);
        plot.setOutlineStroke(new BasicStroke(0.6f));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        plot.setInsets(new RectangleInsets(2, 2, 2, 9));
        // What is added first lies at the bottom.
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        return plot;
    }

    /** A chart of the plot; the title may be null. */
    static JFreeChart chart(XYPlot plot, String title) {
        JFreeChart chart = new JFreeChart(null, TITLE, plot, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(3, 3, 3, 3));
        if (title != null) {
            TextTitle text = new TextTitle(title, TITLE);
            text.setPaint(Palette.INK);
            text.setPadding(0, 0, 3, 0);
            chart.setTitle(text);
        }
        return chart;
    }

    static NumberAxis axis(String label) {
        NumberAxis axis = new NumberAxis(label);
        axis.setAutoRangeIncludesZero(false);
        style(axis);
        return axis;
    }

    /** An axis on which every power of ten takes the same room. */
    static LogAxis logarithmic(String label, double low, double high) {
        LogAxis axis = new LogAxis(label);
        axis.setRange(low, high);
        axis.setTickUnit(new NumberTickUnit(high / low > 1e6 ? 3 : 1));
        axis.setNumberFormatOverride(new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        axis.setMinorTickMarksVisible(true);
        style(axis);
        return axis;
    }

    private static void style(ValueAxis axis) {
        axis.setLabelFont(LABEL);
        axis.setTickLabelFont(TICK);
        axis.setLabelPaint(Palette.INK);
        axis.setTickLabelPaint(Palette.INK);
        axis.setAxisLineVisible(false);
        axis.setTickMarkPaint(Palette.INK);
        axis.setTickMarkStroke(new BasicStroke(0.6f));
        axis.setTickMarkOutsideLength(3);
        axis.setLabelInsets(new RectangleInsets(2, 2, 2, 2));
    }

    static NumberAxis axis(String label, double low, double high) {
        NumberAxis axis = axis(label);
        axis.setRange(low, high);
        return axis;
    }

    /** An axis over whole numbers that are told as texts, such as the times of rows. */
    static NumberAxis told(String label, double low, double high, IntFunction<String> texts) {
        NumberAxis axis = axis(label, low, high);
        axis.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
        axis.setNumberFormatOverride(new Told(low, high, texts));
        return axis;
    }

    /** Writes numbers as texts; none where it would be cut at the right end. */
    private static final class Told extends NumberFormat {
        private static final long serialVersionUID = 1;
        private static final double LETTERS_IN_A_COLUMN = 56;

        private final double low;
        private final double high;
        private final transient IntFunction<String> texts;

        Told(double low, double high, IntFunction<String> texts) {
            this.low = low;
            this.high = high;
            this.texts = texts;
        }

        @Override
        public StringBuffer format(double number, StringBuffer to, FieldPosition position) {
            String text = texts.apply((int) Math.round(number));
            boolean fits = text.length() / 2.0 - 3 <= LETTERS_IN_A_COLUMN * (high - number) / (high - low);
            return fits ? to.append(text) : to;
        }

        @Override
        public StringBuffer format(long number, StringBuffer to, FieldPosition position) {
            return format((double) number, to, position);
        }

        @Override
        public Number parse(String text, ParsePosition position) {
            throw new UnsupportedOperationException("only written");
        }
    }

    /** A legend below the chart. */
    static void addLegend(JFreeChart chart) {
        LegendTitle legend = new LegendTitle(chart.getPlot());
        legend.setItemFont(TICK);
        legend.setItemPaint(Palette.INK);
        legend.setPosition(RectangleEdge.BOTTOM);
        legend.setFrame(BlockBorder.NONE);
        legend.setBackgroundPaint(Color.WHITE);
        chart.addSubtitle(legend);
    }

    static XYSeries series(String name) {
        // Neither sorted nor without duplicates: curves may turn back.
        return new XYSeries(name, false, true);
    }

    /** Puts a data set with its renderer on top of those there are. */
    static void add(XYPlot plot, XYDataset data, XYItemRenderer renderer) {
        int index = plot.getDatasetCount() == 1 && plot.getDataset(0) == null ? 0 : plot.getDatasetCount();
        plot.setDataset(index, data);
        plot.setRenderer(index, renderer);
    }

    /** Adds a data set with its own renderer and returns the renderer. */
    static XYLineAndShapeRenderer add(XYPlot plot, XYSeries series, boolean lines, boolean shapes) {
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(lines, shapes);
        renderer.setSeriesPaint(0, Palette.INK);
        renderer.setSeriesStroke(0, new BasicStroke(1f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        add(plot, new XYSeriesCollection(series), renderer);
        return renderer;
    }

    static Shape dot(double diameter) {
        return new Ellipse2D.Double(-diameter / 2, -diameter / 2, diameter, diameter);
    }
}
