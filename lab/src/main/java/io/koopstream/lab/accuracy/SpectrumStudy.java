package io.koopstream.lab.accuracy;

import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import java.util.Arrays;

/** One method on streams of one system: dictionary size, eigenvalue errors and spurious eigenvalues at a few numbers of samples. */
final class SpectrumStudy {

    /** An eigenvalue of a Koopman operator beyond this modulus is spurious for certain. */
    static final double MAX_MODULUS = 1.005;

    /** Learned eigenvalues looked at beyond the known ones, to count spurious ones. */
    private static final int SPARE = 6;

    /** Eigenpairs are judged on pairs of streams that nobody learned from. */
    private static final int TEST_SEEDS = 1001;

    private static final int TEST_PAIRS = 1000;

    private SpectrumStudy() {}

    /**
     * What was found over the seeds after a number of samples; arrays have one entry a seed.
     *
     * <p>{@code leading} and {@code following}: the largest error of the eigenvalues before and from {@code split} on. {@code outside}: eigenvalues of modulus
     * above {@value #MAX_MODULUS}; {@code unflagged}: those of them not called spurious by the trust report; {@code accused}: known eigenvalues whose partner
     * was called spurious.
     */
    static final class Outcome {
        final int[] sizes;
        final double[] leading;
        final double[] following;
        final int[] outside;
        final int[] unflagged;
        final int[] accused;

        private Outcome(int seeds) {
            sizes = new int[seeds];
            leading = new double[seeds];
            following = new double[seeds];
            outside = new int[seeds];
            unflagged = new int[seeds];
            accused = new int[seeds];
        }
    }

    /** How a learner is made; a fresh one for every seed. */
    @FunctionalInterface
    interface Start {
        Method.Run run();
    }

    /**
     * Runs over the seeds 1, 2, ….
     *
     * @param split eigenvalues that count as leading
     * @param marks numbers of samples after which to look, rising
     */
    static Outcome[] run(Subject subject, Start start, int seeds, int split, int... marks) {
        Outcome[] outcomes = new Outcome[marks.length];
        Arrays.setAll(outcomes, i -> new Outcome(seeds));
        double[][] known = subject.known();
        for (int s = 0; s < seeds; s++) {
            PairStream stream = subject.stream(s + 1);
            PairStream test = subject.stream(TEST_SEEDS + s).first(TEST_PAIRS);
            Method.Run run = start.run();
            int fed = 0;
            for (int i = 0; i < marks.length; i++) {
                run.feed(stream, fed, marks[i]);
                fed = marks[i];
                look(run, test, known, split, outcomes[i], s);
            }
        }
        return outcomes;
    }

    private static void look(Method.Run run, PairStream test, double[][] known, int split, Outcome outcome, int seed) {
        Spectrum spectrum = run.spectrum(known.length + SPARE);
        TrustReport trust = run.trust(spectrum, test);
        Complex[] learned = spectrum.eigenvalues();
        // As many as are known, so that a stray among the leading ones takes the place of a right one and counts as an
        // error.
        EigenvalueMatch match = EigenvalueMatch.of(Arrays.copyOf(learned, known.length), known);
        outcome.sizes[seed] = run.dictionarySize();
        outcome.leading[seed] = match.largest(0, split);
        outcome.following[seed] = match.largest(split, known.length);
        for (int i = 0; i < learned.length; i++) {
            if (learned[i].modulus() > MAX_MODULUS) {
                outcome.outside[seed]++;
                outcome.unflagged[seed] += trust.pair(i).spurious() ? 0 : 1;
            }
        }
        for (int k = 0; k < known.length; k++) {
            outcome.accused[seed] += trust.pair(match.partner(k)).spurious() ? 1 : 0;
        }
    }

    /** Learners of a method with the settings of a subject. */
    static Start with(Method method, Subject subject) {
        return () -> method.start(
                subject.system().dimension(),
                subject.kernel(),
                subject.lambda(),
                subject.epsilon(),
                TrustRule.stochastic());
    }
}
