package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads step sizes and budgets from the text that {@link StepSize#text} and {@link Budget#text} write. */
final class Schedules {

    private static final Pattern CALL = Pattern.compile("\\s*([a-z]+)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Schedules() {}

    /** Reads {@code constant(0.3)} or {@code decay(eta=20,r=200,a=0.6)}. */
    static StepSize parseStepSize(String text) {
        Call call = Call.parse("stepSize", text, "constant(0.3) or decay(eta=20,r=200,a=0.6)");
        return switch (call.name) {
            case "constant" -> StepSize.constant(call.only("eta"));
            case "decay" -> {
                call.requireKeys("eta", "r", "a");
                yield StepSize.decay(call.number("eta"), call.number("r"), call.number("a"));
            }
            default -> throw call.unknown();
        };
    }

    /** Reads {@code constant(0.01)} or {@code proportional(0.5)}. */
    static Budget parseBudget(String text) {
        Call call = Call.parse("budget", text, "constant(0.01) or proportional(0.5)");
        return switch (call.name) {
            case "constant" -> Budget.constant(call.only("epsilon"));
            case "proportional" -> Budget.proportional(call.only("b"));
            default -> throw call.unknown();
        };
    }

    static void requireName(String name) {
        if (name == null || !NAME.matcher(name).matches()) {
            throw new InvalidConfigException(
                    "name",
                    name,
                    "a custom schedule is named by letters, digits, '.', '_' and '-', at most 64 of them");
        }
    }

    /** One parsed {@code name(key=value,...)}. */
    private record Call(String field, String text, String expected, String name, Map<String, String> arguments) {

        static Call parse(String field, String text, String expected) {
            Matcher matcher = CALL.matcher(text == null ? "" : text);
            if (!matcher.matches()) {
                throw new InvalidConfigException(field, text, "expected " + expected);
            }
            Map<String, String> arguments = new HashMap<>();
            for (String argument : matcher.group(2).split(",", -1)) {
                int equals = argument.indexOf('=');
                String key = equals < 0 ? "" : argument.substring(0, equals).strip();
                if (arguments.put(key, argument.substring(equals + 1).strip()) != null) {
                    throw new InvalidConfigException(field, text, "expected " + expected);
                }
            }
            return new Call(field, text, expected, matcher.group(1), arguments);
        }

        double only(String key) {
            if (arguments.size() != 1) {
                throw unknown();
            }
            return number(arguments.containsKey("") ? "" : key);
        }

        void requireKeys(String... keys) {
            if (!arguments.keySet().equals(java.util.Set.copyOf(List.of(keys)))) {
                throw unknown();
            }
        }

        double number(String key) {
            try {
                return Double.parseDouble(arguments.getOrDefault(key, ""));
            } catch (NumberFormatException e) {
                throw unknown();
            }
        }

        InvalidConfigException unknown() {
            return new InvalidConfigException(field, text, "expected " + expected);
        }
    }
}
