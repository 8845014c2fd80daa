package io.koopstream.answers;

import java.util.List;

/**
 * Forecasts from many starts on the same terms.
 *
 * @param of which model they are about
 * @param terms on which they were made
 * @param forecasts one a start
 */
public record ForecastBatch(Version of, ForecastAnswer.Terms terms, List<Started> forecasts) {

    /**
     * A forecast from a row of the data.
     *
     * @param row number of the row, from 1
     * @param trajectory to which it belongs; empty when there is one only
     * @param refused why there is no forecast; null where there is one
     * @param path what is expected; null where it was refused
     */
    public record Started(long row, String trajectory, String refused, ForecastAnswer.Path path) {}
}
