package io.koopstream.experiments;

import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.systems.TrajectoryStreams;
import io.koopstream.theory.FiniteTimeBound.Constants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The mis-specified setting (section 4 and 6) measured: B_src(β), the bias of K_λ, and ‖[K_t] − K‖ in [H]^γ along learning beside Lemma 5. A function of its
 * settings and a seed.
 *
 * @param chain the process
 */
public record MisspecifiedStudy(FiniteChain chain) {

    /** The exponents at which Assumption 2 is looked at: 0.05, 0.1, …, 0.95. */
    public static double[] exponents() {
        return IntStream.range(1, 20).mapToDouble(i -> 0.05 * i).toArray();
    }

    /** ‖[K_λ] − K‖² in HS(H, [H]^γ) for each λ. */
    public double[] bias(double gamma, double[] lambdas) {
        return Arrays.stream(lambdas)
                .map(lambda -> chain.squaredError(chain.minimiser(lambda), gamma))
                .toArray();
    }

    /** The least of its bounds λ^(β−γ) B_src²(β) over the exponents β ≥ γ (docs/errata.md, 12), for each λ. */
    public double[] biasBound(double gamma, double[] lambdas) {
        return Arrays.stream(lambdas)
                .map(lambda -> Arrays.stream(exponents())
                        .filter(beta -> beta >= gamma)
                        .map(beta -> StrictMath.pow(lambda, beta - gamma) * chain.source(beta))
                        .min()
                        .orElseThrow())
                .toArray();
    }

    /**
     * Errors along learning, means over trajectories.
     *
     * @param errors of ‖[K_t] − K‖² in [H]^γ, one for each time, by γ
     * @param lemma its bound by Lemma 5 from the measured ‖U_t − U_λ‖², with β = γ
     * @param biases ‖[K_λ] − K‖² for each γ, which the errors fall to
     */
    public record Learned(List<double[]> errors, List<double[]> lemma, List<Double> biases) {}

    /**
     * Learns along trajectories.
     *
     * @param gammas exponents, in (0, 1)
     * @param seeds number of trajectories
     */
    public Learned learn(SogdConfig config, double[] gammas, int[] times, int seeds, long seed) {
        TransitionOperator minimiser = chain.minimiser(config.lambda());
        // A row of errors for each exponent, and the squared distance from U_λ in the last.
        double[][][] runs = new double[seeds][][];
        IntStream.range(0, seeds).parallel().forEach(s -> runs[s] = run(config, gammas, times, minimiser, seed, s));
        double[][] mean = new double[gammas.length + 1][times.length];
        for (double[][] run : runs) {
            for (int g = 0; g < mean.length; g++) {
                for (int i = 0; i < times.length; i++) {
                    mean[g][i] += run[g][i] / seeds;
                }
            }
        }
        double bound = config.input().kernel().bound();
        Constants constants =
                new Constants(bound, config.lambda(), 0, config.stepSize().at(1), 0);
        List<double[]> lemma = new ArrayList<>();
        List<Double> biases = new ArrayList<>();
        for (double gamma : gammas) {
            double source = Math.sqrt(chain.source(gamma));
            lemma.add(Arrays.stream(mean[gammas.length])
                    .map(distance -> constants.koopmanError(distance, gamma, source))
                    .toArray());
            biases.add(chain.squaredError(minimiser, gamma));
        }
        return new Learned(List.of(mean).subList(0, gammas.length), lemma, biases);
    }

    private double[][] run(
            SogdConfig config, double[] gammas, int[] times, TransitionOperator minimiser, long seed, int index) {
        UniformRandomProvider random = TrajectoryStreams.of(seed, index);
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config);
        double[][] errors = new double[gammas.length + 1][times.length];
        int state = random.nextInt(chain.size());
        int t = 0;
        for (int i = 0; i < times.length; i++) {
            for (; t < times[i]; t++) {
                int next = chain.next(state, random);
                learner.update(chain.state(state), chain.state(next));
                state = next;
            }
            KoopmanOperator operator = learner.snapshot();
            for (int g = 0; g < gammas.length; g++) {
                errors[g][i] = chain.squaredError(operator, gammas[g]);
            }
            double distance = operator.distance(minimiser);
            errors[gammas.length][i] = distance * distance;
        }
        return errors;
    }
}
