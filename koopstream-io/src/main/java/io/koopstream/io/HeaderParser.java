package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Tensor;
import io.koopstream.io.SafetensorsHeader.Text;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a header of any safetensors file in memory bounded by constants: what the caller does not know is skipped, not kept. Duplicate
 * keys are looked for here and not by the JSON parser, which reports them as it reports any other fault.
 */
final class HeaderParser {

    /** The most tensors and the metadata together, and the most metadata keys. */
    static final int MAX_KEYS = 256;

    private static final int MAX_EXTENTS = 8;

    /** The most characters of a text. */
    static final int MAX_TEXT = 16_384;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(8)
                    .maxNumberLength(64)
                    .maxStringLength(MAX_TEXT)
                    .maxNameLength(1024)
                    .build())
            // The format says UTF-8, and names of hostile files must not stay behind for ever.
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .build();

    private final ModelSource source;
    private final JsonParser parser;
    private final long start;
    private final Set<String> known;
    private final Map<String, Text> metadata = new HashMap<>();
    private final List<Tensor> tensors = new ArrayList<>();
    private Text stranger;

    private HeaderParser(ModelSource source, JsonParser parser, long start, Set<String> known) {
        this.source = source;
        this.parser = parser;
        this.start = start;
        this.known = known;
    }

    /**
     * Reads a header.
     *
     * @param source named in errors
     * @param bytes the header
     * @param start its place in the file
     * @param known the metadata keys whose texts are wanted
     */
    static SafetensorsHeader parse(ModelSource source, byte[] bytes, long start, Set<String> known) {
        requireUtf8(source, bytes, start);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            return new HeaderParser(source, parser, start, known).header();
        } catch (JacksonException e) {
            long offset = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
            throw source.fault(
                    Reason.NOT_JSON, offset < 0 ? -1 : start + offset, "a JSON object", e.getOriginalMessage());
        }
    }

    private static void requireUtf8(ModelSource source, byte[] bytes, long start) {
        ByteBuffer input = ByteBuffer.wrap(bytes);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(input);
        } catch (CharacterCodingException e) {
            int at = input.position();
            throw source.fault(Reason.NOT_UTF8, start + at, "UTF-8", "byte 0x" + Integer.toHexString(bytes[at] & 0xff));
        }
    }

    private SafetensorsHeader header() {
        require(parser.nextToken() == JsonToken.START_OBJECT, "an object");
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            long offset = offset();
            requireFirst(seen, name);
            parser.nextToken();
            if (name.equals(SafetensorsHeader.METADATA)) {
                metadata();
            } else {
                tensors.add(tensor(name, offset));
            }
        }
        require(parser.nextToken() == null, "nothing after the object");
        return new SafetensorsHeader(metadata, tensors, Optional.ofNullable(stranger));
    }

    private void metadata() {
        require(parser.currentToken() == JsonToken.START_OBJECT, "an object of texts");
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            long offset = offset();
            requireFirst(seen, key);
            require(parser.nextToken() == JsonToken.VALUE_STRING, "a text");
            if (known.contains(key)) {
                metadata.put(key, new Text(parser.getString(), offset() + 1));
            } else if (stranger == null) {
                stranger = new Text(key, offset);
            }
        }
    }

    private Tensor tensor(String name, long offset) {
        require(parser.currentToken() == JsonToken.START_OBJECT, "an object with dtype, shape and data_offsets");
        Set<String> seen = new HashSet<>();
        String dtype = null;
        List<Long> shape = null;
        List<Long> offsets = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            requireFirst(seen, key);
            parser.nextToken();
            switch (key) {
                case "dtype" -> {
                    require(parser.currentToken() == JsonToken.VALUE_STRING, "a text");
                    dtype = parser.getString();
                }
                case "shape" -> shape = numbers();
                case "data_offsets" -> offsets = numbers();
                default -> require(false, "dtype, shape or data_offsets");
            }
        }
        require(dtype != null && shape != null, "dtype and shape of tensor " + name);
        require(offsets != null && offsets.size() == 2, "two data_offsets of tensor " + name);
        return new Tensor(name, dtype, shape, offsets.get(0), offsets.get(1), offset);
    }

    private List<Long> numbers() {
        require(parser.currentToken() == JsonToken.START_ARRAY, "a list of whole numbers");
        List<Long> numbers = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, "a whole number");
            require(numbers.size() < MAX_EXTENTS, "at most " + MAX_EXTENTS + " numbers");
            if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                throw source.fault(Reason.OVERFLOW, offset(), "a 64-bit number", parser.getString());
            }
            numbers.add(parser.getLongValue());
        }
        return numbers;
    }

    private void requireFirst(Set<String> seen, String name) {
        if (!seen.add(name)) {
            throw source.fault(Reason.DUPLICATE_KEY, offset(), "each key once", name + " again");
        }
        // No model of any version has as many; to go on would only cost memory.
        if (seen.size() > MAX_KEYS) {
            throw source.fault(Reason.FOREIGN, offset(), "at most " + MAX_KEYS + " keys", "more");
        }
    }

    private void require(boolean holds, String expected) {
        if (!holds) {
            JsonToken token = parser.currentToken();
            throw source.fault(
                    Reason.BAD_HEADER,
                    offset(),
                    expected,
                    token == null
                            ? "the end"
                            : token == JsonToken.PROPERTY_NAME ? "key " + parser.currentName() : token.name());
        }
    }

    private long offset() {
        return start + Math.max(0, parser.currentTokenLocation().getByteOffset());
    }
}
