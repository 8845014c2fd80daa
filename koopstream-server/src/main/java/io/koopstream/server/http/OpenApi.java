package io.koopstream.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the interface for programs. */
final class OpenApi {

    private OpenApi() {}

    static byte[] document() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
