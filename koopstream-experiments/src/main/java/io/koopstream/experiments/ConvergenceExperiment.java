package io.koopstream.experiments;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.GridChain;
import io.koopstream.systems.TrajectoryStreams;
import io.koopstream.theory.ConvergenceTheory;
import io.koopstream.theory.FiniteTimeBound;
import io.koopstream.theory.Mixing;
import io.koopstream.theory.Mixing.Estimate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The convergence theory (section 6) against measurement: E‖U_t − U_λ‖² along single trajectories of a chain whose U_λ is
 * a finite sum, averaged over seeds, for constant and decaying steps and several budgets, with the bound where its conditions hold.
 */
public final class ConvergenceExperiment {

    /** κ(x,x) = 1. */
    public static final Kernel KERNEL = Kernels.gaussian(0.5);

    private static final Rkhs SPACE = new Rkhs(KERNEL, 1);

    private final GridChain chain = new GridChain();
    private final Mixing mixing = Mixing.ofChain(chain.transitionMatrix());
    private final int seeds;
    private final long seed;

    /**
     * A measured curve.
     *
     * @param config the settings
     * @param times numbers of samples
     * @param errors mean of ‖U_t − U_λ‖² over the seeds, one for each time
     * @param bounds the bound of Theorem 9, one for each time, NaN before it speaks; empty where it does not apply
     * @param theory what the theory says of the settings
     * @param dictionary mean size of the dictionary at the end
     */
    public record Curve(
            SogdConfig config,
            List<Integer> times,
            List<Double> errors,
            Optional<List<Double>> bounds,
            ConvergenceTheory theory,
            double dictionary) {

        /** The mean error over the readings in the second half of the trajectory: where a constant step settles. */
        public double floor() {
            int half = times.get(times.size() - 1) / 2;
            return IntStream.range(0, times.size())
                    .filter(i -> times.get(i) >= half)
                    .mapToDouble(errors::get)
                    .average()
                    .orElseThrow();
        }

        /** The slope of log error over log(t + r) in the last part of the curve, from {@code from} samples on, by least squares. */
        public double slope(int from) {
            double r = config.stepSize() instanceof StepSize.Decay decay ? decay.r() + 1 : 0;
            double n = 0;
            double sx = 0;
            double sy = 0;
            double sxx = 0;
            double sxy = 0;
            for (int i = 0; i < times.size(); i++) {
                if (times.get(i) >= from) {
                    double x = StrictMath.log(times.get(i) + r);
                    double y = StrictMath.log(errors.get(i));
                    n++;
                    sx += x;
                    sy += y;
                    sxx += x * x;
                    sxy += x * y;
                }
            }
            return (n * sxy - sx * sy) / (n * sxx - sx * sx);
        }

        /** The largest ratio of error to bound; below one when the bound holds. Zero where there is no bound. */
        public double largestShareOfBound() {
            double largest = 0;
            for (int i = 0; bounds.isPresent() && i < errors.size(); i++) {
                double bound = bounds.get().get(i);
                largest = Double.isNaN(bound) ? largest : Math.max(largest, errors.get(i) / bound);
            }
            return largest;
        }
    }

    /**
     * An experiment.
     *
     * @param seeds trajectories that are averaged
     */
    public ConvergenceExperiment(int seeds, long seed) {
        this.seeds = seeds;
        this.seed = seed;
    }

    /** The process. */
    public GridChain chain() {
        return chain;
    }

    /** Its mixing constants, which hold by proof. */
    public Mixing mixing() {
        return mixing;
    }

    /** Settings with this kernel. */
    public static SogdConfig config(double lambda, StepSize steps, Budget budget) {
        return SogdConfig.forState(1, KERNEL)
                .lambda(lambda)
                .stepSize(steps)
                .budget(budget)
                .build();
    }

    /** U_λ = C_{X⁺X} (C_XX + λ)⁻¹ with the covariances as sums over the states, weighted by the stationary law: exact to rounding. */
    public TransitionOperator minimiser(double lambda) {
        NewtonBasis basis = basis();
        Matrix coordinates = basis.coordinates(Points.of(1, chain.states()));
        double[] law = chain.stationaryLaw();
        double[][] transition = chain.transitionMatrix();
        int m = basis.size();
        Matrix covariance = new Matrix(m, m);
        Matrix cross = new Matrix(m, m);
        for (int i = 0; i < law.length; i++) {
            covariance.rankOne(1, law[i], coordinates.column(i), coordinates.column(i));
            double[] mean = new double[m];
            for (int j = 0; j < law.length; j++) {
                for (int k = 0; k < m; k++) {
                    mean[k] += transition[i][j] * coordinates.column(j)[k];
                }
            }
            cross.rankOne(1, law[i], mean, coordinates.column(i));
        }
        for (int k = 0; k < m; k++) {
            covariance.set(k, k, covariance.get(k, k) + lambda);
        }
        Matrix factor = Triangular.cholesky(covariance);
        Matrix solution = cross.transposed();
        for (int k = 0; k < m; k++) {
            Triangular.solve(factor, solution.column(k));
            Triangular.solveTransposed(factor, solution.column(k));
        }
        return new TransitionOperator(basis, basis.copy(), solution.transposed(), 0);
    }

