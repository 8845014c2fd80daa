package io.koopstream.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYDataImageAnnotation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Functions and sets on a two-dimensional slice of the state space, with the dictionary drawn in. */
public final class PlanePlot {

    private PlanePlot() {}

    /**
     * Functions as heat maps beside each other, on one scale from −1 to 1.
     *
     * @param slice where
     * @param titles one each
     * @param values one array each, in the order of {@link Slice#points()}; NaN where nothing is known
     * @param dictionary kept inputs, one per row
     * @param marks places to point out, one per row; may be empty
     */
    public static Figure heatMaps(
            Slice slice, List<String> titles, List<double[]> values, double[][] dictionary, double[][] marks) {
        if (slice.isLine()) {
            return LinePlot.functions(slice, titles, values, dictionary);
        }
        PaintScale scale = Palette.diverging(1);
        List<JFreeChart> charts = new ArrayList<>();
        int n = values.size();
        for (int i = 0; i < n; i++) {
            double[] heights = values.get(i);
            XYPlot plot = plane(slice, image(cell -> (Color) scale.getPaint(heights[cell])));
            addDictionary(plot, slice, dictionary);
            addMarks(plot, slice, marks);
            if (i % Figure.IN_A_ROW > 0) {
                plot.getRangeAxis().setLabel(null);
            }
            JFreeChart chart = Charts.chart(plot, titles.get(i));
            if (i == n - 1 || i % Figure.IN_A_ROW == Figure.IN_A_ROW - 1) {
                chart.addSubtitle(SpectrumPlot.colourBar(scale, null));
            }
            charts.add(chart);
        }
        return Figure.rows(charts, n == 1 ? 170 : 125, slice.aspect());
    }

    /**
     * Sets in distinct colours.
     *
     * @param count how many there are
     * @param sets the set of every cell in the order of {@link Slice#points()}, negative for none
     */
    public static Figure sets(Slice slice, int count, int[] sets, double[][] dictionary, double[][] marks) {
        if (slice.isLine()) {
            return LinePlot.sets(slice, count, sets, dictionary);
        }
        XYPlot plot = plane(
                slice, image(cell -> sets[cell] < 0 ? Palette.EMPTY : Palette.light(Palette.distinct(sets[cell]))));
        addDictionary(plot, slice, dictionary);
        addMarks(plot, slice, marks);
        JFreeChart chart = Charts.chart(plot, "Metastable sets");
        addSetLegend(chart, count);
        return Figure.withAspect(chart, Figure.COLUMN, slice.aspect());
    }

    /** Which colour is which set. */
    static void addSetLegend(JFreeChart chart, int count) {
        LegendItemCollection items = new LegendItemCollection();
        for (int set = 0; set < count; set++) {
            items.add(new LegendItem(
                    Integer.toString(set + 1), null, null, null, Charts.dot(7), Palette.light(Palette.distinct(set))));
        }
        chart.getXYPlot().setFixedLegendItems(items);
        Charts.addLegend(chart);
    }

    /**
     * Functions with values from 0 to 1 as heat maps in one row, with one scale at its end.
     *
     * @param values one array each, in the order of {@link Slice#points()}
     */
    public static Figure normalised(Slice slice, List<String> titles, List<double[]> values, String scaleName) {
        PaintScale scale = Palette.sequential(0, 1);
        List<JFreeChart> charts = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            double[] heights = values.get(i);
            XYPlot plot = plane(slice, image(cell -> (Color) scale.getPaint(heights[cell])));
            if (i > 0) {
                plot.getRangeAxis().setLabel(null);
                plot.getRangeAxis().setTickLabelsVisible(false);
            }
            JFreeChart chart = Charts.chart(plot, titles.get(i));
            if (i == values.size() - 1) {
                chart.addSubtitle(SpectrumPlot.colourBar(scale, scaleName));
            }
            charts.add(chart);
        }
        return Figure.rows(charts, charts.size(), 92, 1);
    }

    static XYPlot plane(Slice slice, BufferedImage image) {
        XYPlot plot = Charts.plot(
                Charts.axis(slice.firstName(), slice.low()[0], slice.high()[0]),
                Charts.axis(slice.secondName(), slice.low()[1], slice.high()[1]));
        XYLineAndShapeRenderer background = new XYLineAndShapeRenderer(false, false);
        background.addAnnotation(
                new XYDataImageAnnotation(
                        image,
                        slice.low()[0],
                        slice.low()[1],
                        slice.high()[0] - slice.low()[0],
                        slice.high()[1] - slice.low()[1]),
                Layer.BACKGROUND);
        Charts.add(plot, new XYSeriesCollection(), background);
        return plot;
    }

    static BufferedImage image(IntFunction<Color> colour) {
        return image(Slice.CELLS, colour);
    }

    /** A square of cells, numbered row by row from the top left. */
    static BufferedImage image(int cells, IntFunction<Color> colour) {
        // Four pixels a cell, so that viewers that smooth enlarged images leave the cells recognisable.
        int scale = 4;
        int side = scale * cells;
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int row = 0; row < side; row++) {
            for (int column = 0; column < side; column++) {
                int cell = (row / scale) * cells + column / scale;
                image.setRGB(column, row, colour.apply(cell).getRGB());
            }
        }
        return image;
    }

    static void addDictionary(XYPlot plot, Slice slice, double[][] dictionary) {
        XYSeries dots = Charts.series("dictionary");
        for (double[] point : dictionary) {
            dots.add(point[slice.first()], point[slice.second()]);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, dots, false, true);
        renderer.setSeriesShape(0, Charts.dot(1.6));
        renderer.setSeriesPaint(0, Palette.INK);
    }

    static void addMarks(XYPlot plot, Slice slice, double[][] marks) {
        XYSeries series = Charts.series("marks");
        for (double[] mark : marks) {
            series.add(mark[slice.first()], mark[slice.second()]);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, series, false, true);
        renderer.setSeriesShape(0, cross(2.6));
        renderer.setSeriesShapesFilled(0, false);
        renderer.setSeriesOutlineStroke(0, new BasicStroke(1.2f));
    }

    static Shape cross(double arm) {
        Path2D path = new Path2D.Double();
        path.moveTo(-arm, 0);
        path.lineTo(arm, 0);
        path.moveTo(0, -arm);
        path.lineTo(0, arm);
        return path;
    }
}
