package io.koopstream.tuning;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Tries kernels and novelty thresholds on a warm-up window: least squares learns the window with each, a share of it held out, and two errors judge it.
 * Of all that are as good as the best the one with the smallest dictionary is taken. Stateless but for the window.
 */
final class CandidateSearch {

    static final double[] WIDTHS = {0.25, 0.5, 1, 2};
    static final double[] THRESHOLDS = {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
    private static final double[] WIDTHS_OF_DELAYS = {1, 2, 4};
    private static final double[] THRESHOLDS_OF_DELAYS = {0.3, 0.2, 0.1, 0.05, 0.03};
    /** Width and threshold that tell whether delays help at all. */
    private static final double SCREEN_WIDTH = 2;

    private static final double SCREEN_THRESHOLD = 0.1;
    static final String GAUSSIAN = "Gaussian";
    private static final double HELD_OUT = 0.2;

    /** Errors of forecasts this near to the least are as good. */
    static final double TOLERANCE = 0.03;

    /** The same for {@link SpectralScore}, which sees little of what slow eigenvalues lose. */
    private static final double SPECTRAL_TOLERANCE = 0.005;

    /** Below this, in units of the scale of κ, a ridge changes no eigenvalue that a window can tell. */
    private static final double SMALL_RIDGE = 1e-7;

    /** Below this share of persistence's error there is no noise to speak of: what forecasts well is true in every other respect. */
    static final double COMPLETE = 0.05;

    /** The growth of a dictionary over the second half of the window may go on for two more doublings up to this. */
    static final int MAX_PROJECTED = 600;

    /** Domain of a linear kernel, in units of the largest state seen. */
    private static final double DOMAIN = 1000;

    private final AdvisorConfig config;
    private final WarmUpWindow window;
    private final SpectralScore score;

    /**
     * A kernel to be tried with thresholds.
     *
     * @param delays delays in the states
     * @param family its kind, in words
     * @param width in units of the median distance between states; 0 where it has none
     * @param kernel the kernel
     */
    record Candidate(int delays, String family, double width, Kernel kernel) {}

    /**
     * A candidate that was tried.
     *
     * @param candidate the kernel
     * @param epsilon the threshold
     * @param forecast error one step ahead, over persistence's
     * @param spectral {@link SpectralScore}; 0 with delays, and without noise
     * @param lambda the ridge that serves its forecasts best
     * @param kept points of the window that it keeps
     * @param projected points of a stream four times as long, if it goes on like that
     */
    record Trial(
            Candidate candidate,
            double epsilon,
            double forecast,
            double spectral,
            double lambda,
            int kept,
            double projected) {}

    /** The error of the forecast with so many delays and one kernel that suits most data; infinite when there are too few pairs. */
    double screen(int delays) {
        List<double[][]> vectors = window.vectors(delays);
        if (isShort(vectors)) {
            return Double.POSITIVE_INFINITY;
        }
        Kernel kernel = gaussian(delays, WarmUpWindow.rounded(SCREEN_WIDTH * window.medianDistance(delays)));
        Trial trial = attempt(new Candidate(delays, GAUSSIAN, SCREEN_WIDTH, kernel), SCREEN_THRESHOLD, vectors);
        return trial == null ? Double.POSITIVE_INFINITY : trial.forecast();
    }

    private static boolean isShort(List<double[][]> vectors) {
        return vectors.stream().mapToInt(path -> path.length - 1).sum() < SettingsAdvisor.MIN_PAIRS;
    }

    CandidateSearch(WarmUpWindow window, AdvisorConfig config) {
        this.config = config;
        this.window = window;
        this.score = new SpectralScore(window.means(), window.deviations());
    }

    /** The best settings with so many delays; null when every candidate keeps too many points. */
    Trial best(int delays, List<Trial> trials) {
        List<double[][]> vectors = window.vectors(delays);
        if (isShort(vectors)) {
            return null;
        }
        double median = window.medianDistance(delays);
        for (double width : delays == 0 ? WIDTHS : WIDTHS_OF_DELAYS) {
            Kernel kernel = gaussian(delays, WarmUpWindow.rounded(width * median));
            descend(new Candidate(delays, GAUSSIAN, width, kernel), vectors, trials);
        }
        Trial gaussian =
                trials.stream().min(Comparator.comparingDouble(Trial::forecast)).orElse(null);
        Kernel linear = linear(delays, true);
        List<Trial> others = new ArrayList<>();
        if (window.scales().length > 0) {
            descend(new Candidate(delays, "linear in one unit", 0, linear(delays, false)), vectors, others);
        }
        descend(new Candidate(delays, "linear", 0, linear), vectors, others);
        if (gaussian != null) {
            Kernel sum = Kernels.sum(1, linear, 1, gaussian.candidate().kernel());
            descend(
                    new Candidate(
                            delays, "linear + Gaussian", gaussian.candidate().width(), sum),
                    vectors,
                    others);
        }
        // A kernel that grows without bound must pay for it.
        double least = gaussian == null ? Double.POSITIVE_INFINITY : gaussian.forecast();
        others.stream()
                .filter(trial -> trial.forecast() < (1 - TOLERANCE) * least)
                .forEach(trials::add);
        return chosen(trials);
    }

    /** Tries thresholds, large ones first, as long as they lower an error and keep few enough points. */
    private void descend(Candidate candidate, List<double[][]> vectors, List<Trial> trials) {
        double leastForecast = Double.POSITIVE_INFINITY;
        double leastSpectral = Double.POSITIVE_INFINITY;
        int idle = 0;
        for (double epsilon : candidate.delays() == 0 ? THRESHOLDS : THRESHOLDS_OF_DELAYS) {
            Trial trial = attempt(candidate, epsilon, vectors);
            if (trial == null) {
                return;
            }
            trials.add(trial);
            boolean better = trial.forecast() < (1 - TOLERANCE) * leastForecast
                    || trial.spectral() < (1 - TOLERANCE) * leastSpectral;
            leastForecast = Math.min(leastForecast, trial.forecast());
            leastSpectral = Math.min(leastSpectral, trial.spectral());
            idle = better ? 0 : idle + 1;
            if (idle == 2) {
                return;
            }
        }
    }

    /** Learns the window with a candidate; null when too many points are kept. */
    private Trial attempt(Candidate candidate, double epsilon, List<double[][]> vectors) {
        int dimension = window.dimension() * (candidate.delays() + 1);
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(dimension, candidate.kernel())
                        .epsilon(epsilon)
                        .blockSize(64)
                        .holdOut(HELD_OUT)
                        .targets(window.dimension())
                        .build());
        List<double[]> learned = new ArrayList<>();
        int pairs = vectors.stream().mapToInt(path -> path.length - 1).sum();
        int seen = 0;
        int half = 0;
        for (double[][] path : vectors) {
            for (int t = 0; t + 1 < path.length; t++) {
                if (learner.update(path[t], path[t + 1]) != StepOutcome.HELD_OUT) {
                    learned.add(path[t]);
                }
                if (learner.dictionarySize() > config.maxDictionary()) {
                    return null;
                }
                half = 2 * seen++ < pairs ? learner.dictionarySize() : half;
            }
        }
        LeastSquaresState state = learner.state().settled();
        if (state.dictionarySize() > config.maxDictionary()) {
            return null;
        }
        var choice = state.forecastChoice();
        double scale = state.family().scale();
        double lambda = Math.min(choice.forecast(), SMALL_RIDGE * scale);
        boolean spectra = candidate.delays() == 0 && choice.forecastError() > COMPLETE;
        double growth = (double) state.dictionarySize() / Math.max(1, half);
        return new Trial(
                candidate,
                epsilon,
                choice.forecastError(),
                spectra ? score.error(state, lambda, learned) : 0,
                choice.forecast(),
                state.dictionarySize(),
                state.dictionarySize() * growth * growth);
    }

