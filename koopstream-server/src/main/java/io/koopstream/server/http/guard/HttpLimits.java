package io.koopstream.server.http.guard;

import io.koopstream.InvalidConfigException;
import java.time.Duration;

/**
 * What the server takes from one client before it says no. Every limit is tested at its value and one beyond.
 *
 * @param body bytes of a body that is read as a whole
 * @param streamedBody bytes of a body that is learned from while it arrives
 * @param batch samples of one batch
 * @param line bytes of one line of a streamed body
 * @param headerBytes bytes of the header section
 * @param headerFields fields of the header section
 * @param uri characters of the address
 * @param requestTime time in which a whole request must have arrived; streamed bodies are exempt
 * @param idle time without a byte after which a connection is closed
 * @param answerTime time in which an answer must be ready
 * @param connections connections open at once
 * @param eventClients clients of event streams at once
 * @param jsonDepth nesting of a JSON document
 * @param answerPoints points at which one question may ask for values
 * @param answersWaiting heavy questions that may wait for a free core
 * @param requestsPerSecond requests per second from one address; 0 for no limit
 */
public record HttpLimits(
        int body,
        long streamedBody,
        int batch,
        int line,
        int headerBytes,
        int headerFields,
        int uri,
        Duration requestTime,
        Duration idle,
        Duration answerTime,
        int connections,
        int eventClients,
        int jsonDepth,
        int answerPoints,
        int answersWaiting,
        int requestsPerSecond) {

    /** Refuses limits that would refuse everything. */
    public HttpLimits {
        atLeast("body", body, 1_000);
        atLeast("streamedBody", streamedBody, body);
        atLeast("batch", batch, 1);
        atLeast("line", line, 100);
        atLeast("headerBytes", headerBytes, 1_024);
        atLeast("headerFields", headerFields, 10);
        atLeast("uri", uri, 256);
        atLeast("requestTime", requestTime.toMillis(), 1);
        atLeast("idle", idle.toMillis(), 1);
        atLeast("answerTime", answerTime.toMillis(), 1);
        atLeast("connections", connections, 1);
        atLeast("eventClients", eventClients, 0);
        atLeast("jsonDepth", jsonDepth, 4);
        atLeast("answerPoints", answerPoints, 1);
        atLeast("answersWaiting", answersWaiting, 1);
        atLeast("requestsPerSecond", requestsPerSecond, 0);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new InvalidConfigException(name, value, "must be at least " + least);
        }
    }

    /** The limits of docs/security.md. */
    public static HttpLimits usual() {
        return new HttpLimits(
                1_000_000,
                4L << 30,
                10_000,
                100_000,
                16_384,
                100,
                8_192,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                256,
                32,
                32,
                40_000,
                64,
                0);
    }

    /** The same with another limit of requests per second from one address. */
    public HttpLimits withRequestsPerSecond(int limit) {
        return new HttpLimits(
                body,
                streamedBody,
                batch,
                line,
                headerBytes,
                headerFields,
                uri,
                requestTime,
                idle,
                answerTime,
                connections,
                eventClients,
                jsonDepth,
                answerPoints,
                answersWaiting,
                limit);
    }

    /** The same with other times, for tests that cannot wait. */
    public HttpLimits withTimes(Duration request, Duration quiet, Duration answer) {
        return new HttpLimits(
                body,
                streamedBody,
                batch,
                line,
                headerBytes,
                headerFields,
                uri,
                request,
                quiet,
                answer,
                connections,
                eventClients,
                jsonDepth,
                answerPoints,
                answersWaiting,
                requestsPerSecond);
    }
}
