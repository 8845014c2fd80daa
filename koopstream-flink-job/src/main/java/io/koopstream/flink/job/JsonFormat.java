package io.koopstream.flink.job;

import io.koopstream.flink.job.RecordLayout.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** One JSON object a record. Fields that nobody named are passed over, whatever they hold. */
final class JsonFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    /** Built where it runs: a factory is not sent from machine to machine. */
    private transient JsonFactory factory;

    private final RecordLayout layout;
    private final List<String> required;
    private final Map<String, Integer> positions = new HashMap<>();

    JsonFormat(RecordLayout layout) {
        this.layout = layout;
        this.required = layout.required();
        for (int i = 0; i < required.size(); i++) {
            positions.put(required.get(i), i);
        }
    }

    @Override
    public void read(byte[] value, RecordFields into) {
        if (factory == null) {
            factory = JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();
        }
        into.begin(layout);
        boolean[] given = new boolean[required.size()];
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRecordException(null, "expected a JSON object, found " + parser.currentToken());
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                JsonToken token = parser.nextToken();
                Integer position = positions.get(field);
                if (position == null) {
                    parser.skipChildren();
                } else {
                    field(parser, token, field, into);
                    given[position] = true;
                }
            }
            if (parser.nextToken() != null) {
                throw new BadRecordException(null, "something follows the JSON object");
            }
        } catch (JacksonException e) {
            throw new BadRecordException(null, "is not JSON: " + e.getOriginalMessage());
        }
        for (int i = 0; i < given.length; i++) {
            if (!given[i]) {
                throw new BadRecordException(required.get(i), "is missing");
            }
        }
    }

    private void field(JsonParser parser, JsonToken token, String field, RecordFields into) {
        Role role = layout.role(field);
        switch (role) {
            case KEY -> into.key = text(parser, token, field);
            case TRAJECTORY -> into.trajectory = text(parser, token, field);
            case STEP -> into.step = number(parser, token, field);
            case TIME -> into.time = number(parser, token, field);
            case STATE, NEXT -> {
                double[] target = role == Role.STATE ? into.state : into.next;
                if (layout.arrays()) {
                    array(parser, token, field, target);
                } else {
                    target[layout.coordinate(field)] = number(parser, token, field);
                }
            }
            case IGNORED -> parser.skipChildren();
        }
    }

    private static void array(JsonParser parser, JsonToken open, String field, double[] target) {
        if (open != JsonToken.START_ARRAY) {
            throw new BadRecordException(field, "expected an array of " + target.length + " numbers, found " + open);
        }
        int i = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (i == target.length) {
                throw new BadRecordException(field, "has more than " + target.length + " numbers");
            }
            target[i++] = number(parser, token, field);
        }
        if (i < target.length) {
            throw new BadRecordException(field, "has " + i + " numbers, expected " + target.length);
        }
    }

    private static String text(JsonParser parser, JsonToken token, String field) {
        if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
            throw new BadRecordException(field, "expected a text or a number, found " + token);
        }
        return parser.getString();
    }

    private static double number(JsonParser parser, JsonToken token, String field) {
        if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
            throw new BadRecordException(field, "expected a number, found " + token);
        }
        return parser.getDoubleValue();
    }
}
