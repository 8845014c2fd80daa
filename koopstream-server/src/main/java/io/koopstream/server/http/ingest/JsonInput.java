package io.koopstream.server.http.ingest;

import io.koopstream.io.EncodableText;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.guard.HttpLimits;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads JSON that strangers send: bounded depth, names, strings and numbers, no key twice, UTF-8 only. */
public final class JsonInput {

    private static final int MAX_NUMBER_LENGTH = 1_000;
    private static final int MAX_STRING_LENGTH = 10_000;
    private static final int MAX_NAME_LENGTH = 256;

    private final JsonFactory factory;

    /** A reader within limits. */
    public JsonInput(HttpLimits limits) {
        factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.jsonDepth())
                        .maxNumberLength(MAX_NUMBER_LENGTH)
                        .maxStringLength(MAX_STRING_LENGTH)
                        .maxNameLength(MAX_NAME_LENGTH)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                // NaN is no JSON, but a frequent mistake: it is refused as a bad number, with its place.
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                // Names come from strangers; a table of all of them would only grow.
                .disable(tools.jackson.core.TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
                .build();
    }

    JsonParser parser(InputStream in) {
        return factory.createParser(ObjectReadContext.empty(), in);
    }

    JsonParser parser(byte[] bytes, int offset, int length) {
        return factory.createParser(ObjectReadContext.empty(), bytes, offset, length);
    }

    /** An error of the parser in our words. */
    static ApiError bad(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        String place = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return new ApiError(
                Code.BAD_JSON,
                "the body is not the JSON expected: "
                        + e.getOriginalMessage().replaceAll("\\s+", " ").replaceAll("[^\\x20-\\x7e]", "?") + place);
    }

    /** The document as an object: maps, lists, doubles, strings, booleans and nulls. */
    public Map<String, Object> object(InputStream in) {
        try (JsonParser parser = parser(in)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ApiError(Code.BAD_JSON, "expected a JSON object, e.g. {\"points\": [[0.5, 1.0]]}");
            }
            Object value = value(parser, parser.currentToken());
            requireEnd(parser);
            @SuppressWarnings("unchecked")
            Map<String, Object> object = (Map<String, Object>) value;
            return object;
        } catch (JacksonException e) {
            throw bad(e);
        }
    }

    /** A text that is still the same when it was stored. */
    static String string(JsonParser parser) {
        String text = parser.getString();
        String objection = EncodableText.objection(text);
        if (objection != null) {
            throw new ApiError(Code.BAD_JSON, "a text of the body " + objection);
        }
        return text;
    }

    /** Refuses anything after the document. */
    static void requireEnd(JsonParser parser) {
        if (parser.nextToken() != null) {
            throw new ApiError(Code.BAD_JSON, "unexpected content after the end of the JSON document");
        }
    }

    private static Object value(JsonParser parser, JsonToken token) {
        switch (token) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    object.put(name, value(parser, parser.nextToken()));
                }
                return object;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    list.add(value(parser, next));
                }
                return list;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                return parser.getDoubleValue();
            }
            case VALUE_STRING -> {
                return string(parser);
            }
            case VALUE_TRUE -> {
                return true;
            }
            case VALUE_FALSE -> {
                return false;
            }
            default -> {
                return null;
            }
        }
    }
}
