package io.koopstream.cli.plot;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** Several pictures of one slice beside each other, each with a title and what is to be drawn over it. */
public final class PanelPlot {

    private static final double PANEL_WIDTH = 125;

    private PanelPlot() {}

    /** What lies over a panel. */
    public static final class Overlay {

        private final double[][] dots;
        private final double[][] path;
        private final int[] borders;

        /**
         * @param dots points, one per row, e.g. the dictionary; may be empty
         * @param path a line through points, one per row; may be empty
         * @param borders regions in the order of {@link Slice#points()}, whose borders are drawn; may be empty
         */
        public Overlay(double[][] dots, double[][] path, int[] borders) {
            this.dots = dots;
            this.path = path;
            this.borders = borders;
        }
    }

    /** Sets in distinct colours; negative for none. */
    public static Figure sets(Slice slice, List<String> titles, List<int[]> sets, List<Overlay> overlays) {
        return panels(
                slice,
                titles,
                i -> cell -> {
                    int set = sets.get(i)[cell];
                    return set < 0 ? Palette.EMPTY : Palette.light(Palette.distinct(set));
                },
                overlays,
                null);
    }

    /** Signed functions on one scale from −1 to 1; NaN is grey. */
    public static Figure heat(Slice slice, List<String> titles, List<double[]> values, List<Overlay> overlays) {
        PaintScale scale = Palette.diverging(1);
        return panels(slice, titles, i -> cell -> (Color) scale.getPaint(values.get(i)[cell]), overlays, scale);
    }

    /** A function from its smallest value up to a limit. */
    public static Figure landscape(Slice slice, String title, double[] values, double limit, Overlay overlay) {
        PaintScale scale = Palette.sequential(0, limit);
        return panels(
                slice, List.of(title), i -> cell -> (Color) scale.getPaint(values[cell]), List.of(overlay), scale);
    }

    private static Figure panels(
            Slice slice,
            List<String> titles,
            IntFunction<IntFunction<Color>> colours,
            List<Overlay> overlays,
            PaintScale scale) {
        List<JFreeChart> charts = new ArrayList<>();
        for (int i = 0; i < titles.size(); i++) {
            XYPlot plot = PlanePlot.plane(slice, PlanePlot.image(colours.apply(i)));
            Overlay overlay = overlays.get(i);
            addBorders(plot, slice, overlay.borders);
            PlanePlot.addDictionary(plot, slice, overlay.dots);
            addPath(plot, slice, overlay.path);
            if (i % Figure.IN_A_ROW > 0) {
                plot.getRangeAxis().setLabel(null);
            }
            JFreeChart chart = Charts.chart(plot, titles.get(i));
            boolean last = i == titles.size() - 1 || i % Figure.IN_A_ROW == Figure.IN_A_ROW - 1;
            if (scale != null && last) {
                chart.addSubtitle(SpectrumPlot.colourBar(scale, null));
            }
            charts.add(chart);
        }
        return Figure.rows(charts, titles.size() == 1 ? 170 : PANEL_WIDTH, slice.aspect());
    }

    private static void addPath(XYPlot plot, Slice slice, double[][] path) {
        XYSeries line = Charts.series("path");
        for (double[] point : path) {
            line.add(point[slice.first()], point[slice.second()]);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, line, true, false);
        renderer.setSeriesPaint(0, Color.WHITE);
        renderer.setDrawSeriesLineAsPath(true);
    }

    /** A dot between every two neighbouring cells of different regions. */
    private static void addBorders(XYPlot plot, Slice slice, int[] regions) {
        XYSeries dots = Charts.series("border");
        double width = (slice.high()[0] - slice.low()[0]) / Slice.CELLS;
        double height = (slice.high()[1] - slice.low()[1]) / Slice.CELLS;
        for (int cell = 0; cell < regions.length; cell++) {
            int row = Math.floorDiv(cell, Slice.CELLS);
            int column = cell % Slice.CELLS;
            double x = slice.low()[0] + (column + 0.5) * width;
            double y = slice.high()[1] - (row + 0.5) * height;
            if (column + 1 < Slice.CELLS && regions[cell] != regions[cell + 1]) {
                dots.add(x + width / 2, y);
            }
            if (row + 1 < Slice.CELLS && regions[cell] != regions[cell + Slice.CELLS]) {
                dots.add(x, y - height / 2);
            }
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, dots, false, true);
        renderer.setSeriesShape(0, Charts.dot(1.1));
        renderer.setSeriesPaint(0, Color.BLACK);
    }
}
