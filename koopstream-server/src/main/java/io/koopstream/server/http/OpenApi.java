package io.koopstream.server.http;

import io.koopstream.io.Json;
import io.koopstream.stream.StreamOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The description of the interface for programs. */
final class OpenApi {

    /** Place of the options of a stream, which their table describes. */
    private static final String OPTIONS = "\"OPTIONS\": {}";

    private OpenApi() {}

    static byte[] document() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            String options = Json.text(options()).strip();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(OPTIONS, options.substring(1, options.length() - 1))
                    .getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> options() {
        Map<String, Object> schemas = new LinkedHashMap<>();
        for (StreamOption<?> option : StreamOption.ALL) {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("description", option.description());
            if (!option.choices().isEmpty()) {
                schema.put("enum", option.choices());
            }
            schemas.put(option.name(), schema);
        }
        return schemas;
    }
}
