package io.koopstream.server.engine;

import io.koopstream.answers.ScoreRow;
import io.koopstream.rows.Observation;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import io.koopstream.stream.LearningStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The newest scores of a stream, for readers. They are no part of what is stored: the scorer is, and goes on as it was; rows that were scored before
 * a start are not shown again. One writer.
 */
public final class ScoreBoard {

    private static final int MAX_ROWS = 2_000;
    private static final int MIN_ROWS = 20;
    private static final int MAX_ALARMS = 100;
    /** Numbers in all rows at most, four for each coordinate. */
    private static final int MAX_NUMBERS = 400_000;

    private final LearningStream stream;
    private final Deque<ScoreRow> rows = new ArrayDeque<>();
    private final Deque<ScoreRow> alarms = new ArrayDeque<>();

    /**
     * What readers see of it.
     *
     * @param rows the newest rows, oldest first
     * @param alarms the newest rows with which an alarm began, oldest first
     * @param alarmed alarms over the life of the model
     * @param judged rows that had a score
     * @param heldBack rows that were too unusual to be learned
     */
    public record Facts(List<ScoreRow> rows, List<ScoreRow> alarms, long alarmed, long judged, long heldBack) {

        /** Keeps its own lists. */
        public Facts {
            rows = List.copyOf(rows);
            alarms = List.copyOf(alarms);
        }

        /** The rows that come after one. */
        public List<ScoreRow> after(long row) {
            return rows.stream().filter(one -> one.row() > row).toList();
        }
    }

    ScoreBoard(LearningStream stream) {
        this.stream = stream;
        stream.listen(this::add);
    }

    private void add(Observation observation, Score score) {
        if (score == null) {
            return;
        }
        ScoreRow row = ScoreRow.of(observation, score, stream.preparation());
        put(rows, row, Math.max(MIN_ROWS, Math.min(MAX_ROWS, MAX_NUMBERS / (4 * stream.dimension()))));
        if (score.alarm()) {
            put(alarms, row, MAX_ALARMS);
        }
    }

    private static void put(Deque<ScoreRow> into, ScoreRow row, int most) {
        if (into.size() >= most) {
            into.removeFirst();
        }
        into.addLast(row);
    }

    long bytes() {
        return (rows.size() + alarms.size()) * (256L + 4L * Double.BYTES * stream.dimension());
    }

    Facts facts() {
        return new Facts(
                List.copyOf(rows),
                List.copyOf(alarms),
                stream.scorer().map(Scorer::alarms).orElse(0L),
                stream.scorer().map(Scorer::judged).orElse(0L),
                stream.scorer().map(Scorer::heldBack).orElse(0L));
    }
}
