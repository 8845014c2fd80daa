package io.koopstream.tuning;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A race of kernels over a warm-up window: each learns it as a stream would, and {@link PrequentialScore} judges what it knew after a half and after
 * three quarters by the quarter that follows. The threshold ε is a cost, not a statistic: the smallest whose dictionary fits a budget, since λ is chosen
 * from the data whatever is kept. One thread.
 */
final class KernelRace {

    /** In units of the median distance between states. */
    static final double[] WIDTHS = {0.25, 0.5, 1, 2};

    static final double[] THRESHOLDS = {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};

    private static final double[] FINEST = {THRESHOLDS[THRESHOLDS.length - 1]};

    /** Delays that are tried beside none where the data have no period. */
    private static final int SOME_DELAYS = 8;

    /** Delays of a linear kernel, whose cost is small: a day of hours. */
    private static final int MANY_DELAYS = 24;

    /** Points that a candidate may keep of a stream four times as long: learning a row takes microseconds with them. */
    private static final int USUAL_POINTS = 150;

    /** The same without noise, where the error falls with every point. */
    private static final int MANY_POINTS = 500;

    /** Times one over the root of the number of pairs: delays must lower the score by that much, which is what chance does. */
    private static final double CHANCE = 1;

    /** The same of kernels on the same states: a stream will be some ten times longer than the window, and tell them apart that much better. */
    private static final double CHANCE_OF_KERNELS = 4;

    /** Below this share of persistence's error one step ahead there is no noise to speak of: the state is complete, and delays have nothing to add. */
    private static final double COMPLETE = 0.02;

    /** Domain of a linear kernel, in units of the largest state seen. */
    private static final double DOMAIN = 1000;

    /** Pairs at a time, which takes a third of the time of one by one. */
    private static final int BLOCK = 64;

    static final String GAUSSIAN = "Gaussian";

    private final WarmUpWindow window;
    private final AdvisorConfig config;
    private final List<Entry> entries = new ArrayList<>();

    /**
     * A kernel to be tried.
     *
     * @param family its kind, in words
     * @param width in units of the median distance between states; 0 where it has none
     */
    record Candidate(int delays, String family, double width, Kernel kernel) {}

    /**
     * A candidate that has run.
     *
     * @param score of {@link PrequentialScore}, the lower the better
     * @param oneStep error one step ahead over persistence's
     * @param points that a stream four times as long may keep
     * @param lambda ridge that serves its forecasts best
     */
    record Entry(Candidate candidate, double epsilon, double score, double oneStep, int points, double lambda) {}

    private static final Comparator<Entry> BY_SCORE = Comparator.comparingDouble(Entry::score);

    KernelRace(WarmUpWindow window, AdvisorConfig config) {
        this.window = window;
        this.config = config;
    }

    /** All that have run. */
    List<Entry> entries() {
        return entries;
    }

    /**
     * Runs the race. Without noise the least score wins. Else the winner is, of candidates that chance cannot tell apart, one with the fewest delays, and of
     * these the one that keeps most points, which sees more of a stream that is longer than the window. Null where every candidate keeps too many points.
     */
    Entry winner() {
        round(0, USUAL_POINTS, WIDTHS);
        if (entries.stream().anyMatch(entry -> entry.oneStep() <= COMPLETE)) {
            entries.clear();
            round(0, MANY_POINTS, WIDTHS);
            return entries.stream().min(BY_SCORE).orElse(null);
        }
        int period = window.period();
        boolean repeats = period > 0 && period <= config.maxDelays();
        round(repeats ? period : Math.min(SOME_DELAYS, config.maxDelays()), USUAL_POINTS, 1, 2);
        round(Math.min(MANY_DELAYS, config.maxDelays()), USUAL_POINTS);
        double chance = 1 / Math.sqrt(window.pairs());
        return entries.stream()
                .min(BY_SCORE)
                .flatMap(best -> entries.stream()
                        .filter(entry -> entry.score() <= best.score() + CHANCE * chance)
                        .min(Comparator.comparingInt(entry -> entry.candidate().delays())))
                .map(best -> entries.stream()
                        .filter(entry ->
                                entry.candidate().delays() == best.candidate().delays()
                                        && entry.score() <= best.score() + CHANCE_OF_KERNELS * chance)
                        .max(Comparator.comparingInt(Entry::points))
                        .orElse(best))
                .orElse(null);
    }

