package io.koopstream.server.http.guard;

import io.koopstream.io.EncodableText;
import io.koopstream.io.Json;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/**
 * Decides about every request, upgrades to WebSocket included, before anything else sees it: address, host, origin, token, rate. What it
 * refuses costs no body to be read, and its connection is closed.
 */
public final class RequestFilter extends Handler.Wrapper {

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS");

    /** Asked by supervisors, who have no token; they tell nothing. */
    private static final Set<String> OPEN = Set.of("/health", "/ready");

    /** What could be read in two ways, once as part of a name and once as a way out of a folder. */
    private static final Pattern AMBIGUOUS =
            Pattern.compile("%2f|%5c|%25|%2e|\\\\|;|//|/\\.\\.?(/|$)", Pattern.CASE_INSENSITIVE);

    private static final Pattern CONTROL = Pattern.compile("%[01][0-9a-f]|%7f", Pattern.CASE_INSENSITIVE);

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1");

    private static final String BEARER = "bearer ";
    private static final String MODELS = "/models/";

    private final HttpLimits limits;
    private final AccessToken token;
    private final SessionCookie sessions;
    private final RateLimit rate;
    private final boolean secure;
    private volatile AllowedHosts hosts = new AllowedHosts(0, List.of(), false);
    private volatile String cookie = "koop";

    /**
     * @param secret of this server alone, for the cookies of browsers
     * @param secure whether cookies go over TLS alone
     */
    public RequestFilter(HttpLimits limits, AccessToken token, String secret, boolean secure) {
        this.limits = limits;
        this.token = token;
        this.sessions = new SessionCookie(token, secret, Clock.systemUTC());
        this.rate = new RateLimit(limits.requestsPerSecond(), System::nanoTime);
        this.secure = secure;
    }

    /** Called once, when the port is known and before it is listened to. */
    public void listen(AllowedHosts allowed, int port) {
        hosts = allowed;
        // All ports of a host share their cookies, so the port is part of the name.
        cookie = "koop-" + port;
    }

