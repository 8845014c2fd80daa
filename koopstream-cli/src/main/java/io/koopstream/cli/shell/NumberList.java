package io.koopstream.cli.shell;

import java.util.ArrayList;
import java.util.List;

/** Numbers with commas between, as options take them. */
public final class NumberList {

    private NumberList() {}

    /** The numbers, however many. */
    public static List<Double> parse(String option, String text) {
        List<Double> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            try {
                numbers.add(Double.valueOf(part.strip()));
            } catch (NumberFormatException e) {
                throw CommandFailure.usage(option + " " + text + ": '" + part + "' is not a number");
            }
        }
        return numbers;
    }

    /** Exactly this many numbers. */
    public static double[] parse(String option, String text, int count) {
        List<Double> numbers = parse(option, text);
        if (numbers.size() != count) {
            throw CommandFailure.data(option + " " + text + ": " + numbers.size() + " numbers, expected " + count);
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
