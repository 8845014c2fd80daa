package io.koopstream.score;

import java.util.List;
import java.util.Locale;

/** What is looked at in every row; an alarm names the one that is the most unusual. */
public enum Sign {
    /** The error of the one-step prediction. */
    ERROR("is not what was expected after the row before"),
    /** The sum of the last eight errors. */
    SHORT_ERROR("has been on one side of what was expected for eight rows"),
    /** The sum of the last 24 errors: a slow leak, or a value that should have moved. */
    LONG_ERROR("has been on one side of what was expected for 24 rows"),
    /** The mean evidence of the last eight errors. */
    NOISE("has been harder to predict than usual for eight rows"),
    /** How small the last 24 steps from row to row are. */
    STILLNESS("has moved less than usual for 24 rows"),
    /** How far above its mean a coordinate is. */
    HIGH("is unusually high"),
    /** How far below its mean a coordinate is. */
    LOW("is unusually low"),
    /** The distance from the rows of the same phase of the last cycles. */
    SEASON("is not as in the last cycles");

    private final String text;

    Sign(String text) {
        this.text = text;
    }

    /** Its name as it is printed and sent. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * In words.
     *
     * @param coordinate from 1; 0 where it is not one alone, more than there are names for one that was added in preparation
     * @param names of the coordinates
     */
    public String sentence(int coordinate, List<String> names) {
        boolean one = coordinate > 0 && coordinate <= names.size();
        return (one ? names.get(coordinate - 1) : "the row") + " " + text;
    }
}