    /** The smallest dictionary among the candidates that are as good as the best. */
    private static Trial chosen(List<Trial> all) {
        if (all.isEmpty()) {
            return null;
        }
        List<Trial> bounded =
                all.stream().filter(trial -> trial.projected() <= MAX_PROJECTED).toList();
        List<Trial> trials = bounded.isEmpty() ? all : bounded;
        double leastForecast =
                trials.stream().mapToDouble(Trial::forecast).min().orElseThrow();
        Trial mostTrue =
                trials.stream().min(Comparator.comparingDouble(Trial::spectral)).orElseThrow();
        Trial best = null;
        Trial fallback = null;
        for (Trial trial : trials) {
            if (trial.forecast() <= (1 + TOLERANCE) * leastForecast) {
                boolean isTrue = trial.spectral() <= (1 + SPECTRAL_TOLERANCE) * mostTrue.spectral();
                if (isTrue && (best == null || trial.kept() < best.kept())) {
                    best = trial;
                }
                if (fallback == null || trial.spectral() < fallback.spectral()) {
                    fallback = trial;
                }
            }
        }
        return best != null ? best : fallback;
    }

    private double[] scales(int delays) {
        double[] own = window.scales();
        double[] all = new double[own.length * (delays + 1)];
        for (int c = 0; c < all.length; c++) {
            all[c] = own[c % own.length];
        }
        return all;
    }

    /** A Gaussian in the units of the window. */
    Kernel gaussian(int delays, double sigma) {
        Kernel gaussian = Kernels.gaussian(sigma);
        return window.scales().length == 0 ? gaussian : Kernels.scaled(gaussian, scales(delays));
    }

    /** x·x' + 1 in units in which a coordinate varies by about one: each in its own, or all in that of the one that varies most. */
    private Kernel linear(int delays, boolean ownUnits) {
        double[] units = new double[window.dimension() * (delays + 1)];
        double largest = Arrays.stream(window.deviations()).max().orElseThrow();
        for (int c = 0; c < units.length; c++) {
            units[c] = WarmUpWindow.rounded(ownUnits ? window.deviations()[c % window.dimension()] : largest);
        }
        return Kernels.scaled(Kernels.linear(1, WarmUpWindow.rounded(DOMAIN * largestNorm(delays, units))), units);
    }

    private double largestNorm(int delays, double[] units) {
        double largest = 1;
        for (double[][] path : window.vectors(delays)) {
            for (double[] state : path) {
                double sum = 0;
                for (int c = 0; c < units.length; c++) {
                    double z = state[c] / units[c];
                    sum = Math.fma(z, z, sum);
                }
                largest = Math.max(largest, Math.sqrt(sum));
            }
        }
        return largest;
    }
}
