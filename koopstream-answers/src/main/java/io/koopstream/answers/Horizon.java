package io.koopstream.answers;

import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRecord.Accuracy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Accuracy of the forecasts of a stream at a horizon, each judged before its target was learned.
 *
 * @param steps the horizon
 * @param targets how many were judged
 * @param error of the forecasts, over the standard deviation of the rows
 * @param errors of the members that had forecasts
 * @param columns errors by column, in its own units
 * @param coverage80 share of the targets within the 80 % bands; NaN where there were none yet
 * @param coverage95 share of the targets within the 95 % bands
 */
public record Horizon(
        int steps,
        long targets,
        double error,
        Map<String, Double> errors,
        List<Double> columns,
        double coverage80,
        double coverage95) {

    /** From fewer targets nothing is said about a horizon. */
    public static final int MIN_TARGETS = 10;

    private static Horizon of(Accuracy accuracy) {
        Map<String, Double> errors = new LinkedHashMap<>();
        accuracy.errors().forEach((member, error) -> errors.put(member.text(), error));
        return new Horizon(
                accuracy.horizon(),
                accuracy.targets(),
                accuracy.error(),
                errors,
                accuracy.columns(),
                accuracy.held80(),
                accuracy.held95());
    }

    /** The horizons of a record with enough targets, ascending. */
    public static List<Horizon> of(ForecastRecord record) {
        return judged(record).stream().map(Horizon::of).toList();
    }

    /** The accuracy at the horizons of a record with enough targets, ascending. */
    public static List<Accuracy> judged(ForecastRecord record) {
        return IntStream.range(0, record.horizons().length)
                .mapToObj(record::accuracy)
                .filter(accuracy -> accuracy.targets() >= MIN_TARGETS)
                .toList();
    }
}
