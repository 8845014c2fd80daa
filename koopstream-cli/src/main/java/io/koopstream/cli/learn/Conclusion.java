package io.koopstream.cli.learn;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.Clock;
import io.koopstream.answers.Eigenvalue;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.SetsAnswer;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.SetFacts;
import io.koopstream.spectrum.SpectralGap;
import io.koopstream.spectrum.Spectrum;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What was found, as one sentence for people and as the sets behind it. */
final class Conclusion {

    /** From this factor on a drop between neighbouring time scales is called a gap; the live page has the same rule. */
    private static final double MIN_GAP = 5;

    private final List<Eigenvalue> values;
    private final LambdaChoice choice;
    private final Clock clock;
    private final double gap;
    private MetastableSets sets;
    private List<SetFacts> facts = List.of();

    /**
     * @param spectrum the leading eigenpairs
     * @param values what is known about each of them
     * @param choice how well it forecasts one step; null for sogd
     * @param learned where sets are looked for
     */
    Conclusion(Spectrum spectrum, List<Eigenvalue> values, LambdaChoice choice, LearnedModel learned, Clock clock) {
        this.values = values;
        this.choice = choice;
        this.clock = clock;
        SpectralGap found = spectrum.size() < 2 ? null : SpectralGap.of(spectrum);
        this.gap = found == null ? 0 : found.ratio();
        if (isJudged() && gap >= MIN_GAP && found.sets() > 1 && isSlow(found.sets())) {
            try {
                sets = MetastableSets.of(spectrum.operator(), found.sets(), SetsAnswer.SEED);
                facts = SetsAnswer.of(learned, learned.forSpectra(Regularisation.USUAL), sets, clock)
                        .sets();
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
        return !values.get(k).isSpurious();
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
        return values.get(0).isJudged();
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
        long trusted = IntStream.range(0, values.size()).filter(this::isTrusted).count();
        return dynamics() + String.format(Locale.ROOT, "; %d of %d eigenvalues are trusted", trusted, values.size());
    }

    private String dynamics() {
        if (sets != null) {
            double[] exits = facts.stream()
                    .mapToDouble(SetFacts::meanExitTime)
                    .filter(Double::isFinite)
                    .toArray();
            String left = exits.length < facts.size()
                    ? "the slowest exchange between them takes " + time(decay(1))
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
        for (int k = 1; k < values.size(); k++) {
            if (isTrusted(k) && turns(k) && period(k) < 3 * decay(k)) {
                return "An oscillation of period " + time(period(k)) + " that "
                        + (clock.duration(decay(k)).equals("-") ? "does not decay" : "decays within " + time(decay(k)));
            }
        }
        for (int k = 1; k < values.size(); k++) {
            if (isTrusted(k) && !clock.duration(decay(k)).equals("-")) {
                return "No metastable sets; the slowest trusted mode decays within " + time(decay(k));
            }
        }
        return "Nothing slow that can be trusted";
    }

    /** Whether it turns: two eigenvalues that cannot be told apart may come out as a pair whose angle is only an error. */
    private boolean turns(int k) {
        double error = values.get(k).standardError();
        return Math.abs(values.get(k).im()) > (Double.isNaN(error) ? 1e-9 : 2 * error);
    }

    private double period(int k) {
        return 1 / Math.abs(values.get(k).frequency());
    }

    private double decay(int k) {
        return values.get(k).timescale();
    }

    private String time(double time) {
        return clock.duration(time) + (clock.isDated() ? "" : clock.isTold() ? " units of time" : " steps");
    }
}
