package io.koopstream.cli.plot;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.annotations.XYDataImageAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Amplitude and phase of complex patterns: maps of a grid, or curves over the columns where there is none. */
public final class ModePlot {

    /** Pixels along the longer side of a map at least, so that viewers that smooth enlarged images leave its points recognisable. */
    private static final int PIXELS = 480;

    /** Points of a curve: more than a picture resolves. */
    private static final int CURVE = 2000;

    private static final double WIDTH = 112;

    /** Two modes beside each other, each with its amplitude and its phase. */
    private static final int IN_A_ROW = 4;

    private ModePlot() {}

    /** Phases from −π to π on a circle of colours of about one lightness. */
    private static final class Circle implements PaintScale {

        @Override
        public double getLowerBound() {
            return -Math.PI;
        }

        @Override
        public double getUpperBound() {
            return Math.PI;
        }

        @Override
        public Color getPaint(double phase) {
            return Double.isNaN(phase)
                    ? Palette.EMPTY
                    : new Color(wave(phase, 0), wave(phase, -2 * Math.PI / 3), wave(phase, 2 * Math.PI / 3));
        }

        private static float wave(double phase, double shift) {
            return (float) (0.5 + 0.4 * Math.cos(phase + shift));
        }
    }

    /**
     * A picture.
     *
     * @param rows of the grid, from the top; 1 for a row of columns without a grid
     * @param columns of the grid
     * @param titles one a pattern
     * @param patterns {re, im} of every point, row by row
     */
    public static Figure of(int rows, int columns, List<String> titles, List<double[][]> patterns) {
        List<JFreeChart> charts = new ArrayList<>();
        for (int k = 0; k < patterns.size(); k++) {
            double[][] parts = patterns.get(k);
            double[] amplitude = IntStream.range(0, parts[0].length)
                    .mapToDouble(c -> Math.hypot(parts[0][c], parts[1][c]))
                    .toArray();
            double[] phase = IntStream.range(0, parts[0].length)
                    .mapToDouble(c -> amplitude[c] == 0 ? Double.NaN : Math.atan2(parts[1][c], parts[0][c]))
                    .toArray();
            double largest = Math.max(Arrays.stream(amplitude).max().orElseThrow(), Double.MIN_NORMAL);
            if (rows == 1) {
                charts.add(curve(titles.get(k), "amplitude", amplitude, 0, 1.05 * largest));
                charts.add(curve(null, "phase", phase, -Math.PI, Math.PI));
            } else {
                charts.add(map(titles.get(k), "amplitude", rows, columns, amplitude, Palette.sequential(0, largest)));
                charts.add(map(" ", "phase", rows, columns, phase, new Circle()));
            }
        }
        double aspect = rows == 1 ? 0.7 : Math.min(3, Math.max(1.0 / 3, (double) rows / columns));
        return Figure.rows(charts, IN_A_ROW, WIDTH, aspect);
    }

    private static JFreeChart map(String title, String what, int rows, int columns, double[] values, PaintScale scale) {
        NumberAxis across = Charts.axis(null, 0, columns);
        NumberAxis down = Charts.axis(null, 0, rows);
        across.setVisible(false);
        down.setVisible(false);
        XYPlot plot = Charts.plot(across, down);
        XYLineAndShapeRenderer background = new XYLineAndShapeRenderer(false, false);
        DoubleFunction<Color> colour = value -> (Color) scale.getPaint(value);
        background.addAnnotation(
                new XYDataImageAnnotation(image(rows, columns, values, colour), 0, 0, columns, rows), Layer.BACKGROUND);
        Charts.add(plot, new XYSeriesCollection(), background);
        JFreeChart chart = Charts.chart(plot, title);
        chart.addSubtitle(SpectrumPlot.colourBar(scale, what));
        return chart;
    }

    private static BufferedImage image(int rows, int columns, double[] values, DoubleFunction<Color> colour) {
        int scale = Math.max(1, PIXELS / Math.max(rows, columns));
        BufferedImage image = new BufferedImage(scale * columns, scale * rows, BufferedImage.TYPE_INT_RGB);
        for (int row = 0; row < scale * rows; row++) {
            for (int column = 0; column < scale * columns; column++) {
                image.setRGB(
                        column,
                        row,
                        colour.apply(values[(row / scale) * columns + column / scale])
                                .getRGB());
            }
        }
        return image;
    }

    private static JFreeChart curve(String title, String what, double[] values, double low, double high) {
        XYPlot plot = Charts.plot(Charts.axis("column", 1, Math.max(2, values.length)), Charts.axis(what, low, high));
        XYSeries curve = Charts.series(what);
        int every = Math.max(1, values.length / CURVE);
        for (int c = 0; c < values.length; c += every) {
            curve.add(c + 1, values[c]);
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, curve, true, false);
        renderer.setSeriesPaint(0, Palette.distinct(0));
        return Charts.chart(plot, title);
    }
}
