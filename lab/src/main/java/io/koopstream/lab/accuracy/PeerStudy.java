package io.koopstream.lab.accuracy;

import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.NoisyLogistic;
import io.koopstream.systems.PrinzPotential;
import io.koopstream.systems.QuadrupleWell;
import io.koopstream.systems.SlowManifold;
import io.koopstream.tuning.AdvisorConfig;
import io.koopstream.tuning.Proposal;
import io.koopstream.tuning.SettingsAdvisor;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** The test problems of other libraries, learned by least squares with the settings that a user gets who says nothing, or only what is stated. */
final class PeerStudy {

    private static final Map<String, String> AUTOMATIC = Map.of();

    private PeerStudy() {}

    /**
     * A problem of a peer's.
     *
     * @param text library and problem
     * @param pairs the pairs to learn from, for a seed
     * @param known the exact eigenvalues compared
     * @param reversible whether the floor of the error is known
     */
    private record Problem(
            String text, LongFunction<PairStream> pairs, Supplier<double[][]> known, boolean reversible) {

        static Problem of(
                String text, BenchmarkSystem system, int paths, int steps, int eigenvalues, boolean reversible) {
            return new Problem(
                    text,
                    seed -> PairStream.of(system, paths, steps, seed),
                    () -> system.exactEigenvalues(eigenvalues).orElseThrow(),
                    reversible);
        }

        /**
         * The largest standard error that an estimate from n pairs has even if the eigenfunctions are given: ψ(x⁺) − λψ(x) are uncorrelated with variance
         * (1 − λ²) E ψ², so the regression of ψ(x⁺) on ψ(x) errs by √((1 − λ²)/n).
         */
        String floor(int n) {
            if (!reversible) {
                return "–";
            }
            double smallest =
                    Arrays.stream(known.get()).mapToDouble(v -> v[0]).min().orElseThrow();
            return Figures.error(Math.sqrt((1 - smallest * smallest) / n));
        }
    }

    /**
     * What was learned.
     *
     * @param eigenvalues as many leading ones as were asked for, zeros where there are fewer
     * @param kept the number of points kept
     */
    record Learned(List<Complex> eigenvalues, int kept) {

        EigenvalueMatch match(double[][] known) {
            return EigenvalueMatch.of(eigenvalues.toArray(Complex[]::new), known);
        }
    }

    /** All learning of this study. */
    static Learned learn(PairStream pairs, StreamConfig settings, int count) {
        Proposal proposal = settings.choosesKernel()
                ? SettingsAdvisor.suggest(pairs.inputs(), pairs.outputs(), AdvisorConfig.defaults())
                : null;
        int dimension = pairs.inputs()[0].length;
        var learner = settings.choose(dimension, dimension, proposal).newLearner();
        pairs.feed(learner, 0, pairs.size());
        KoopmanOperator operator = learner.snapshot();
        int kept = operator.dictionarySize();
        Complex[] found =
                Arrays.copyOf(Spectrum.leading(operator, Math.min(count, kept)).eigenvalues(), count);
        // The operator has rank m at most: what is missing is zero.
        Arrays.fill(found, Math.min(count, kept), count, new Complex(0, 0));
        return new Learned(List.of(found), kept);
    }

    /** The table; seeds 1, 2, …. */
    static void print(PrintStream out, int seeds) {
        Table table = new Table(
                out,
                "problem",
                "settings",
                "pairs",
                "exact",
                "found (seed 1)",
                "m",
                "largest error: median",
                "worst",
                "floor");
        row(
                table,
                Problem.of("kooplearn: noisy logistic map", new NoisyLogistic(), 1, 10_000, 3, false),
                AUTOMATIC,
                seeds);
        row(table, Problem.of("kooplearn: Prinz potential", new PrinzPotential(), 1, 5_000, 4, true), AUTOMATIC, seeds);
        row(table, Problem.of("deeptime: quadruple well", new QuadrupleWell(), 1, 10_000, 4, true), AUTOMATIC, seeds);
        // Norms of states: 13.6 at most without noise, whose own is 2.8.
        String linear = "linear(radius=20)";
        row(table, signals(true), AUTOMATIC, seeds);
        row(table, signals(false), Map.of("kernel", linear), seeds);
        row(table, signals(false), Map.of("kernel", linear, "lambda", "0.1"), seeds);
        Problem manifold = Problem.of("pykoopman: slow manifold", new SlowManifold(), 50, 39, 5, false);
        row(table, manifold, AUTOMATIC, seeds);
        row(table, manifold, Map.of("kernel", "polynomial(degree=4,offset=1,radius=2)"), seeds);
        rotation(table, Map.of("kernel", "linear(radius=2)"));
        rotation(table, Map.of("kernel", "linear(radius=2)", "forgetting", "0.9"));
    }

