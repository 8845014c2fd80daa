package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A step size or a budget as text, {@code name(key=value,...)}.
 *
 * @param field the setting it is the value of
 * @param text the text as given
 * @param expected examples of legal texts
 * @param name its name
 * @param arguments its arguments by their keys; a key may be empty
 */
record ScheduleText(String field, String text, String expected, String name, Map<String, String> arguments) {

    private static final Pattern CALL = Pattern.compile("\\s*([a-z-]+)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    static ScheduleText parse(String field, String text, String expected) {
        Matcher matcher = CALL.matcher(text == null ? "" : text);
        boolean matches = matcher.matches();
        Map<String, String> arguments = new HashMap<>();
        ScheduleText parsed = new ScheduleText(field, text, expected, matches ? matcher.group(1) : "", arguments);
        for (String argument : matches ? matcher.group(2).split(",", -1) : new String[0]) {
            int equals = argument.indexOf('=');
            String key = equals < 0 ? "" : argument.substring(0, equals).strip();
            if (arguments.put(key, argument.substring(equals + 1).strip()) != null) {
                throw parsed.refusal();
            }
        }
        return parsed;
    }

    /** The numbers of exactly these keys; an only key need not be given. */
    double[] numbers(String... keys) {
        String[] given = keys.length == 1 && arguments.containsKey("") ? new String[] {""} : keys;
        if (!arguments.keySet().equals(Set.of(given))) {
            throw refusal();
        }
        try {
            return Arrays.stream(given)
                    .map(arguments::get)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } catch (NumberFormatException e) {
            throw refusal();
        }
    }

    InvalidConfigException refusal() {
        return new InvalidConfigException(field, text, "expected " + expected);
    }

    static void requireName(String name) {
        InvalidConfigException.require(
                name != null && NAME.matcher(name).matches(),
                "name",
                name,
                "a custom schedule is named by letters, digits, '.', '_' and '-', at most 64 of them");
    }
}
