package io.koopstream.cli.shell;

import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRecord.Accuracy;
import io.koopstream.forecast.ForecastRecord.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Errors of the forecasts of a stream and coverage of their bands, by horizon. */
public final class AccuracyTable {

    /** From fewer targets nothing is said about a horizon. */
    private static final int MIN_TARGETS = 10;

    /** Horizons that are printed: each about twice the one before. JSON has them all. */
    private static final List<Integer> SHOWN = List.of(1, 4, 12, 24, 48, 96);

    private final List<Accuracy> judged = new ArrayList<>();

    /** @param record null where forecasts were not judged */
    public AccuracyTable(ForecastRecord record) {
        for (int g = 0; record != null && g < ForecastRecord.grid().length; g++) {
            Accuracy accuracy = record.accuracy(g);
            if (accuracy.targets() >= MIN_TARGETS) {
                judged.add(accuracy);
            }
        }
    }

    /** True where nothing was judged yet. */
    public boolean isEmpty() {
        return judged.isEmpty();
    }

    /** Prints the table. */
    public void print(Console console, Clock clock) {
        console.say(
                "Forecasts, each judged before its target was learned (errors over the standard deviation of the rows):");
        console.say("   ahead      error   last row   last period   regression   Koopman   in 80 %   in 95 %");
        for (Accuracy one : judged) {
            if (SHOWN.contains(one.horizon())) {
                console.say(
                        "%8s %10.3f %10.3f %13s %12.3f %9.3f %7.0f %% %7.0f %%",
                        clock.isDated() ? clock.duration(one.horizon() * clock.dt()) : one.horizon(),
                        one.error(),
                        least(one, Member.LAST_ROW),
                        one.errors().containsKey(Member.SEASON)
                                ? String.format(Locale.ROOT, "%.3f", least(one, Member.SEASON))
                                : "-",
                        least(one, Member.LEVELS, Member.INCREMENTS),
                        least(one, Member.PATH, Member.OPERATOR),
                        100 * one.held80(),
                        100 * one.held95());
            }
        }
    }

    private static double least(Accuracy one, Member... members) {
        return Arrays.stream(members)
                .mapToDouble(member -> one.errors().getOrDefault(member, Double.NaN))
                .filter(error -> !Double.isNaN(error))
                .min()
                .orElse(Double.NaN);
    }

    /** One entry for each horizon that was judged. */
    public List<Object> json() {
        List<Object> list = new ArrayList<>();
        for (Accuracy one : judged) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("steps", one.horizon());
            entry.put("targets", one.targets());
            entry.put("error", one.error());
            Map<String, Object> errors = new LinkedHashMap<>();
            one.errors().forEach((member, error) -> errors.put(member.text(), error));
            entry.put("errors", errors);
            entry.put("coverage80", one.held80());
            entry.put("coverage95", one.held95());
            list.add(entry);
        }
        return list;
    }
}
