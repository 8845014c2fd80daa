package io.koopstream.server.http.guard;

import io.koopstream.io.Json;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers in our words, with our headers, where Jetty itself refuses a request: one it cannot parse, or one that failed on the way. */
public final class ErrorPages extends ErrorHandler {

    @Override
    protected void generateResponse(
            Request request, Response response, int status, String reason, Throwable cause, Callback callback)
            throws IOException {
        HttpFields.Mutable headers = response.getHeaders();
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        RequestFilter.protect(headers);
        response.write(true, body(status), callback);
    }

    private static ByteBuffer body(int status) {
        return ByteBuffer.wrap(Json.bytes(error(status).body()));
    }

    /** Reasons of Jetty may repeat what was sent, so they are not passed on. */
    private static ApiError error(int status) {
        return switch (status) {
            case 401 -> new ApiError(Code.UNAUTHORIZED, "the token is missing or wrong");
            case 404 -> new ApiError(Code.NOT_FOUND, "there is nothing at this path; see /openapi.json");
            case 405 -> new ApiError(Code.METHOD_NOT_ALLOWED, "unknown method; see /openapi.json");
            case 505 -> new ApiError(Code.BAD_REQUEST, "this version of HTTP is not supported; use HTTP/1.1");
            case 408 -> new ApiError(Code.TIMEOUT, "the request did not arrive in time");
            case 413 -> new ApiError(Code.TOO_LARGE, "the body is too large");
            case 414 -> new ApiError(Code.URI_TOO_LONG, "the address is too long");
            case 415 -> new ApiError(Code.UNSUPPORTED_TYPE, "unsupported content type");
            case 431 -> new ApiError(Code.HEADERS_TOO_LARGE, "the header section is too large");
            case 503 -> new ApiError(Code.CLOSING, "the server is starting or closing; try again").retryAfter(1);
            default ->
                status >= 500
                        ? new ApiError(Code.INTERNAL, "the server failed; the server log says why")
                        : new ApiError(Code.BAD_REQUEST, "the request is not valid HTTP");
        };
    }
}
