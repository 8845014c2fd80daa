package io.koopstream.flink.job;

import io.koopstream.io.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Where a model that is too large for a record is.
 *
 * @param key the stream
 * @param version samples the model has learned
 * @param path of the file, as a URI
 * @param bytes the file has
 * @param checksum SHA-256 of the file in hexadecimal
 */
record ModelPointer(String key, long version, String path, long bytes, String checksum) {

    /** As JSON. */
    byte[] json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("key", key);
        fields.put("version", version);
        fields.put("path", path);
        fields.put("bytes", bytes);
        fields.put("sha256", checksum);
        return Json.bytes(fields);
    }

    /** The pointer in these bytes; {@code place} is where they were found. */
    static ModelPointer parse(byte[] json, String place) {
        String key = null;
        long version = -1;
        String path = null;
        long bytes = -1;
        String checksum = null;
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "key" -> key = parser.getString();
                    case "version" -> version = parser.getLongValue();
                    case "path" -> path = parser.getString();
                    case "bytes" -> bytes = parser.getLongValue();
                    case "sha256" -> checksum = parser.getString();
                    default -> parser.skipChildren();
                }
            }
        } catch (JacksonException e) {
            throw new BadRecordException(null, place + ": is not a model pointer: " + e.getOriginalMessage());
        }
        if (key == null || path == null || checksum == null || version < 0) {
            throw new BadRecordException(
                    null, place + ": is not a model pointer: key, version, path or sha256 is missing");
        }
        return new ModelPointer(key, version, path, bytes, checksum);
    }

    /** SHA-256 in hexadecimal. */
    static String checksum(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
