package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Options of a main class: {@code --name value} and {@code --flag}. Flink's own command line parses the rest. */
final class Arguments {

    private final Map<String, String> values = new HashMap<>();

    private Arguments() {}

    /** Parses; every option is known, options with a value are given once. */
    static Arguments of(String[] given, List<String> options, List<String> flags) {
        Arguments arguments = new Arguments();
        for (int i = 0; i < given.length; i++) {
            String name = given[i];
            boolean flag = flags.contains(name);
            if (!flag && !options.contains(name)) {
                throw new InvalidConfigException(
                        "option",
                        name,
                        "no such option; there are " + String.join(", ", options) + " " + String.join(", ", flags));
            }
            if (!flag && i + 1 == given.length) {
                throw new InvalidConfigException("option", name, "needs a value after it");
            }
            if (arguments.values.put(name, flag ? "" : given[++i]) != null) {
                throw new InvalidConfigException("option", name, "is given twice");
            }
        }
        return arguments;
    }

    /** The value of an option that must be given. */
    String text(String name) {
        if (!has(name)) {
            throw new InvalidConfigException("option", name, "is missing");
        }
        return values.get(name);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }
}
