package io.koopstream.server.http.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.SetsAnswer;
import io.koopstream.answers.Version;
import io.koopstream.io.Json;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.Spectrum;
import java.util.Arrays;
import java.util.List;

/** Eigenfunctions, and the sets that the process seldom leaves, at points and on grids. */
public final class SpectrumAnswers {

    /** As many sets as the gap of the spectrum says. */
    public static final int BY_THE_GAP = 0;

    private static final int USUAL_CELLS = 60;

    /**
     * A part of the state space on which values are given: those of a point are at [its y][its x].
     *
     * @param x coordinate along x
     * @param y coordinate along y; null of one-dimensional states
     * @param xName name of the coordinate along x
     * @param yName name of the coordinate along y
     * @param at values of all other coordinates
     * @param xs where the points lie along x
     * @param ys where the points lie along y
     * @param dictionary kept states in these two coordinates
     * @param known how well the model knows each point, from 0 to 1
     */
    @SuppressWarnings("ArrayRecordComponent") // made here and written once
    public record Slice(
            int x,
            Integer y,
            String xName,
            String yName,
            double[] at,
            double[] xs,
            double[] ys,
            double[][] dictionary,
            double[][] known)
            implements Json.Part {

        private static Slice of(LearnedModel model, KoopmanOperator operator, StateGrid grid) {
            List<String> names = model.labels().coordinates(model.dimension());
            boolean flat = grid.yAxis() < 0;
            double[] known = model.compute(() ->
                    Arrays.stream(grid.points()).mapToDouble(operator::coverage).toArray());
            return new Slice(
                    grid.xAxis(),
                    flat ? null : grid.yAxis(),
                    names.get(grid.xAxis()),
                    flat ? null : names.get(grid.yAxis()),
                    grid.base(),
                    grid.xs(),
                    grid.ys(),
                    grid.projected(operator.inputPoints()),
                    grid.rows(known));
        }
    }

    /** An eigenfunction on a grid: real and imaginary parts at its points. */
    @SuppressWarnings("ArrayRecordComponent") // made here and written once
    public record EigenfunctionGrid(
            Version of, Slice slice, int index, Complex eigenvalue, double[][] re, double[][] im) {}

    /** Eigenfunctions at points: real and imaginary parts, a row a point. */
    @SuppressWarnings("ArrayRecordComponent") // made here and written once
    public record Eigenfunctions(Version of, List<Complex> eigenvalues, double[][] re, double[][] im) {}

    /** Metastable sets, with a grid unless none was asked for. */
    public record SetsGrid(SetsAnswer sets, Slice slice, Labels grid) {}

    /** Sets of the points of a grid, from 0; -1 where nothing was learned. */
    @SuppressWarnings("ArrayRecordComponent") // made here and written once
    public record Labels(int[][] labels) implements Json.Part {}

    private SpectrumAnswers() {}

    private static StateGrid grid(Question question, KoopmanOperator operator, int mostPoints) {
        return new StateGrid(question, operator.inputPoints(), USUAL_CELLS, mostPoints);
    }

    /** An eigenfunction on a grid. */
    public static EigenfunctionGrid eigenfunction(ModelView view, Question question, int index, int mostPoints) {
        LearnedModel model = view.learned();
        Regularised learned = model.forSpectra(Regularisation.USUAL);
        StateGrid grid = grid(question, learned.operator(), mostPoints);
        Spectrum spectrum = model.spectrum(learned, index + 1);
        if (index >= spectrum.size()) {
            throw Question.bad("index", "there are " + spectrum.size() + " eigenfunctions, counted from 0");
        }
        Complex[] values = model.compute(() -> Arrays.stream(spectrum.eigenfunctions(grid.points()))
                .map(all -> all[index])
                .toArray(Complex[]::new));
        return new EigenfunctionGrid(
                model.version(),
                Slice.of(model, learned.operator(), grid),
                index,
                spectrum.eigenvalue(index),
                grid.rows(re(values)),
                grid.rows(im(values)));
    }

    private static double[] re(Complex[] values) {
        return Arrays.stream(values).mapToDouble(Complex::re).toArray();
    }

    private static double[] im(Complex[] values) {
        return Arrays.stream(values).mapToDouble(Complex::im).toArray();
    }

    /** Eigenfunctions at given points. */
    public static Eigenfunctions eigenfunctions(ModelView view, double[][] points, int k) {
        LearnedModel model = view.learned();
        Spectrum spectrum = model.spectrum(k);
        Complex[][] values = model.compute(() -> spectrum.eigenfunctions(points));
        return new Eigenfunctions(
                model.version(),
                List.of(spectrum.eigenvalues()),
                Arrays.stream(values).map(SpectrumAnswers::re).toArray(double[][]::new),
                Arrays.stream(values).map(SpectrumAnswers::im).toArray(double[][]::new));
    }

    /** Metastable sets, on a grid unless that is not wanted. */
    public static SetsGrid sets(ModelView view, Question question, int k, int mostPoints) {
        LearnedModel model = view.learned();
        Regularised learned = model.forSpectra(Regularisation.USUAL);
        KoopmanOperator operator = learned.operator();
        StateGrid grid = question.truth("grid", true) ? grid(question, operator, mostPoints) : null;
        MetastableSets sets = model.compute(() -> k == BY_THE_GAP
                ? MetastableSets.byGap(operator, operator.inputPoints(), SetsAnswer.SEED)
                : MetastableSets.of(operator, k, SetsAnswer.SEED));
        Clock clock = model.clock();
        SetsAnswer answer = SetsAnswer.of(model, learned, sets, clock);
        return grid == null
                ? new SetsGrid(answer, null, null)
                : new SetsGrid(
                        answer,
                        Slice.of(model, operator, grid),
                        new Labels(grid.rows(model.compute(() -> sets.assign(grid.points())))));
    }
}
