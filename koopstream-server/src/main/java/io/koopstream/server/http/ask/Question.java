package io.koopstream.server.http.ask;

import io.javalin.http.Context;
import io.koopstream.answers.Regularisation;
import io.koopstream.learner.leastsquares.RidgeFamily;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The parameters of a request, each checked when it is read. What was sent and never asked for is an error, not silently ignored. */
public final class Question {

    private static final String AUTO = "auto";
    private static final int MAX_LEVELS = 99;

    private final Context context;
    private final Set<String> known;

    /** @param known all parameters there are */
    public Question(Context context, String... known) {
        this.context = context;
        this.known = Set.of(known);
        for (Map.Entry<String, List<String>> entry : context.queryParamMap().entrySet()) {
            if (!this.known.contains(entry.getKey())) {
                throw new ApiError(
                        Code.BAD_QUERY,
                        "unknown parameter '" + entry.getKey().replaceAll("[^\\x21-\\x7e]", "?") + "'; "
                                + (known.length == 0 ? "there are none" : "there are " + new TreeSet<>(this.known)));
            }
            if (entry.getValue().size() != 1) {
                throw bad(entry.getKey(), "is given more than once");
            }
        }
    }

    /** A text, or the usual one. */
    public String text(String name, String usual) {
        if (!known.contains(name)) {
            throw new IllegalStateException(name + " is not among the known parameters");
        }
        String value = context.queryParam(name);
        return value == null || value.isBlank() ? usual : value;
    }

    /** A whole number within bounds, or the usual one. */
    public int whole(String name, int usual, int least, int most) {
        return (int) number(name, usual, least, most);
    }

    /** A whole number within bounds, or the usual one. */
    public long number(String name, long usual, long least, long most) {
        String text = text(name, null);
        if (text == null) {
            return usual;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw bad(name, "must be a whole number from " + least + " to " + most);
    }

    /** A finite number > 0. */
    public double positive(String name, double usual) {
        String text = text(name, null);
        if (text == null) {
            return usual;
        }
        double value = real(name, text);
        if (!(value > 0)) {
            throw bad(name, "must be > 0");
        }
        return value;
    }

    /** The parameters {@code lambda} and {@code rank}: numbers, or {@code auto} for what held-out pairs choose. */
    public Regularisation regularisation() {
        String lambda = text("lambda", null);
        String rank = text("rank", null);
        boolean choosesLambda = AUTO.equals(lambda);
        boolean choosesRank = AUTO.equals(rank);
        return new Regularisation(
                lambda == null || choosesLambda ? OptionalDouble.empty() : OptionalDouble.of(positive("lambda", 0)),
                choosesLambda,
                rank == null || choosesRank
                        ? OptionalInt.empty()
                        : OptionalInt.of(whole("rank", 0, 1, Integer.MAX_VALUE)),
                choosesRank,
                RidgeFamily.By.PREDICTION);
    }

    /** True or false; false when it is not given. */
    public boolean truth(String name) {
        return truth(name, false);
    }

    /** True or false, or the usual one. */
    public boolean truth(String name, boolean usual) {
        String text = text(name, Boolean.toString(usual));
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw bad(name, "must be true or false");
    }

    /** Numbers with commas between, or null when there are none. */
    double[] reals(String name, int count) {
        String text = text(name, null);
        if (text == null) {
            return null;
        }
        String[] parts = text.split(",", -1);
        if (parts.length != count) {
            throw bad(name, "must be " + count + " numbers separated by commas, found " + parts.length);
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = real(name, parts[i].strip());
        }
        return values;
    }

    /** One of some words. */
    public <E extends Enum<E>> E word(String name, Class<E> words, E usual) {
        String text = text(name, lower(usual));
        for (E word : words.getEnumConstants()) {
            if (lower(word).equals(text)) {
                return word;
            }
        }
        throw bad(
                name,
                "must be "
                        + Arrays.stream(words.getEnumConstants())
                                .map(Question::lower)
                                .collect(Collectors.joining(" or ")));
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /** Levels of quantiles with commas between, ascending or not; none at all for {@code none}. */
    public double[] levels(String name, double... usual) {
        String text = text(name, null);
        if (text == null || text.equals("none")) {
            return text == null ? usual : new double[0];
        }
        double[] levels = reals(name, text.split(",", -1).length);
        if (levels.length > MAX_LEVELS || Arrays.stream(levels).anyMatch(p -> !(p > 0 && p < 1))) {
            throw bad(
                    name,
                    "must be at most " + MAX_LEVELS + " levels between 0 and 1, e.g. 0.025,0.1,0.9,0.975, or none");
        }
        return levels;
    }

    private static double real(String name, String text) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number that is not finite.
        }
        throw bad(name, "must be a finite number");
    }

    /** The refusal of a parameter. */
    public static ApiError bad(String name, String rule) {
        return new ApiError(Code.BAD_QUERY, name + ": " + rule).with("field", name);
    }
}
