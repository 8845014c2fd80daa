package io.koopstream.flink.job;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The headers of records in a topic of models. */
final class ModelHeaders {

    /** {@link #MODEL} when the value is the model file itself, {@link #POINTER} when it is JSON that says where the file is. */
    static final String KIND = "koop-kind";

    /** Samples the model has learned. */
    static final String VERSION = "koop-version";

    /** SHA-256 of the model file in hexadecimal. */
    static final String CHECKSUM = "koop-sha256";

    static final String MODEL = "model";
    static final String POINTER = "pointer";

    private ModelHeaders() {}

    static void put(Headers headers, Outgoing result) {
        headers.add(KIND, bytes(result.pointer ? POINTER : MODEL));
        headers.add(VERSION, bytes(Long.toString(result.version)));
        headers.add(CHECKSUM, bytes(result.checksum));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A header's text, or null. */
    static String get(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
