package io.koopstream.server.http.ask;

import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ScoreBoard;
import io.koopstream.server.engine.ScoredRow;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.List;
import java.util.Map;

/** How unusual rows were. */
public final class ScoreAnswers {

    private ScoreAnswers() {}

    /** The scores of a view, or the refusal of a model that has none. */
    public static ScoreBoard.Facts require(ModelView view) {
        return view.scores()
                .orElseThrow(() -> new ApiError(
                        Code.BAD_QUERY,
                        "this model does not score its rows: create one with the setting \"scores\": true"));
    }

    /** The newest rows after one, and the newest alarms. */
    public static Map<String, Object> scores(ModelView view, long since) {
        ScoreBoard.Facts facts = require(view);
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("names", ModelAnswers.observed(view));
        answer.put("alarmRate", view.settings().stream().alarmRate());
        answer.put("alarmed", facts.alarmed());
        answer.put("judged", facts.judged());
        answer.put("heldBack", facts.heldBack());
        answer.put("rows", documents(after(facts.rows(), since)));
        answer.put("alarms", documents(facts.alarms()));
        return answer;
    }

    /** Those rows that come after one. */
    public static List<ScoredRow> after(List<ScoredRow> rows, long since) {
        return rows.stream().filter(row -> row.row() > since).toList();
    }

    /** Rows as documents. */
    public static List<Map<String, Object>> documents(List<ScoredRow> rows) {
        return rows.stream().map(ScoredRow::document).toList();
    }
}
