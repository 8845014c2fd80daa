package io.koopstream.server.http.error;

import java.util.LinkedHashMap;
import java.util.Map;

/** An answer that is an error: a status, a code for programs, and a sentence for people that says what, where and what to do. */
public final class ApiError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, for programs. */
    public enum Code {
        BAD_REQUEST(400),
        BAD_JSON(400),
        BAD_NAME(400),
        UNAUTHORIZED(401),
        FORBIDDEN_ORIGIN(403),
        NOT_FOUND(404),
        UNKNOWN_MODEL(404),
        UNKNOWN_POLICY(404),
        METHOD_NOT_ALLOWED(405),
        TIMEOUT(408),
        MODEL_EXISTS(409),
        NOT_READY(409),
        GAP(409),
        CONFLICT(409),
        TOO_OLD(409),
        TOO_LARGE(413),
        URI_TOO_LONG(414),
        UNSUPPORTED_TYPE(415),
        WRONG_HOST(421),
        BAD_SAMPLE(422),
        BAD_SETTING(422),
        BAD_QUERY(422),
        UNKNOWN_STATE(422),
        BAD_POLICY(422),
        TOO_MANY_REQUESTS(429),
        HEADERS_TOO_LARGE(431),
        INTERNAL(500),
        BUSY(503),
        TOO_MANY_CLIENTS(503),
        MODEL_FAILED(503),
        CLOSING(503),
        STORAGE_FULL(507);

        private final int status;

        Code(int status) {
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    private final Code code;
    private final transient Map<String, Object> details = new LinkedHashMap<>();
    private int retryAfterSeconds;

    /** An error with its sentence. */
    public ApiError(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** The same with one more thing to say to programs. */
    public ApiError with(String name, Object value) {
        details.put(name, value);
        return this;
    }

    /** The same with the time after which to try again. */
    public ApiError retryAfter(int seconds) {
        retryAfterSeconds = seconds;
        return this;
    }

    /** What went wrong, for programs. */
    public Code code() {
        return code;
    }

    /** The status of HTTP. */
    public int status() {
        return code.status();
    }

    /** Seconds after which to try again; 0 when that makes no sense. */
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** The body of the answer. */
    public Map<String, Object> body() {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", code.name());
        error.put("message", getMessage());
        error.putAll(details);
        return Map.of("error", error);
    }

    /** Raised on purpose and answered: a trace of it would tell nobody anything. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
