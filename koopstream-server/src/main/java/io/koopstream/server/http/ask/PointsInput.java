package io.koopstream.server.http.ask;

import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.List;
import java.util.Map;

/** States and numbers of a question, checked. */
public final class PointsInput {

    private PointsInput() {}

    /** States of the model, at most so many. */
    public static double[][] points(Object value, int dimension, int most) {
        return rows("points", value, dimension, most);
    }

    /** Rows of numbers, at most so many. */
    public static double[][] rows(String field, Object value, int dimension, int most) {
        if (!(value instanceof List<?> list) || list.isEmpty()) {
            throw bad(field, "expected a list of lists of " + dimension + " numbers, e.g. [[0.5, 1.0]]");
        }
        if (list.size() > most) {
            throw bad(field, list.size() + " of them, at most " + most + " at once");
        }
        double[][] rows = new double[list.size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = point(field + "[" + i + "]", list.get(i), dimension);
        }
        return rows;
    }

    /** One state of the model. */
    public static double[] point(String field, Object value, int dimension) {
        if (!(value instanceof List<?> list)) {
            throw bad(field, "expected a list of " + dimension + " numbers");
        }
        if (list.size() != dimension) {
            throw bad(field, "has " + list.size() + " coordinates, expected " + dimension);
        }
        double[] point = new double[dimension];
        for (int c = 0; c < dimension; c++) {
            if (!(list.get(c) instanceof Double number) || !Double.isFinite(number)) {
                throw bad(field, "coordinate " + c + " is not a finite number");
            }
            point[c] = number;
        }
        return point;
    }

    /** A whole number within bounds, or the usual one. */
    public static int whole(Map<String, Object> body, String name, int usual, int least, int most) {
        Object value = body.get(name);
        if (value == null) {
            return usual;
        }
        if (value instanceof Double number && number == Math.rint(number) && number >= least && number <= most) {
            return number.intValue();
        }
        throw bad(name, "must be a whole number from " + least + " to " + most);
    }

    private static ApiError bad(String field, String rule) {
        return new ApiError(Code.BAD_QUERY, field + ": " + rule).with("field", field);
    }
}
