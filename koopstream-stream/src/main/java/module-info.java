/** From rows to answers: streams, trajectories, chosen settings, changes, scores and forecasts. */
module io.koopstream.stream {
    requires transitive io.koopstream.core;

    exports io.koopstream.change;
    exports io.koopstream.forecast;
    exports io.koopstream.rows;
    exports io.koopstream.score;
    exports io.koopstream.stream;
    exports io.koopstream.tuning;
}
