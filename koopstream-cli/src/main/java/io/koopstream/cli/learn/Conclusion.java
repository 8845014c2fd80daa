package io.koopstream.cli.learn;

import io.koopstream.KoopstreamException;
import io.koopstream.cli.shell.Clock;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.SetFacts;
import io.koopstream.spectrum.SpectralGap;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What was found, as one sentence for people and as the sets behind it. */
final class Conclusion {

    /** From this factor on a drop between neighbouring time scales is called a gap; the live page has the same rule. */
    private static final double MIN_GAP = 5;

    private static final long SEED = 1;

    private final Spectrum spectrum;
    private final TrustReport trust;
    private final LambdaChoice choice;
    private final Clock clock;
    private final double gap;
    private MetastableSets sets;
    private List<SetFacts> facts = List.of();

    /**
     * @param trust how far each eigenvalue can be trusted; null when nothing was held out to tell
     * @param choice how well it forecasts one step; null for sogd
     * @param visited states that were held out; may be empty
     */
    Conclusion(Spectrum spectrum, TrustReport trust, LambdaChoice choice, double[][] visited, Clock clock) {
        this.spectrum = spectrum;
        this.trust = trust;
        this.choice = choice;
        this.clock = clock;
        SpectralGap found = spectrum.size() < 2 ? null : SpectralGap.of(spectrum);
        this.gap = found == null ? 0 : found.ratio();
        if (trust != null && gap >= MIN_GAP && found.sets() > 1 && isSlow(found.sets())) {
            try {
                sets = MetastableSets.of(spectrum.operator(), found.sets(), SEED);
                facts = SetFacts.of(spectrum.operator(), sets, visited, clock.dt());
            } catch (KoopstreamException e) {
                // A dictionary that cannot be clustered has no sets to tell of.
                sets = null;
            }
        }
    }

    private boolean isSlow(int count) {
        return IntStream.range(0, count).allMatch(k -> isTrusted(k) && !turns(k));
    }

    private boolean isTrusted(int k) {
        return !trust.pair(k).spurious();
    }

    /** The sets that the gap of the spectrum speaks for; empty when there is no such gap. */
    Optional<MetastableSets> sets() {
        return Optional.ofNullable(sets);
    }

    /** What is known of each of them. */
    List<SetFacts> facts() {
        return facts;
    }

    /** Whether enough pairs were held out to validate eigenvalues. */
    boolean isJudged() {
        return trust != null;
    }

    String sentence() {
        String text = isJudged() ? found() : "Too few pairs were held out to say which eigenvalues can be trusted";
        return choice == null || !choice.isChosen()
                ? text + "."
                : text
                        + String.format(
                                Locale.ROOT,
                                "; the error one step ahead is %.2g times that of \"no change\".",
                                choice.forecastError());
    }

    private String found() {
        long trusted =
                IntStream.range(0, spectrum.size()).filter(this::isTrusted).count();
        return dynamics() + String.format(Locale.ROOT, "; %d of %d eigenvalues are trusted", trusted, spectrum.size());
    }

    private String dynamics() {
        if (sets != null) {
            double[] exits = facts.stream()
                    .mapToDouble(SetFacts::meanExitTime)
                    .filter(Double::isFinite)
                    .toArray();
            String left = exits.length < facts.size()
                    ? "the slowest exchange between them takes " + time(spectrum.timescales(clock.dt())[1])
                    : "each is left after "
                            + clock.duration(DoubleStream.of(exits).min().orElseThrow()) + " to "
                            + time(DoubleStream.of(exits).max().orElseThrow()) + " on average";
            return String.format(
                    Locale.ROOT,
                    "%d metastable sets; %s; after eigenvalue %d the time scales drop by a factor of %.2g",
                    facts.size(),
                    left,
                    facts.size(),
                    gap);
        }
        for (int k = 1; k < spectrum.size(); k++) {
            if (isTrusted(k) && turns(k) && period(k) < 3 * decay(k)) {
                return "An oscillation of period " + time(period(k)) + " that "
                        + (clock.duration(decay(k)).equals("-") ? "does not decay" : "decays within " + time(decay(k)));
            }
        }
        for (int k = 1; k < spectrum.size(); k++) {
            if (isTrusted(k) && !clock.duration(decay(k)).equals("-")) {
                return "No metastable sets; the slowest trusted mode decays within " + time(decay(k));
            }
        }
        return "Nothing slow that can be trusted";
    }

    /** Whether it turns: two eigenvalues that cannot be told apart may come out as a pair whose angle is only an error. */
    private boolean turns(int k) {
        double error = trust.pair(k).standardError();
        return Math.abs(spectrum.eigenvalue(k).im()) > (Double.isNaN(error) ? 1e-9 : 2 * error);
    }

    private double period(int k) {
        return 1 / Math.abs(spectrum.frequencies(clock.dt())[k]);
    }

    private double decay(int k) {
        return spectrum.timescales(clock.dt())[k];
    }

    private String time(double time) {
        return clock.duration(time) + (clock.isDated() ? "" : clock.isTold() ? " units of time" : " steps");
    }
}
