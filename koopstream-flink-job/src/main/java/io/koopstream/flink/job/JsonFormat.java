package io.koopstream.flink.job;

import io.koopstream.io.EncodableText;
import io.koopstream.io.samples.Cells;
import io.koopstream.io.samples.RowRoles;
import io.koopstream.io.samples.Sample;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** One JSON object per record; null is a value that is not known. Fields that nobody named are passed over, whatever they hold. */
final class JsonFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    /** Built where it runs: a factory is not sent from machine to machine. */
    private transient JsonFactory factory;

    private final RecordLayout layout;
    private final RowRoles roles;

    JsonFormat(RecordLayout layout) {
        this.layout = layout;
        this.roles = layout.roles(layout.required());
    }

    @Override
    public void read(byte[] value, Sample into) {
        if (factory == null) {
            factory = JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();
        }
        roles.begin(into, 0);
        boolean[] given = new boolean[roles.count()];
        BadRecordException problem = null;
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRecordException(null, "expected a JSON object, found " + parser.currentToken());
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                int column = roles.indexOf(parser.currentName());
                JsonToken token = parser.nextToken();
                if (column < 0) {
                    parser.skipChildren();
                } else {
                    given[column] = true;
                    BadRecordException found = field(parser, token, column, into);
                    problem = problem == null ? found : problem;
                }
            }
            if (parser.nextToken() != null) {
                into.forgetOwner();
                throw new BadRecordException(null, "something follows the JSON object");
            }
        } catch (JacksonException e) {
            // Two records run together, perhaps: whose they were is unknown.
            into.forgetOwner();
            throw new BadRecordException(null, "is not JSON: " + e.getOriginalMessage());
        }
        for (int i = 0; i < given.length && problem == null; i++) {
            problem = given[i] ? null : new BadRecordException(roles.name(i), "is missing");
        }
        if (problem != null) {
            throw problem;
        }
    }

    /** Reads a field to its end; what is wrong with it, or null. */
    private BadRecordException field(JsonParser parser, JsonToken token, int column, Sample into) {
        if (roles.width(column) > 1) {
            return array(parser, token, column, into);
        }
        if (roles.isText(column) && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            String text = parser.getString();
            String objection = EncodableText.objection(text);
            if (objection != null) {
                return new BadRecordException(roles.name(column), objection);
            }
            roles.put(into, column, text);
        } else if (roles.isTime(column)
                && (token == JsonToken.VALUE_STRING
                        || (isNumber(token) && layout.dates().hasPattern()))) {
            return time(parser.getString(), column, into);
        } else if (!roles.isText(column) && isNumber(token)) {
            roles.put(into, column, parser.getDoubleValue());
        } else if (!roles.isText(column) && token == JsonToken.VALUE_NULL) {
            roles.put(into, column, Double.NaN);
        } else {
            parser.skipChildren();
            String expected = roles.isText(column) ? "a text or a number" : "a number";
            return new BadRecordException(roles.name(column), "expected " + expected + ", found " + token);
        }
        return null;
    }

    private BadRecordException time(String text, int column, Sample into) {
        try {
            roles.put(into, column, Cells.isMissing(text) ? Double.NaN : layout.time(text));
            return null;
        } catch (BadRecordException e) {
            return e;
        }
    }

    private BadRecordException array(JsonParser parser, JsonToken open, int column, Sample into) {
        int length = roles.width(column);
        if (open != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return new BadRecordException(
                    roles.name(column), "expected an array of " + length + " numbers, found " + open);
        }
        int count = 0;
        JsonToken wrong = null;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            boolean missing = token == JsonToken.VALUE_NULL;
            if (!missing && !isNumber(token)) {
                wrong = token;
                parser.skipChildren();
            } else if (count < length) {
                roles.put(into, column, count, missing ? Double.NaN : parser.getDoubleValue());
            }
            count++;
        }
        if (wrong != null) {
            return new BadRecordException(roles.name(column), "expected a number, found " + wrong);
        }
        return count == length
                ? null
                : new BadRecordException(roles.name(column), "has " + count + " numbers, expected " + length);
    }

    private static boolean isNumber(JsonToken token) {
        return token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT;
    }
}
