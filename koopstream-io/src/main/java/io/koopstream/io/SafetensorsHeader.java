package io.koopstream.io;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The JSON header of a safetensors file: texts by key, and what lies where in the bytes behind it. As read it says what the file
 * claims; nothing in it has been checked against the file.
 *
 * @param metadata the texts of those keys that the reader knows
 * @param tensors the tensors in the order of the header
 * @param stranger the first metadata key that the reader does not know
 */
record SafetensorsHeader(Map<String, Text> metadata, List<Tensor> tensors, Optional<Text> stranger) {

    /** The key under which the texts stand. */
    static final String METADATA = "__metadata__";

    /** Tensors start at a multiple of this, so that they can be mapped into memory as numbers. */
    static final int ALIGNMENT = 8;

    /**
     * A text and where it stands.
     *
     * @param value the text
     * @param offset its first byte's place in the file
     */
    record Text(String value, long offset) {}

    /**
     * One tensor's entry.
     *
     * @param name its key
     * @param dtype element type, e.g. F64
     * @param shape its extents
     * @param begin its first byte, counted from the end of the header
     * @param end one past its last byte
     * @param offset the entry's place in the file, -1 for an entry that was not read
     */
    record Tensor(String name, String dtype, List<Long> shape, long begin, long end, long offset) {}

    /**
     * The one way a header is written: no blanks, texts in the order of their keys, tensors in the order given, blanks at the end up
     * to the alignment. Texts must not need escapes.
     */
    static byte[] encode(SortedMap<String, String> metadata, List<Tensor> tensors) {
        String texts = metadata.entrySet().stream()
                .map(text -> '"' + text.getKey() + "\":\"" + text.getValue() + '"')
                .collect(Collectors.joining(",", "{\"" + METADATA + "\":{", "}"));
        String entries = tensors.stream()
                .map(tensor -> ",\"" + tensor.name() + "\":{\"dtype\":\"" + tensor.dtype() + "\",\"shape\":"
                        + list(tensor.shape()) + ",\"data_offsets\":" + list(List.of(tensor.begin(), tensor.end()))
                        + '}')
                .collect(Collectors.joining());
        byte[] json = (texts + entries + '}').getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(json, (json.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        Arrays.fill(padded, json.length, padded.length, (byte) ' ');
        return padded;
    }

    private static String list(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
}
