package io.koopstream.tuning;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Tries kernels and novelty thresholds on a warm-up window: least squares learns the window with each kernel, a share of it held out, and two errors judge
 * every threshold ({@link KernelFit}). Stateless but for the window.
 */
final class CandidateSearch {

    static final double[] WIDTHS = {0.25, 0.5, 1, 2};
    static final double[] THRESHOLDS = {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
    private static final double[] WIDTHS_OF_DELAYS = {1, 2, 4};
    private static final double[] THRESHOLDS_OF_DELAYS = {0.3, 0.2, 0.1, 0.05, 0.03, 0.01, 1e-3};

    /** Width, threshold and size that tell whether delays help at all. */
    private static final double SCREEN_WIDTH = 2;

    private static final double SCREEN_THRESHOLD = 1e-3;
    private static final int SCREEN_POINTS = 150;
    static final String GAUSSIAN = "Gaussian";
    private static final double HELD_OUT = 0.2;

    /** Errors of forecasts this near to the least are as good. */
    static final double TOLERANCE = 0.03;

    private static final double TOLERANCE_OF_DELAYS = 0.04;

    /** The same for {@link SpectralScore}, which chance moves as much from one window to the next. */
    private static final double SPECTRAL_TOLERANCE = 0.05;

    /** Below this, in units of the scale of κ, a ridge changes no eigenvalue that a window can tell. */
    private static final double SMALL_RIDGE = 1e-7;

    /** Below this share of persistence's error there is no noise to speak of: what forecasts well is true in every other respect. */
    static final double COMPLETE = 0.02;

    /** Above this share of persistence's error what comes is a matter of chance, and eigenvalues are what there is to learn. */
    static final double RANDOM = 0.2;

    /** Above this share of persistence's error there is nothing to be seen that a finer dictionary could see better. */
    private static final double HARDLY_BETTER = 0.98;

    /** What a stream of noisy data is given even where a window cannot tell what it is good for, and what no narrower kernel is worth. */
    private static final int POINTS_OF_NOISY = 60;

    private static final int MAX_POINTS_OF_NOISY = 150;

    private static final double FINEST_OF_NOISY = 0.03;

    /** Without noise a kernel that grows without bound must have this share of the error of one that does not. */
    private static final double MUCH_BETTER = 0.1;

    /** Without noise kernels with errors up to so many times the least are tried as a stream would learn them. */
    private static final double PROMISING = 30;

    private static final double PROMISING_OF_NOISY = 1.3;

    /** The share of another's error ahead of its data that tells them apart for certain. */
    static final double CLEARLY_BETTER = 0.8;

    /** The growth of a dictionary over the second half of the window may go on for two more doublings up to this. */
    private static final int MAX_PROJECTED = 500;

    /** A threshold that adds fewer points than this share is not tried. */
    private static final double MIN_GROWTH = 1.1;

    /** Domain of a linear kernel, in units of the largest state seen. */
    private static final double DOMAIN = 1000;

    private final AdvisorConfig config;
    private final WarmUpWindow window;

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
     * @param points that miss nothing of the window by more than the threshold; of a finalist what a stream four times as long may keep
     * @param path {@link PathError} of a finalist, else NaN
     * @param ahead the same on the last third of the window, learned from what came before, over persistence's; NaN likewise
     */
    record Trial(
            Candidate candidate,
            double epsilon,
            double forecast,
            double spectral,
            double lambda,
            int points,
            double path,
            double ahead) {

        private Trial ahead(double other) {
            return new Trial(candidate, epsilon, forecast, spectral, lambda, points, path, other);
        }
    }

    private static final Comparator<Trial> BY_POINTS = Comparator.comparingInt(Trial::points);

    CandidateSearch(WarmUpWindow window, AdvisorConfig config) {
        this.config = config;
        this.window = window;
    }

    private WindowPairs pairs(int delays) {
        List<double[][]> vectors = window.vectors(delays);
        return WindowPairs.count(vectors) < SettingsAdvisor.MIN_PAIRS
                ? null
                : new WindowPairs(vectors, window.dimension());
    }

    /** The error of the forecast with so many delays and the better of two kernels that suit most data; infinite when there are too few pairs. */
    double screen(int delays) {
        WindowPairs pairs = pairs(delays);
        if (pairs == null) {
            return Double.POSITIVE_INFINITY;
        }
        Kernel kernel = gaussian(delays, WarmUpWindow.rounded(SCREEN_WIDTH * window.medianDistance(delays)));
        double least = Double.POSITIVE_INFINITY;
        for (Kernel tried : List.of(kernel, linear(delays, true))) {
            KernelFit fit =
                    new KernelFit(tried, pairs, Math.min(SCREEN_POINTS, config.maxDictionary()), SCREEN_THRESHOLD);
            least = Math.min(least, fit.on(fit.points()).error());
        }
        return least;
    }

    /** The best settings with so many delays; null when every candidate keeps too many points. */
    Trial best(int delays, List<Trial> trials) {
        WindowPairs pairs = pairs(delays);
        if (pairs == null) {
            return null;
        }
        SpectralScore score = delays == 0 ? new SpectralScore(pairs, window.means(), window.deviations()) : null;
        double median = window.medianDistance(delays);
        for (double width : delays == 0 ? WIDTHS : WIDTHS_OF_DELAYS) {
            Kernel kernel = gaussian(delays, WarmUpWindow.rounded(width * median));
            descend(new Candidate(delays, GAUSSIAN, width, kernel), pairs, score, trials);
        }
        Trial gaussian =
                trials.stream().min(Comparator.comparingDouble(Trial::forecast)).orElse(null);
        Kernel linear = linear(delays, true);
        List<Trial> others = new ArrayList<>();
        if (window.scales().length > 0) {
            descend(new Candidate(delays, "linear in one unit", 0, linear(delays, false)), pairs, score, others);
        }
        descend(new Candidate(delays, "linear", 0, linear), pairs, score, others);
        if (gaussian != null) {
            Kernel sum = Kernels.sum(1, linear, 1, gaussian.candidate().kernel());
            descend(
                    new Candidate(
                            delays, "linear + Gaussian", gaussian.candidate().width(), sum),
                    pairs,
                    score,
                    others);
        }
        // A kernel that grows without bound must pay for it.
        double least = gaussian == null
                ? Double.POSITIVE_INFINITY
                : gaussian.forecast() * (gaussian.forecast() < COMPLETE ? MUCH_BETTER : 1 - TOLERANCE);
        others.stream().filter(trial -> trial.forecast() < least).forEach(trials::add);
        Trial best = chosen(trials);
        if (best == null || best.forecast() <= COMPLETE || trials.containsAll(others)) {
            return best;
        }
        Trial spare = others.stream()
                .min(Comparator.comparingDouble(Trial::forecast))
                .map(this::streamed)
                .orElse(null);
        if (spare == null) {
            return best;
        }
        // What fades far from all states seen cannot follow a trend. Whichever it is, forecasts are mixed with a linear
        // one.
        Trial taken = spare.ahead() < CLEARLY_BETTER * best.ahead() ? spare : best;
        return taken.ahead(Math.min(spare.ahead(), best.ahead()));
    }

    /** Tries thresholds, large ones first, as long as they lower an error and keep few enough points. */
    private void descend(Candidate candidate, WindowPairs pairs, SpectralScore score, List<Trial> trials) {
        double[] thresholds = candidate.delays() == 0 ? THRESHOLDS : THRESHOLDS_OF_DELAYS;
        KernelFit fit =
                new KernelFit(candidate.kernel(), pairs, config.maxDictionary(), thresholds[thresholds.length - 1]);
        double leastForecast = Double.POSITIVE_INFINITY;
        double leastSpectral = Double.POSITIVE_INFINITY;
        int idle = 0;
        int before = 0;
        for (double epsilon : thresholds) {
            int points = fit.size(epsilon);
            if (points < 0 || idle == 2) {
                return;
            }
            if (points < MIN_GROWTH * before) {
                continue;
            }
            before = points;
            KernelFit.Fit found = fit.on(points);
            boolean spectra = score != null && found.error() > COMPLETE;
            double ridge = Math.min(found.lambda(), SMALL_RIDGE * found.family().scale());
            Trial trial = new Trial(
                    candidate,
                    epsilon,
                    found.error(),
                    spectra ? score.error(found, ridge) : 0,
                    found.lambda(),
                    points,
                    Double.NaN,
                    Double.NaN);
            trials.add(trial);
            boolean better = trial.forecast() < (1 - TOLERANCE) * leastForecast
                    || trial.spectral() < (1 - TOLERANCE) * leastSpectral;
            leastForecast = Math.min(leastForecast, trial.forecast());
            leastSpectral = Math.min(leastSpectral, trial.spectral());
            idle = better || points < POINTS_OF_NOISY ? 0 : idle + 1;
        }
    }

    /** The finalist with the least error in the order of a stream, or a smaller one that is as good; one that would go on growing is no choice. */
    private Trial chosen(List<Trial> all) {
        List<Trial> left = new ArrayList<>(all);
        while (!left.isEmpty()) {
            List<Trial> finalists = finalists(left);
            List<Trial> real = finalists.stream()
                    .map(this::streamed)
                    .filter(Objects::nonNull)
                    .toList();
            if (!real.isEmpty()) {
                double least = leastForecast(left);
                boolean byPath = least <= RANDOM;
                return within(TOLERANCE, real, byPath ? CandidateSearch::overManySteps : Trial::forecast).stream()
                        .min(BY_POINTS)
                        // Errors that are NaN, of held-out runs in which nothing moves, tell nobody apart.
                        .orElseGet(() -> real.stream().min(BY_POINTS).orElseThrow());
            }
            left.removeIf(trial -> finalists.stream()
                    .anyMatch(failed ->
                            failed.candidate().equals(trial.candidate()) && trial.epsilon() <= failed.epsilon()));
        }
        return all.stream().min(BY_POINTS).orElse(null);
    }

    /**
     * What errors over many steps say: those within the window, where a median hides places that were seen once, times those on its end, which was not
     * learned yet; a kernel that is too wide for a slow drift shows there.
     */
    private static double overManySteps(Trial trial) {
        return Double.isNaN(trial.ahead()) ? trial.path() : Math.sqrt(trial.path() * trial.ahead());
    }

    private static double leastForecast(List<Trial> trials) {
        return trials.stream().mapToDouble(Trial::forecast).min().orElseThrow();
    }

    /**
     * What is tried in the order of a stream. Without noise the best threshold of every promising kernel and a coarser one, because order decides
     * how fine a dictionary can be; with little noise the largest threshold that is as good. Else the smallest dictionary of every kernel that is as good as the best. Data that can be forecast and have no delays get only the narrowest
     * kernel, with the largest dictionary up to {@value #POINTS_OF_NOISY} points: a window shows little of what slow eigenvalues lose to wide kernels and
     * coarse dictionaries.
     */
    private static List<Trial> finalists(List<Trial> trials) {
        double least = leastForecast(trials);
        boolean delayed = trials.get(0).candidate().delays() > 0;
        if (least <= RANDOM) {
            double limit = (least <= COMPLETE ? PROMISING : PROMISING_OF_NOISY) * least;
            List<Trial> promising =
                    trials.stream().filter(trial -> trial.forecast() <= limit).toList();
            List<Trial> best = ofEachKernel(promising, Comparator.comparingDouble(Trial::forecast));
            if (least <= COMPLETE) {
                List<Trial> coarser = promising.stream()
                        .filter(trial -> best.stream()
                                .anyMatch(other -> other.candidate().equals(trial.candidate())
                                        && trial.epsilon() > other.epsilon()))
                        .toList();
                List<Trial> both = new ArrayList<>(best);
                both.addAll(ofEachKernel(coarser, Comparator.comparingDouble(Trial::epsilon)));
                return both;
            }
            return ofEachKernel(
                    promising.stream()
                            .filter(trial -> best.stream()
                                    .anyMatch(other -> other.candidate().equals(trial.candidate())
                                            && trial.forecast() <= (1 + TOLERANCE) * other.forecast()))
                            .toList(),
                    BY_POINTS);
        }
        List<Trial> good = within(
                SPECTRAL_TOLERANCE,
                within(delayed ? TOLERANCE_OF_DELAYS : TOLERANCE, trials, Trial::forecast),
                Trial::spectral);
        List<Trial> smallest = ofEachKernel(good, BY_POINTS);
        double narrowest = smallest.stream()
                .filter(trial -> trial.points() <= MAX_POINTS_OF_NOISY)
                .mapToDouble(trial -> trial.candidate().width())
                .min()
                .orElse(-1);
        if (least >= HARDLY_BETTER || narrowest < 0 || delayed) {
            return smallest;
        }
        List<Trial> narrow = good.stream()
                .filter(trial -> trial.candidate().width() == narrowest)
                .sorted(BY_POINTS)
                .toList();
        return List.of(narrow.stream()
                .filter(trial -> trial.points() <= POINTS_OF_NOISY && trial.epsilon() >= FINEST_OF_NOISY)
                .reduce((smaller, larger) -> larger)
                .orElse(narrow.get(0)));
    }

    private static List<Trial> ofEachKernel(List<Trial> trials, Comparator<Trial> order) {
        Map<Candidate, Trial> first = new LinkedHashMap<>();
        trials.forEach(trial -> first.merge(trial.candidate(), trial, (a, b) -> order.compare(b, a) < 0 ? b : a));
        return List.copyOf(first.values());
    }

    private static List<Trial> within(double tolerance, List<Trial> trials, ToDoubleFunction<Trial> error) {
        double least = trials.stream().mapToDouble(error).min().orElseThrow();
        return trials.stream()
                .filter(trial -> error.applyAsDouble(trial) <= (1 + tolerance) * least)
                .toList();
    }

    /** The same in the order of the stream; null where it keeps too many points, now or four times as long if they go on growing like that. */
    private Trial streamed(Trial trial) {
        Candidate candidate = trial.candidate();
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(window.dimension() * (candidate.delays() + 1), candidate.kernel())
                        .epsilon(trial.epsilon())
                        .blockSize(64)
                        .holdOut(HELD_OUT)
                        .targets(window.dimension())
                        .build());
        List<double[][]> vectors = window.vectors(candidate.delays());
        int pairs = WindowPairs.count(vectors);
        int seen = 0;
        int half = 0;
        PathError.Ahead ahead = null;
        for (double[][] path : vectors) {
            for (int t = 0; t + 1 < path.length; t++) {
                learner.update(path[t], path[t + 1]);
                if (learner.dictionarySize() > config.maxDictionary()) {
                    return null;
                }
                half = 2 * seen++ < pairs ? learner.dictionarySize() : half;
                if (ahead != null) {
                    ahead.add(path[t], path[t + 1]);
                } else if (3 * seen >= 2 * pairs) {
                    LeastSquaresState before = learner.state().settled();
                    ahead = new PathError.Ahead(before, before.forecastChoice().forecast(), window.deviations());
                }
            }
        }
        LeastSquaresState state = learner.state().settled();
        double growth = (double) state.dictionarySize() / Math.max(1, half);
        double projected = Math.ceil(state.dictionarySize() * growth * growth);
        if (projected > MAX_PROJECTED) {
            return null;
        }
        LambdaChoice choice = state.forecastChoice();
        // The first runs of a short window hold too few pairs out to tell.
        double forecast = Double.isNaN(choice.forecastError()) ? trial.forecast() : choice.forecastError();
        return new Trial(
                candidate,
                trial.epsilon(),
                forecast,
                trial.spectral(),
                choice.forecast(),
                (int) projected,
                PathError.of(state, choice.forecast(), window.deviations()),
                ahead == null ? Double.NaN : ahead.overPersistence());
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

    /** x·x' + 1 in units of the constants that were seen, on a domain as wide as a double allows to tell such a constant in it. */
    Kernel linearOfConstants() {
        double[] units = Arrays.stream(window.means())
                .map(mean -> mean == 0 ? 1 : WarmUpWindow.rounded(Math.abs(mean)))
                .toArray();
        return Kernels.scaled(Kernels.linear(1, DOMAIN * DOMAIN * Math.sqrt(units.length)), units);
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