    /** A Gaussian kernel has the constants among its observables, or nearly; a linear one has not. */
    private static Problem signals(boolean constants) {
        return new Problem(
                "PyDMD: two mixed signals", MixedSignals::pairs, () -> MixedSignals.eigenvalues(constants), false);
    }

    private static void row(Table table, Problem problem, Map<String, String> words, int seeds) {
        double[][] known = problem.known.get();
        double[] errors = new double[seeds];
        int[] kept = new int[seeds];
        int pairs = 0;
        String found = "";
        for (int s = 0; s < seeds; s++) {
            PairStream stream = problem.pairs.apply(s + 1);
            Learned learned = learn(stream, StreamConfig.parse(words), known.length);
            EigenvalueMatch match = learned.match(known);
            errors[s] = match.largest(0, known.length);
            kept[s] = learned.kept;
            pairs = stream.size();
            found = s == 0 ? text(partners(learned, match, known.length)) : found;
        }
        table.row(
                problem.text,
                words(words),
                Figures.format("%,d", pairs),
                text(known),
                found,
                Figures.range(kept),
                Figures.error(Figures.median(errors)),
                Figures.error(Figures.largest(errors)),
                problem.floor(pairs));
    }

    /** The drifting rotation has no seed: median and worst are those over time, from the eleventh pair on. */
    private static void rotation(Table table, Map<String, String> words) {
        int from = 11;
        double[] errors = new double[DriftingRotation.PAIRS - from + 1];
        String found = "";
        int[] kept = new int[errors.length];
        for (int i = 0; i < errors.length; i++) {
            // The state after n samples depends on these and the settings alone, so this is what one learner gives on
            // its way.
            PairStream seen = DriftingRotation.pairs().first(from + i);
            double[][] known = DriftingRotation.eigenvalues(from + i);
            Learned learned = learn(seen, StreamConfig.parse(words), known.length);
            EigenvalueMatch match = learned.match(known);
            errors[i] = match.largest(0, known.length);
            kept[i] = learned.kept;
            found = text(partners(learned, match, known.length));
        }
        table.row(
                "odmd: drifting rotation, at the last pair; errors over time",
                words(words),
                DriftingRotation.PAIRS,
                text(DriftingRotation.eigenvalues(DriftingRotation.PAIRS)),
                found,
                Figures.range(kept),
                Figures.error(Figures.median(errors)),
                Figures.error(Figures.largest(errors)),
                "–");
    }

    private static double[][] partners(Learned learned, EigenvalueMatch match, int count) {
        double[][] partners = new double[count][];
        for (int k = 0; k < count; k++) {
            Complex value = learned.eigenvalues.get(match.partner(k));
            partners[k] = new double[] {value.re(), value.im()};
        }
        return partners;
    }

    private static String words(Map<String, String> words) {
        List<String> texts = new ArrayList<>();
        StreamConfig.parse(words)
                .given()
                .forEach((name, value) -> texts.add(name.equals("kernel") ? value : name + " " + value));
        return texts.isEmpty() ? "automatic" : String.join(", ", texts);
    }

    /** Of two conjugates the second is left out. */
    private static String text(double[][] values) {
        List<String> texts = new ArrayList<>();
        for (int k = 0; k < values.length; k++) {
            if (!conjugates(values, k - 1)) {
                double im = values[k][1];
                String sign = conjugates(values, k) ? "±" : im > 0 ? "+" : "−";
                texts.add(
                        im == 0
                                ? Figures.format("%.4f", values[k][0])
                                : Figures.format("%.4f %s %.4fi", values[k][0], sign, Math.abs(im)));
            }
        }
        return String.join(", ", texts);
    }

    /** Whether value k has a positive imaginary part and its conjugate behind it. */
    private static boolean conjugates(double[][] values, int k) {
        return k >= 0
                && k + 1 < values.length
                && values[k][1] > 0
                && values[k + 1][0] == values[k][0]
                && values[k + 1][1] == -values[k][1];
    }
}
