package io.koopstream.server.http.guard;

import io.koopstream.InvalidConfigException;
import java.time.Duration;

/**
 * Limits of what one client may send and ask, those of docs/security.md. Every limit is tested at its value and one beyond.
 *
 * @param requestTime time in which a whole request must have arrived; streamed bodies are exempt
 * @param idle time without a byte after which a connection is closed
 * @param answerTime time in which an answer must be ready
 * @param requestsPerSecond requests per second from one address; 0 for no limit
 * @param eventClients clients of event streams at once; each has a connection and at most one event that it has not taken, usually under 100 kB
 */
public record HttpLimits(
        Duration requestTime, Duration idle, Duration answerTime, int requestsPerSecond, int eventClients) {

    /** Clients of event streams at once, unless another number is asked for. */
    public static final int EVENT_CLIENTS = 32;

    /** Connections open at once beside those of event streams. */
    private static final int CONNECTIONS = 224;

    /** Refuses limits that would refuse everything. */
    public HttpLimits {
        atLeast("requestTime", requestTime.toMillis(), 1);
        atLeast("idle", idle.toMillis(), 1);
        atLeast("answerTime", answerTime.toMillis(), 1);
        atLeast("requestsPerSecond", requestsPerSecond, 0);
        atLeast("eventClients", eventClients, 0);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new InvalidConfigException(name, value, "must be at least " + least);
        }
    }

    /** The usual limits. */
    public static HttpLimits usual() {
        return new HttpLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 0, EVENT_CLIENTS);
    }

    /** The same with another limit of requests per second from one address. */
    public HttpLimits withRequestsPerSecond(int limit) {
        return new HttpLimits(requestTime, idle, answerTime, limit, eventClients);
    }

    /** The same with another limit of clients of event streams. */
    public HttpLimits withEventClients(int limit) {
        return new HttpLimits(requestTime, idle, answerTime, requestsPerSecond, limit);
    }

    /** The same with other times, for tests that cannot wait. */
    public HttpLimits withTimes(Duration request, Duration quiet, Duration answer) {
        return new HttpLimits(request, quiet, answer, requestsPerSecond, eventClients);
    }

    /** Bytes of a body that is read as a whole. */
    public int body() {
        return 1_000_000;
    }

    /** Bytes of a body that is learned from while it arrives. */
    public long streamedBody() {
        return 4L << 30;
    }

    /** Samples of one batch. */
    public int batch() {
        return 10_000;
    }

    /** Bytes of one line of a streamed body. */
    public int line() {
        return 100_000;
    }

    /** Bytes of the header section. */
    public int headerBytes() {
        return 16_384;
    }

    /** Fields of the header section. */
    public int headerFields() {
        return 100;
    }

    /** Characters of the address. */
    public int uri() {
        return 8_192;
    }

    /** Connections open at once. */
    public int connections() {
        return CONNECTIONS + eventClients;
    }

    /** Nesting of a JSON document. */
    public int jsonDepth() {
        return 32;
    }

    /** Points at which one question may ask for values. */
    public int answerPoints() {
        return 40_000;
    }

    /** Heavy questions that may wait for a free core. */
    public int answersWaiting() {
        return 64;
    }
}