    private NewtonBasis basis() {
        return NewtonBasis.spanning(SPACE, Points.of(1, chain.states()));
    }

    /**
     * Measures a curve.
     *
     * @param samples length of every trajectory
     * @param readings how many times, evenly spaced on a logarithmic scale from ten samples on
     */
    public Curve measure(SogdConfig config, int samples, int readings) {
        TransitionOperator minimiser = minimiser(config.lambda());
        int[] times = times(samples, readings);
        double[][] errors = new double[seeds][];
        double[] sizes = new double[seeds];
        // Every seed by itself, put together in the order of the seeds: the same numbers on any number of cores.
        IntStream.range(0, seeds).parallel().forEach(s -> {
            SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config);
            errors[s] = run(learner, minimiser, times, s);
            sizes[s] = learner.dictionarySize();
        });
        double[] mean = new double[times.length];
        for (double[] one : errors) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] += one[i] / seeds;
            }
        }
        ConvergenceTheory theory = ConvergenceTheory.of(config, mixing, minimiser.norm(), samples);
        return new Curve(
                config,
                Arrays.stream(times).boxed().toList(),
                Arrays.stream(mean).boxed().toList(),
                theory.bound().map(bound -> bounds(bound, times)),
                theory,
                Arrays.stream(sizes).average().orElseThrow());
    }

    private static List<Double> bounds(FiniteTimeBound bound, int[] times) {
        int[] late = Arrays.stream(times).filter(t -> t >= bound.start()).toArray();
        double[] values = bound.general(late);
        Double[] result = new Double[times.length];
        Arrays.fill(result, Double.NaN);
        for (int i = 0; i < late.length; i++) {
            result[times.length - late.length + i] = values[i];
        }
        return List.of(result);
    }

    private double[] run(SogdLearner<KoopmanOperator> learner, TransitionOperator minimiser, int[] times, int index) {
        UniformRandomProvider random = TrajectoryStreams.of(seed, index);
        double[] state = chain.initialState(random);
        double[] errors = new double[times.length];
        int t = 0;
        for (int i = 0; i < times.length; i++) {
            for (; t < times[i]; t++) {
                double[] next = state.clone();
                chain.step(next, random);
                learner.update(state, next);
                state = next;
            }
            double distance = learner.snapshot().distance(minimiser);
            errors[i] = distance * distance;
        }
        return errors;
    }

    /** Numbers of samples, evenly spaced on a logarithmic scale from ten on. */
    public static int[] times(int samples, int readings) {
        return IntStream.range(0, readings)
                .map(i -> (int) Math.round(10 * StrictMath.pow(samples / 10.0, (double) i / (readings - 1))))
                .distinct()
                .toArray();
    }

    /** The mixing rate as the learned spectrum shows it; the true one is the second eigenvalue of the chain. */
    public Estimate estimatedMixing(int samples) {
        var learner = io.koopstream.learner.leastsquares.LeastSquaresLearner.koopman(
                io.koopstream.learner.leastsquares.LeastSquaresConfig.forState(1, KERNEL)
                        .build());
        UniformRandomProvider random = TrajectoryStreams.of(seed, 0);
        double[] state = chain.initialState(random);
        for (int t = 0; t < samples; t++) {
            double[] next = state.clone();
            chain.step(next, random);
            learner.update(state, next);
            state = next;
        }
        return Estimate.of(Spectrum.leading(learner.snapshot(), 4));
    }

    /**
     * What would happen without the check of the step (docs/errata.md, 3): ‖U_t‖ for the iteration U ← U (I − η(φ⊗φ + λ)) + η φ⁺⊗φ, which no
     * learner here runs with such a step, along a path that stays near one state as paths at an equilibrium do.
     *
     * @param eta any positive step
     * @param count number of norms
     */
    public List<Double> normsWithoutTheCheck(double eta, double lambda, int count) {
        NewtonBasis basis = basis();
        Matrix coordinates = basis.coordinates(Points.of(1, chain.states()));
        int m = basis.size();
        Matrix matrix = new Matrix(m, m);
        UniformRandomProvider random = TrajectoryStreams.of(seed, 0);
        int middle = Math.floorDiv(coordinates.columns(), 2);
        int from = middle;
        Double[] norms = new Double[count];
        for (int t = 0; t < count; t++) {
            int to = middle + random.nextInt(3) - 1;
            double[] beta = coordinates.column(from);
            double[] error = new double[m];
            matrix.multiply(beta, error);
            for (int k = 0; k < m; k++) {
                error[k] = coordinates.column(to)[k] - error[k];
            }
            matrix.rankOne(1 - lambda * eta, eta, error, beta);
            norms[t] = matrix.frobeniusNorm();
            from = to;
        }
        return List.of(norms);
    }
}
