package io.koopstream.server.http;

import io.javalin.http.Context;
import io.koopstream.server.engine.MemoryBudget;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.guard.BodyStream;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bodies of requests, within their limits. */
final class Bodies {

    static final String JSON = "application/json";
    static final String PACKED = "application/octet-stream";
    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([^\";\\s]*)");

    private final HttpLimits limits;
    private final JsonInput json;
    private final MemoryBudget memory;

    Bodies(HttpLimits limits, JsonInput json, MemoryBudget memory) {
        this.limits = limits;
        this.json = json;
        this.memory = memory;
    }

    /** The content type without its parameters, of which there may be a charset, which may be UTF-8. */
    static String type(Context context) {
        String type = Objects.requireNonNullElse(context.header("Content-Type"), "");
        Matcher charset = CHARSET.matcher(type);
        if (charset.find() && !charset.group(1).equalsIgnoreCase("utf-8")) {
            throw new ApiError(Code.UNSUPPORTED_TYPE, "expected charset=utf-8, or none");
        }
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** The body with its limits. A length that is far too large is refused before a byte of it is read. */
    InputStream limited(Context context, long limit, boolean timed) throws IOException {
        BodyStream body = new BodyStream(
                context.req().getInputStream(),
                limit,
                timed ? System.nanoTime() + limits.requestTime().toNanos() : Long.MAX_VALUE,
                !type(context).equals(PACKED),
                memory);
        long length = context.req().getContentLengthLong();
        if (length > limit) {
            body.close();
            throw body.refusedByLength(length);
        }
        return body;
    }

    /** The body as a JSON object with none but these keys. */
    Map<String, Object> object(Context context, String... known) throws IOException {
        if (!type(context).equals(JSON)) {
            throw new ApiError(Code.UNSUPPORTED_TYPE, "expected Content-Type: " + JSON);
        }
        Map<String, Object> body;
        try (InputStream in = limited(context, limits.body(), true)) {
            body = json.object(in);
        }
        context.attribute(Questions.BODY, body);
        Set<String> keys = Set.of(known);
        for (String key : body.keySet()) {
            if (!keys.contains(key)) {
                throw new ApiError(
                                Code.BAD_REQUEST,
                                "unknown key '" + key.replaceAll("[^\\x20-\\x7e]", "?") + "'; there are "
                                        + String.join(", ", known))
                        .with("field", key);
            }
        }
        return body;
    }
}