    /** Gaussians of these widths, a linear kernel, and the sum of the linear one and the best Gaussian. */
    private void round(int delays, int budget, double... widths) {
        PrequentialScore judge = new PrequentialScore(window, delays);
        boolean done = entries.stream().anyMatch(entry -> entry.candidate().delays() == delays);
        if (done || judge.states() < SettingsAdvisor.MIN_PAIRS) {
            return;
        }
        double median = window.medianDistance(delays);
        for (double width : widths) {
            enter(
                    new Candidate(delays, GAUSSIAN, width, gaussian(delays, WarmUpWindow.rounded(width * median))),
                    judge,
                    budget);
        }
        Kernel linear = linear(delays, true);
        enter(new Candidate(delays, "linear", 0, linear), judge, budget);
        if (delays == 0 && window.scales().length > 0) {
            enter(new Candidate(delays, "linear in one unit", 0, linear(delays, false)), judge, budget);
        }
        bestGaussian(delays)
                .ifPresent(gaussian -> enter(
                        new Candidate(
                                delays,
                                "linear + Gaussian",
                                gaussian.candidate().width(),
                                Kernels.sum(1, linear, 1, gaussian.candidate().kernel())),
                        judge,
                        budget));
    }

    /** The best Gaussian on states with this number of delays. */
    Optional<Entry> bestGaussian(int delays) {
        return entries.stream()
                .filter(entry -> entry.candidate().delays() == delays
                        && entry.candidate().family().equals(GAUSSIAN))
                .min(BY_SCORE);
    }

    private void enter(Candidate candidate, PrequentialScore judge, int budget) {
        // A linear kernel keeps one point a coordinate and one more at most.
        Entry entry = candidate.kernel().isAffine()
                ? run(candidate, judge, FINEST, config.maxDictionary())
                : run(candidate, judge, THRESHOLDS, budget);
        if (entry != null) {
            entries.add(entry);
        }
    }

    /** Learns the window with every threshold, the largest first, and judges the last that fits the budget; null where none does. */
    private Entry run(Candidate candidate, PrequentialScore judge, double[] thresholds, int budget) {
        int[] stops = {judge.states() / 2, judge.states() * 3 / 4};
        LeastSquaresState[] known = null;
        double epsilon = 0;
        int points = 0;
        for (double threshold : thresholds) {
            LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                    LeastSquaresConfig.forState(window.dimension() * (candidate.delays() + 1), candidate.kernel())
                            .epsilon(threshold)
                            .blockSize(BLOCK)
                            .holdOut(HoldOutConfig.DEFAULT_SHARE)
                            .targets(window.dimension())
                            .build());
            LeastSquaresState[] states = new LeastSquaresState[stops.length];
            int kept = learn(learner, judge, stops, states, Math.min(budget, config.maxDictionary()));
            if (kept < 0) {
                break;
            }
            known = states;
            epsilon = threshold;
            points = kept;
        }
        if (known == null) {
            return null;
        }
        double score = 0;
        double oneStep = 0;
        for (int s = 0; s < stops.length; s++) {
            int to = s + 1 < stops.length ? stops[s + 1] : judge.states();
            PrequentialScore.Verdict verdict = judge.judge(known[s], stops[s], to);
            score += verdict.score() / stops.length;
            oneStep += verdict.oneStep() / stops.length;
        }
        double lambda = known[stops.length - 1].forecastChoice().forecast();
        return new Entry(candidate, epsilon, score, oneStep, points, lambda);
    }

    /** Learns all pairs; returns the points that a stream four times as long may keep, or −1 where these are too many. */
    private static int learn(
            LeastSquaresLearner<KoopmanOperator> learner,
            PrequentialScore judge,
            int[] stops,
            LeastSquaresState[] states,
            int budget) {
        int half = 0;
        for (int i = 0; i < judge.states(); i++) {
            for (int s = 0; s < stops.length; s++) {
                if (i == stops[s]) {
                    states[s] = learner.state().settled();
                    half = s == 0 ? learner.dictionarySize() : half;
                }
            }
            if (judge.isPair(i)) {
                learner.update(judge.state(i), judge.state(i + 1));
            }
            if (learner.dictionarySize() > budget) {
                return -1;
            }
        }
        double growth = (double) learner.state().settled().dictionarySize() / Math.max(1, half);
        int projected = (int) Math.ceil(learner.dictionarySize() * growth * growth);
        return projected > budget ? -1 : projected;
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
