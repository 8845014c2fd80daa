package io.koopstream.server.http.ask;

import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.server.engine.Regularisation;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.SetFacts;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustReport.Eigenpair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the spectrum of a model says: eigenvalues, eigenfunctions, and the sets that the process seldom leaves. */
public final class SpectrumAnswers {

    /** The seed of the clustering: the same question about the same view has the same answer. */
    private static final long SEED = 1;

    /** As many sets as the gap of the spectrum says. */
    public static final int BY_THE_GAP = 0;

    private SpectrumAnswers() {}

    /** The leading eigenvalues with what is known about them. */
    public static Map<String, Object> spectrum(ModelView view, int k, double dt, Regularisation wish) {
        ModelAnswers.requireLearned(view);
        Regularised learned = ModelAnswers.kept(view.forSpectra(wish));
        Spectrum spectrum = view.spectrum(learned, k);
        TrustReport trust = view.trust(learned, spectrum).orElse(null);
        double[] timescales = spectrum.timescales(dt);
        double[] frequencies = spectrum.frequencies(dt);
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count(spectrum, k); i++) {
            Complex value = spectrum.eigenvalue(i);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("re", value.re());
            entry.put("im", value.im());
            entry.put("modulus", value.modulus());
            entry.put("timescale", timescales[i]);
            entry.put("frequency", frequencies[i]);
            Eigenpair pair = trust == null ? null : trust.pair(i);
            entry.put("residual", pair == null ? null : (Object) pair.residual());
            entry.put("noise", pair == null ? null : (Object) pair.noise());
            entry.put("bias", pair == null ? null : (Object) pair.bias());
            entry.put("standardError", pair == null ? null : (Object) pair.standardError());
            entry.put("trusted", pair == null ? null : (Object) !pair.spurious());
            entry.put("reasons", pair == null ? List.of(unjudged(view)) : pair.reasons());
            list.add(entry);
        }
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("dt", dt);
        answer.put("lambda", learned.lambda());
        answer.put("rank", learned.rank());
        answer.put("heldOut", view.heldOut());
        answer.put("eigenvalues", list);
        return answer;
    }

    private static String unjudged(ModelView view) {
        return view.state().orElseThrow() instanceof SogdState
                ? "sogd learns every pair and holds none out to validate on"
                : "too few pairs were held out to validate on";
    }

    /** So many of the pairs of a spectrum, and one more where that would cut a conjugate pair in two. */
    private static int count(Spectrum spectrum, int k) {
        int count = Math.min(k, spectrum.size());
        boolean cut = count < spectrum.size() && spectrum.eigenvalue(count - 1).im() > 0;
        return cut ? count + 1 : count;
    }

    /** An eigenfunction on a grid. */
    public static Map<String, Object> eigenfunction(ModelView view, Question question, int index, int mostPoints) {
        KoopmanOperator operator = ModelAnswers.learned(view);
        StateGrid grid = new StateGrid(question, operator.inputPoints(), 60, mostPoints);
        double[][] points = grid.points();
        Spectrum spectrum = view.spectrum(index + 1);
        if (index >= spectrum.size()) {
            throw Question.bad("index", "there are " + spectrum.size() + " eigenfunctions, counted from 0");
        }
        double[] re = new double[points.length];
        double[] im = new double[points.length];
        view.compute(() -> {
            Complex[][] values = spectrum.eigenfunctions(points);
            for (int i = 0; i < points.length; i++) {
                re[i] = values[i][index].re();
                im[i] = values[i][index].im();
            }
            return null;
        });
        Map<String, Object> answer = onGrid(view, operator, grid);
        answer.put("index", index);
        answer.put("eigenvalue", complex(spectrum.eigenvalue(index)));
        answer.put("re", grid.rows(re));
        answer.put("im", grid.rows(im));
        return answer;
    }

    private static Map<String, Object> complex(Complex value) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("re", value.re());
        entry.put("im", value.im());
        return entry;
    }

    private static Map<String, Object> onGrid(ModelView view, KoopmanOperator operator, StateGrid grid) {
        List<String> names = ModelAnswers.names(view);
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("x", grid.xAxis());
        answer.put("y", grid.yAxis() < 0 ? null : (Object) grid.yAxis());
        answer.put("xName", names.get(grid.xAxis()));
        answer.put("yName", grid.yAxis() < 0 ? null : names.get(grid.yAxis()));
        answer.put("at", grid.base());
        answer.put("xs", grid.xs());
        answer.put("ys", grid.ys());
        answer.put("dictionary", grid.projected(operator.inputPoints()));
        double[] known = view.compute(() ->
                Arrays.stream(grid.points()).mapToDouble(operator::coverage).toArray());
        answer.put("known", grid.rows(known));
        return answer;
    }

    /** Eigenfunctions at given points. */
    public static Map<String, Object> eigenfunctions(ModelView view, double[][] points, int k) {
        ModelAnswers.learned(view);
        Spectrum spectrum = view.spectrum(k);
        int count = count(spectrum, k);
        double[][] re = new double[points.length][count];
        double[][] im = new double[points.length][count];
        Complex[][] values = view.compute(() -> spectrum.eigenfunctions(points));
        List<Object> eigenvalues = new ArrayList<>();
        for (int j = 0; j < count; j++) {
            eigenvalues.add(complex(spectrum.eigenvalue(j)));
            for (int i = 0; i < points.length; i++) {
                re[i][j] = values[i][j].re();
                im[i][j] = values[i][j].im();
            }
        }
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("eigenvalues", eigenvalues);
        answer.put("re", re);
        answer.put("im", im);
        return answer;
    }

    /** Metastable sets, on a grid. */
    public static Map<String, Object> sets(ModelView view, Question question, int k, int mostPoints) {
        KoopmanOperator operator = ModelAnswers.learned(view);
        StateGrid grid = new StateGrid(question, operator.inputPoints(), 60, mostPoints);
        double[][] points = grid.points();
        Map<String, Object> answer = onGrid(view, operator, grid);
        double[][] kept = operator.inputPoints();
        MetastableSets sets = view.compute(() ->
                k == BY_THE_GAP ? MetastableSets.byGap(operator, kept, SEED) : MetastableSets.of(operator, k, SEED));
        int[] sizes = new int[sets.count()];
        int[] labels = view.compute(() -> {
            for (int set : sets.assign(kept)) {
                if (set >= 0) {
                    sizes[set]++;
                }
            }
            return sets.assign(points);
        });
        answer.put("k", sets.count());
        answer.put("labels", grid.rows(labels));
        answer.put("sizes", sizes);
        answer.put("sets", facts(view, operator, sets));
        return answer;
    }

    private static List<Object> facts(ModelView view, KoopmanOperator operator, MetastableSets sets) {
        double[][] visited = view.state().orElseThrow() instanceof LeastSquaresState learned
                ? learned.holdOut().inputs()
                : new double[0][];
        double dt = Double.isNaN(view.dt()) ? 1 : view.dt();
        List<Object> list = new ArrayList<>();
        for (SetFacts fact : view.compute(() -> SetFacts.of(operator, sets, visited, dt))) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("centre", fact.centre());
            entry.put("population", fact.population());
            entry.put("meanExitTime", fact.meanExitTime());
            list.add(entry);
        }
        return list;
    }
}
