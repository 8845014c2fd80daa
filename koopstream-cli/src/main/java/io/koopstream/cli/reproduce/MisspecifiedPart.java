package io.koopstream.cli.reproduce;

import io.koopstream.cli.plot.CurvePlot;
import io.koopstream.cli.plot.CurvePlot.Chart;
import io.koopstream.cli.plot.CurvePlot.Curve;
import io.koopstream.cli.plot.CurvePlot.Style;
import io.koopstream.experiments.ConvergenceExperiment;
import io.koopstream.experiments.FiniteChain;
import io.koopstream.experiments.MisspecifiedStudy;
import io.koopstream.experiments.MisspecifiedStudy.Learned;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.StepSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The part of the convergence experiment about K outside the smooth spaces: a chain with a jump in its drift beside the one without. */
final class MisspecifiedPart {

    static final Findings.Picture PICTURE = new Findings.Picture(
            "misspecified",
            "A jump in the drift. Left: B_src² of Assumption 2 over β. Middle: the bias ‖[K_λ] − K‖² in [H]^γ over λ with the jump, and the least of its bounds"
                    + " λ^(β−γ) B_src² (dashed). Right: ‖[K_t] − K‖² along learning, its bias (dashed in another colour, level) and its bound by Lemma 5 (dashed).");

    private static final double LAMBDA = 0.01;
    private static final double[] GAMMAS = {0.1, 0.3};
    private static final double[] BIAS_GAMMAS = {0, 0.2, 0.4};

    private final MisspecifiedStudy smooth = new MisspecifiedStudy(new FiniteChain(0.3, 0));
    private final MisspecifiedStudy jumping = new MisspecifiedStudy(new FiniteChain(0, 0.4));

    void run(ExperimentRun run, List<Finding> figures) throws IOException {
        run.progress().accept("a jump in the drift");
        double[] betas = MisspecifiedStudy.exponents();
        for (double beta : new double[] {0.1, 0.5}) {
            figures.add(Finding.reported(
                    "B_src² at β = " + beta + ", with a jump", jumping.chain().source(beta), ""));
            figures.add(Finding.reported(
                    "B_src² at β = " + beta + ", without", smooth.chain().source(beta), ""));
        }
        Chart sources = new Chart(
                "Source condition",
                "β",
                "B_src²",
                false,
                true,
                List.of(
                        new Curve("with a jump", betas, sources(jumping, betas), Style.LINE, 0),
                        new Curve("without", betas, sources(smooth, betas), Style.LINE, 1)));

        double[] lambdas = IntStream.rangeClosed(0, 20)
                .mapToDouble(i -> StrictMath.pow(10, -i / 4.0))
                .toArray();
        List<Curve> biases = new ArrayList<>();
        double largest = 0;
        for (int g = 0; g < BIAS_GAMMAS.length; g++) {
            double[] bias = jumping.bias(BIAS_GAMMAS[g], lambdas);
            double[] bound = jumping.biasBound(BIAS_GAMMAS[g], lambdas);
            biases.add(new Curve("γ = " + BIAS_GAMMAS[g], lambdas, bias, Style.LINE, g));
            biases.add(new Curve("bound", lambdas, bound, Style.DASHED, g));
            for (int i = 0; i < bias.length; i++) {
                largest = Math.max(largest, bias[i] / bound[i]);
            }
        }
        figures.add(new Finding(
                "largest bias over the least λ^(β−γ) B_src²", largest, "", "at most 1 (erratum 12)", largest <= 1));

        int samples = run.reduced() ? 2_000 : 40_000;
        int[] times = ConvergenceExperiment.times(samples, 24);
        Learned learned = jumping.learn(
                ConvergenceExperiment.config(LAMBDA, StepSize.decay(5, 50, 0.6), Budget.proportional(1)),
                GAMMAS,
                times,
                run.reduced() ? 4 : 10,
                run.seed());
        double[] at = Arrays.stream(times).asDoubleStream().toArray();
        List<Curve> curves = new ArrayList<>();
        double share = 0;
        for (int g = 0; g < GAMMAS.length; g++) {
            double[] errors = learned.errors().get(g);
            double[] bias = new double[at.length];
            Arrays.fill(bias, learned.biases().get(g));
            curves.add(new Curve("γ = " + GAMMAS[g], at, errors, Style.LINE, g));
            curves.add(new Curve("Lemma 5", at, learned.lemma().get(g), Style.DASHED, g));
            curves.add(new Curve("bias", at, bias, Style.DASHED, g + 2));
            for (int i = 0; i < at.length; i++) {
                share = Math.max(share, errors[i] / learned.lemma().get(g)[i]);
            }
            figures.add(Finding.reported(
                    "‖[K_t] − K‖² over its bias at the end, γ = " + GAMMAS[g],
                    errors[at.length - 1] / learned.biases().get(g),
                    ""));
        }
        figures.add(new Finding("largest share of Lemma 5's bound, with a jump", share, "", "at most 1", share <= 1));
        CurvePlot.of(List.of(
                        sources,
                        new Chart("Bias, with a jump", "λ", "‖[K_λ] − K‖²", true, true, biases),
                        new Chart("Along learning, λ = " + LAMBDA, "samples", "‖[K_t] − K‖²", true, true, curves)))
                .write(run.folder(), PICTURE.name());
    }

    private static double[] sources(MisspecifiedStudy study, double[] betas) {
        return Arrays.stream(betas).map(study.chain()::source).toArray();
    }
}