    /** The headers of every answer. */
    static void protect(HttpFields.Mutable headers) {
        headers.put(
                "Content-Security-Policy",
                "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        protect(response.getHeaders());
        try {
            String path = request.getHttpURI().getPath();
            check(request, path == null ? "" : path);
            if (exchangesToken(request, path)) {
                response.setStatus(303);
                response.getHeaders().put(HttpHeader.LOCATION, "/");
                Response.addCookie(
                        response,
                        HttpCookie.build(cookie, sessions.issue())
                                .path("/")
                                .maxAge(SessionCookie.LIFE.toSeconds())
                                .httpOnly(true)
                                .secure(secure)
                                .sameSite(HttpCookie.SameSite.STRICT)
                                .build());
                callback.succeeded();
                return true;
            }
            requireToken(request, path);
        } catch (ApiError error) {
            refuse(request, error, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private void check(Request request, String path) {
        HttpFields headers = request.getHeaders();
        if (request.getHttpURI().getPathQuery() != null
                && request.getHttpURI().getPathQuery().length() > limits.uri()) {
            throw new ApiError(Code.URI_TOO_LONG, "the address is longer than " + limits.uri() + " characters");
        }
        if (headers.size() > limits.headerFields()) {
            throw new ApiError(Code.HEADERS_TOO_LARGE, "more than " + limits.headerFields() + " header fields");
        }
        if (!METHODS.contains(request.getMethod())) {
            throw new ApiError(Code.METHOD_NOT_ALLOWED, "unknown method; /openapi.json lists all calls");
        }
        checkOrigin(headers);
        requireUtf8(request.getHttpURI().getQuery());
        if (CONTROL.matcher(path).find()) {
            throw new ApiError(Code.BAD_REQUEST, "the path contains a control character");
        }
        if (AMBIGUOUS.matcher(path).find()) {
            throw path.startsWith(MODELS)
                    ? new ApiError(Code.BAD_NAME, "a model name consists of a-z, 0-9 and '-' alone")
                    : new ApiError(Code.NOT_FOUND, "there is nothing at this path; see /openapi.json");
        }
        String encoding = headers.get(HttpHeader.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new ApiError(
                    Code.UNSUPPORTED_TYPE, "compressed bodies are not supported; send it without Content-Encoding");
        }
        if (!rate.admit(client(request))) {
            throw new ApiError(
                            Code.TOO_MANY_REQUESTS,
                            "more than " + limits.requestsPerSecond()
                                    + " requests per second; send batches, or wait a second")
                    .retryAfter(1);
        }
    }

    /** The address of the client: what a proxy on this machine says last, where there is one; what anybody else says of himself counts nothing. */
    private String client(Request request) {
        String peer = Request.getRemoteAddr(request);
        List<String> forwarded = request.getHeaders().getValuesList("X-Forwarded-For");
        return secure && LOOPBACK.contains(peer) && !forwarded.isEmpty() ? last(forwarded) : peer;
    }

    private static String last(List<String> values) {
        String last = values.get(values.size() - 1);
        return last.substring(last.lastIndexOf(',') + 1).strip();
    }

    /** Bytes that are no UTF-8 would all be read as one character: two names of streams would become one. */
    private static void requireUtf8(String query) {
        try {
            if (query == null || EncodableText.objection(URLDecoder.decode(query, StandardCharsets.UTF_8)) == null) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // A percent sign without its two digits: said below.
        }
        throw new ApiError(Code.BAD_REQUEST, "the query string is not percent-encoded UTF-8");
    }

    private void checkOrigin(HttpFields headers) {
        String host = headers.get(HttpHeader.HOST);
        if (host == null || host.isBlank()) {
            throw new ApiError(Code.BAD_REQUEST, "the Host header is missing");
        }
        if (headers.getValuesList(HttpHeader.HOST).size() > 1) {
            throw new ApiError(Code.BAD_REQUEST, "more than one Host header");
        }
        if (!hosts.allows(host)) {
            throw new ApiError(
                    Code.WRONG_HOST,
                    "this server is not known by that name; use the address it printed at start, or allow the name with --host-name");
        }
        String origin = headers.get(HttpHeader.ORIGIN);
        if (origin != null && !hosts.allowsOrigin(origin)) {
            throw new ApiError(Code.FORBIDDEN_ORIGIN, "pages of other sites may not call this server");
        }
    }

    private boolean exchangesToken(Request request, String path) {
        if (!"/".equals(path) || request.getHttpURI().getQuery() == null) {
            return false;
        }
        Fields query = Request.extractQueryParameters(request);
        String given = query.getValue("token");
        if (given == null) {
            return false;
        }
        if (!token.matches(given)) {
            throw unauthorized();
        }
        return true;
    }

    private void requireToken(Request request, String path) {
        if (OPEN.contains(path)) {
            return;
        }
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (header != null) {
            boolean bearer = header.toLowerCase(Locale.ROOT).startsWith(BEARER);
            if (bearer && token.matches(header.substring(BEARER.length()).strip())) {
                return;
            }
            throw unauthorized();
        }
        for (HttpCookie sent : Request.getCookies(request)) {
            if (sent.getName().equals(cookie) && sessions.accepts(sent.getValue())) {
                return;
            }
        }
        throw unauthorized();
    }

    private static ApiError unauthorized() {
        return new ApiError(
                Code.UNAUTHORIZED,
                "the token is missing or wrong; open the address that was printed at start, or send 'Authorization: Bearer TOKEN'");
    }

    /** For a person who opens the page without having been let in. */
    private static final byte[] LOCKED = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Koopstream</title>
            <h1>Koopstream</h1>
            <p>This page needs the token of the server. Open the address with <code>?token=…</code> that koop serve printed at its first start,
            or add the token of the file koopstream.token in the data folder to this address: <code>/?token=TOKEN</code>.</p></html>
            """.getBytes(StandardCharsets.UTF_8);

    private static boolean isForAPerson(Request request, ApiError error) {
        String accepts = request.getHeaders().get(HttpHeader.ACCEPT);
        return error.code() == Code.UNAUTHORIZED
                && "/".equals(request.getHttpURI().getPath())
                && accepts != null
                && accepts.contains("text/html");
    }

    private static void refuse(Request request, ApiError error, Response response, Callback callback) {
        response.setStatus(error.status());
        HttpFields.Mutable headers = response.getHeaders();
        boolean page = isForAPerson(request, error);
        headers.put(HttpHeader.CONTENT_TYPE, page ? "text/html; charset=utf-8" : "application/json");
        if (error.code() == Code.UNAUTHORIZED) {
            headers.put(new HttpField(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"koopstream\""));
        }
        if (error.retryAfterSeconds() > 0) {
            headers.put(HttpHeader.RETRY_AFTER, Integer.toString(error.retryAfterSeconds()));
        }
        // Nothing more is read of a request that was refused.
        headers.put(HttpHeader.CONNECTION, "close");
        response.write(true, ByteBuffer.wrap(page ? LOCKED : Json.bytes(error.body())), callback);
    }
}
