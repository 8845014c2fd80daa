package io.koopstream.server.http;

import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Settings of a model in JSON, as the words they are elsewhere. Numbers may be written as numbers. */
final class SettingsInput {

    private static final double MAX_WHOLE = 1e15;

    /** The exponent of {@code koop learn --average} without a number. */
    private static final String DEFAULT_AVERAGE = "3";

    private SettingsInput() {}

    static ModelSettings of(Object settings) {
        if (settings == null) {
            return ModelSettings.of(Map.of());
        }
        if (!(settings instanceof Map<?, ?> object)) {
            throw bad("settings", "expected an object, e.g. {\"kernel\":\"gaussian(0.5)\"}");
        }
        Map<String, String> words = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        object.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (name.equals("names")) {
                names.addAll(names(value));
            } else if (name.equals("average") && value instanceof Boolean on) {
                if (on) {
                    words.put(name, DEFAULT_AVERAGE);
                }
            } else if (value != null) {
                words.put(name, word(name, value));
            }
        });
        return ModelSettings.of(words, names);
    }

    private static List<String> names(Object value) {
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw bad("names", "expected a list of strings, e.g. [\"position\",\"speed\"]");
    }

    private static String word(String name, Object value) {
        if (value instanceof Double number) {
            boolean whole = number == Math.rint(number) && Math.abs(number) < MAX_WHOLE;
            return whole ? Long.toString(number.longValue()) : number.toString();
        }
        if (value instanceof List<?> list) {
            return list.stream().map(part -> word(name, part)).collect(Collectors.joining(","));
        }
        if (value instanceof String || value instanceof Boolean) {
            return value.toString();
        }
        throw bad(name, "expected text, a number, true or false");
    }

    private static ApiError bad(String field, String rule) {
        return new ApiError(Code.BAD_SETTING, field + ": " + rule).with("field", field);
    }
}
