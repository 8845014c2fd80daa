package io.koopstream.cli.shell;

import io.koopstream.answers.Clock;
import io.koopstream.answers.Horizon;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRecord.Accuracy;
import io.koopstream.forecast.ForecastRecord.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Errors of the forecasts of a stream and coverage of their bands, by horizon. */
public final class AccuracyTable {

    /** Horizons that are printed when none were asked for: each about twice the one before. JSON has them all. */
    private static final List<Integer> SHOWN = List.of(1, 4, 12, 24, 48, 96);

    /** From this ratio to the best baseline's error on, two digits say that nothing is gained. */
    private static final double NO_GAIN = 0.995;

    private final List<Accuracy> judged;
    private final List<Integer> asked;
    private final List<Integer> unjudged;
    /** The same of forecasts that knew the inputs of the rows ahead; null where there are none. */
    private final AccuracyTable given;

    /** @param record null where forecasts were not judged */
    public AccuracyTable(ForecastRecord record) {
        this(record, null);
    }

    /** @param horizons that were asked for; null where none were */
    public AccuracyTable(ForecastRecord record, List<Integer> horizons) {
        asked = horizons == null ? SHOWN : horizons;
        judged = record == null ? List.of() : Horizon.judged(record);
        unjudged = record == null || horizons == null
                ? List.of()
                : IntStream.of(record.horizons())
                        .boxed()
                        .filter(horizons::contains)
                        .filter(steps -> judged.stream().noneMatch(one -> one.horizon() == steps))
                        .toList();
        given = record == null
                ? null
                : record.given().map(one -> new AccuracyTable(one, horizons)).orElse(null);
    }

    /** True where nothing was judged yet. */
    public boolean isEmpty() {
        return judged.isEmpty();
    }

    /** The horizons with enough targets, ascending. */
    public List<Accuracy> judged() {
        return judged;
    }

    private List<Accuracy> shown() {
        return judged.stream().filter(one -> asked.contains(one.horizon())).toList();
    }

    /** Prints the table. */
    public void print(Console console, Clock clock) {
        console.say(
                "Forecasts, each judged before its target was learned (errors over the standard deviation of the rows):");
        console.say("   ahead      error   last row   last period   regression   Koopman   in 80 %   in 95 %");
        printRows(console, clock);
        if (!unjudged.isEmpty()) {
            console.say("Too few rows to judge forecasts of %s rows ahead.", joined(unjudged));
        }
        if (given != null && !given.isEmpty()) {
            console.say("The same, given the inputs of the rows ahead:");
            given.printRows(console, clock);
        }
    }

    private void printRows(Console console, Clock clock) {
        for (Accuracy one : shown()) {
            console.say(
                    "%8s %10.3f %10.3f %13s %12s %9s %9s %9s",
                    clock.isDated() ? clock.duration(one.horizon() * clock.dt()) : one.horizon(),
                    one.error(),
                    one.least(Member.LAST_ROW),
                    text(one.least(Member.SEASON)),
                    text(one.least(Member.LEVELS, Member.INCREMENTS)),
                    text(one.least(Member.PATH, Member.OPERATOR)),
                    share(one.held80()),
                    share(one.held95()));
        }
    }

    private static String text(double error) {
        return Double.isNaN(error) ? "-" : String.format(Locale.ROOT, "%.3f", error);
    }

    /** In per cent; nothing while no target came that a band was announced for. */
    private static String share(double held) {
        return Double.isNaN(held) ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * held);
    }

    private static String joined(List<Integer> horizons) {
        return String.join(", ", horizons.stream().map(h -> Integer.toString(h)).toList());
    }

    /** One sentence that says at which of the horizons shown forecasts are better than every baseline. */
    public String verdict() {
        List<Integer> good = new ArrayList<>();
        List<Integer> bad = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (Accuracy one : shown()) {
            (one.ratio() < NO_GAIN ? good : bad).add(one.horizon());
            least = Math.min(least, one.ratio());
        }
        String best = String.format(Locale.ROOT, "%.2f of the best baseline's error", least);
        if (good.isEmpty()) {
            return "No gain over the best of last row, last period, mean and regression "
                    + (bad.size() == 1 ? joined(bad) + " ahead" : "at any horizon (" + joined(bad) + ")") + ": " + best
                    + (bad.size() == 1 ? "." : " at best.");
        }
        return bad.isEmpty()
                ? "Better than every baseline at every horizon (" + joined(good) + "): " + best
                        + (good.size() == 1 ? "." : " at best.")
                : "Better than every baseline " + joined(good) + " ahead, " + best + " at best; no gain " + joined(bad)
                        + " ahead.";
    }
}
