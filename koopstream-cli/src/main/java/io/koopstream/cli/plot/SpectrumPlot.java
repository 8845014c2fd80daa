package io.koopstream.cli.plot;

import io.koopstream.spectrum.Complex;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Paint;
import java.awt.geom.Ellipse2D;
import java.util.Arrays;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.annotations.XYShapeAnnotation;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.PaintScaleLegend;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Eigenvalues in the complex plane with the unit circle, coloured by residual where there is one, exact ones as rings. */
public final class SpectrumPlot {

    private static final double EDGE = 1.15;

    private SpectrumPlot() {}

    /**
     * @param learned eigenvalues
     * @param residuals one each, or null when unknown
     * @param exact eigenvalues as rows (re, im), or null when unknown
     * @param spurious which of the learned ones are crossed out, or null for none
     */
    public static Figure of(Complex[] learned, double[] residuals, double[][] exact, boolean[] spurious) {
        return of(learned, residuals, exact, spurious, "exact", "learned");
    }

    /** Those of one model as rings, those of another as dots. */
    public static Figure of(Complex[] rings, Complex[] dots, String ringsName, String dotsName) {
        double[][] values = Arrays.stream(rings)
                .map(value -> new double[] {value.re(), value.im()})
                .toArray(double[][]::new);
        return of(dots, null, values, null, ringsName, dotsName);
    }

    private static Figure of(
            Complex[] learned,
            double[] residuals,
            double[][] exact,
            boolean[] spurious,
            String ringsName,
            String dotsName) {
        double edge = EDGE;
        for (Complex value : learned) {
            edge = Math.max(edge, 1.1 * value.modulus());
        }
        var x = Charts.axis("Re λ", -edge, edge);
        var y = Charts.axis("Im λ", -edge, edge);
        x.setTickUnit(new NumberTickUnit(0.5));
        y.setTickUnit(new NumberTickUnit(0.5));
        XYPlot plot = Charts.plot(x, y);
        plot.addAnnotation(
                new XYShapeAnnotation(new Ellipse2D.Double(-1, -1, 2, 2), new BasicStroke(0.7f), Palette.FAINT));
        if (exact != null) {
            XYSeries rings = Charts.series(ringsName);
            for (double[] value : exact) {
                rings.add(value[0], value[1]);
            }
            XYLineAndShapeRenderer renderer = Charts.add(plot, rings, false, true);
            renderer.setSeriesShape(0, Charts.dot(9));
            renderer.setSeriesShapesFilled(0, false);
            renderer.setSeriesPaint(0, Palette.distinct(5));
            renderer.setSeriesOutlineStroke(0, new BasicStroke(1.1f));
        }
        PaintScale scale = residuals == null ? null : Palette.sequential(0, Math.max(1e-9, max(residuals)));
        addLearned(plot, learned, residuals, scale, dotsName);
        boolean crossed = addCrosses(plot, learned, spurious);
        JFreeChart chart = Charts.chart(plot, "Koopman eigenvalues");
        if (scale != null) {
            chart.addSubtitle(colourBar(scale, "residual"));
        }
        if (exact != null || crossed) {
            Charts.addLegend(chart);
        }
        return Figure.withAspect(chart, Figure.COLUMN, 1);
    }

    /** Whether there were any. */
    private static boolean addCrosses(XYPlot plot, Complex[] learned, boolean[] spurious) {
        XYSeries crosses = Charts.series("may be spurious");
        for (int k = 0; spurious != null && k < learned.length; k++) {
            if (spurious[k]) {
                crosses.add(learned[k].re(), learned[k].im());
            }
        }
        if (crosses.getItemCount() > 0) {
            XYLineAndShapeRenderer renderer = Charts.add(plot, crosses, false, true);
            renderer.setSeriesShape(0, PlanePlot.cross(4));
            renderer.setSeriesShapesFilled(0, false);
            renderer.setSeriesPaint(0, Palette.distinct(5));
            renderer.setSeriesOutlineStroke(0, new BasicStroke(1.1f));
        }
        return crosses.getItemCount() > 0;
    }

    private static void addLearned(XYPlot plot, Complex[] learned, double[] residuals, PaintScale scale, String name) {
        XYSeries dots = Charts.series(name);
        for (Complex value : learned) {
            dots.add(value.re(), value.im());
        }
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true) {
            private static final long serialVersionUID = 1L;

            @Override
            public Paint getItemPaint(int row, int column) {
                return scale == null ? Palette.distinct(0) : scale.getPaint(residuals[column]);
            }
        };
        renderer.setSeriesPaint(0, Palette.distinct(0));
        renderer.setSeriesShape(0, Charts.dot(4.5));
        renderer.setDrawOutlines(scale != null);
        renderer.setUseOutlinePaint(scale != null);
        renderer.setSeriesOutlinePaint(0, Palette.INK);
        renderer.setSeriesOutlineStroke(0, new BasicStroke(0.4f));
        Charts.add(plot, new XYSeriesCollection(dots), renderer);
    }

    static PaintScaleLegend colourBar(PaintScale scale, String label) {
        var axis = Charts.axis(label);
        axis.setAxisLineVisible(true);
        axis.setAxisLinePaint(Palette.INK);
        PaintScaleLegend bar = new PaintScaleLegend(scale, axis);
        bar.setPosition(RectangleEdge.RIGHT);
        bar.setStripWidth(8);
        bar.setAxisLocation(AxisLocation.BOTTOM_OR_RIGHT);
        bar.setSubdivisionCount(128);
        bar.setStripOutlineVisible(false);
        bar.setBackgroundPaint(Color.WHITE);
        bar.setMargin(2, 4, 2, 2);
        return bar;
    }

    private static double max(double[] values) {
        double max = 0;
        for (double value : values) {
            max = Math.max(max, value);
        }
        return max;
    }
}
