package io.koopstream.lab.accuracy;

import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Spectrum;
import java.io.PrintStream;
import java.util.Arrays;

/** Whether the reported standard errors of eigenvalues are right: how often the truth lies within two of them. */
final class CoverageStudy {

    private static final int FIRST_SEED = 101;

    private CoverageStudy() {}

    /** One system over many seeds; only eigenvalues with a non-negative imaginary part are listed. */
    static void rows(Table table, Subject subject, int pairs, int seeds) {
        double[][] known = subject.known();
        double[][] re = new double[known.length][seeds];
        double[][] distances = new double[known.length][seeds];
        double[][] reported = new double[known.length][seeds];
        int[] covered = new int[known.length];
        for (int s = 0; s < seeds; s++) {
            int steps = Math.min(subject.steps(), pairs);
            PairStream stream = PairStream.of(subject.system(), pairs / steps, steps, FIRST_SEED + s);
            LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                    LeastSquaresConfig.forState(subject.system().dimension(), subject.kernel())
                            .lambda(subject.lambda())
                            .epsilon(2 * subject.epsilon())
                            .holdOut(HoldOutConfig.DEFAULT_SHARE)
                            .build());
            stream.feed(learner, 0, stream.size());
            Spectrum spectrum = Spectrum.leading(learner.snapshot(), known.length);
            HoldOut kept = learner.holdOut();
            double[] spread = EigenvalueSpread.fromHeldOut(
                    spectrum, kept.inputs(), kept.outputs(), subject.lambda(), learner.samples());
            EigenvalueMatch match = EigenvalueMatch.of(Arrays.copyOf(spectrum.eigenvalues(), known.length), known);
            for (int k = 0; k < known.length; k++) {
                int i = match.partner(k);
                re[k][s] = spectrum.eigenvalue(i).re();
                reported[k][s] = spread[i];
                distances[k][s] = match.error(k);
                covered[k] += match.error(k) <= 2 * spread[i] ? 1 : 0;
            }
        }
        for (int k = 0; k < known.length; k++) {
            if (known[k][1] >= 0) {
                table.row(
                        subject.name(),
                        k + 1,
                        Figures.format(known[k][1] == 0 ? "%.4f" : "%.4f ± %.4fi", known[k][0], known[k][1]),
                        Figures.format("%.1e", Figures.mean(re[k]) - known[k][0]),
                        Figures.format("%.1e", Figures.scatter(re[k])),
                        Figures.format("%.1e", rootMeanSquare(distances[k])),
                        Figures.format("%.1e", Figures.median(reported[k])),
                        Figures.format("%.0f %%", 100.0 * covered[k] / seeds));
            }
        }
    }

    private static double rootMeanSquare(double[] values) {
        return Math.sqrt(Arrays.stream(values).map(v -> v * v).average().orElseThrow());
    }

    static Table table(PrintStream out) {
        return new Table(
                out,
                "system",
                "eigenvalue",
                "truth",
                "mean minus truth (re)",
                "scatter (re)",
                "error, root mean square",
                "reported standard error, median",
                "truth within 2 of them");
    }
}
