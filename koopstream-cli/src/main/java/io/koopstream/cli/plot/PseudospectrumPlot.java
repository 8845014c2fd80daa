package io.koopstream.cli.plot;

import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Pseudospectrum;
import io.koopstream.spectrum.TrustRule.Noise;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.annotations.XYShapeAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;

/** How nearly every number of the plane is an eigenvalue, judged on held-out pairs, with the learned eigenvalues and the unit circle. */
public final class PseudospectrumPlot {

    private static final double EDGE = 1.15;
    /** Rows and columns: odd, so that the real axis has a row of its own. */
    private static final int CELLS = 81;

    private static final int FEATURES = 30;
    /** Residuals below 10 to this are all alike: noise of the estimate. */
    private static final double LEAST = -2.5;

    private PseudospectrumPlot() {}

    /**
     * @param operator what was learned
     * @param x held-out inputs
     * @param xNext held-out outputs
     * @param noise whether the system is random
     * @param learned eigenvalues to draw in
     */
    public static Figure of(KoopmanOperator operator, double[][] x, double[][] xNext, Noise noise, Complex[] learned) {
        double[] re = new double[CELLS];
        // Conjugate numbers have one residual, so the upper half is enough.
        double[] im = new double[CELLS / 2 + 1];
        for (int i = 0; i < CELLS; i++) {
            re[i] = EDGE * (2.0 * i / (CELLS - 1) - 1);
        }
        for (int i = 0; i < im.length; i++) {
            im[i] = EDGE * i / (im.length - 1);
        }
        double[][] grid = Pseudospectrum.of(operator, x, xNext, re, im, FEATURES, noise);
        double half = EDGE / (CELLS - 1);
        Slice area = new Slice(
                0,
                1,
                new double[2],
                new double[] {-EDGE - half, -EDGE - half},
                new double[] {EDGE + half, EDGE + half},
                "Re z",
                "Im z");
        PaintScale scale = Palette.sequential(LEAST, 0);
        XYPlot plot = PlanePlot.plane(area, PlanePlot.image(CELLS, cell ->
                (Color) scale.getPaint(Math.log10(grid[cell % CELLS][Math.abs(cell / CELLS - CELLS / 2)]))));
        ((NumberAxis) plot.getDomainAxis()).setTickUnit(new NumberTickUnit(0.5));
        ((NumberAxis) plot.getRangeAxis()).setTickUnit(new NumberTickUnit(0.5));
        plot.addAnnotation(
                new XYShapeAnnotation(new Ellipse2D.Double(-1, -1, 2, 2), new BasicStroke(0.7f), Color.WHITE));
        XYSeries dots = Charts.series("learned");
        for (Complex value : learned) {
            dots.add(value.re(), value.im());
        }
        XYLineAndShapeRenderer renderer = Charts.add(plot, dots, false, true);
        renderer.setSeriesShape(0, Charts.dot(4));
        renderer.setSeriesPaint(0, Color.WHITE);
        renderer.setUseOutlinePaint(true);
        renderer.setSeriesOutlinePaint(0, Palette.INK);
        renderer.setSeriesOutlineStroke(0, new BasicStroke(0.6f));
        JFreeChart chart = Charts.chart(plot, "Pseudospectrum on held-out pairs");
        chart.addSubtitle(SpectrumPlot.colourBar(scale, "log₁₀ of the smallest residual"));
        return Figure.withAspect(chart, Figure.COLUMN, 1);
    }
}
