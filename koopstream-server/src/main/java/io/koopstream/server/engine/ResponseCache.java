package io.koopstream.server.engine;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Answers that were given about a view, as they were sent: whoever asks the same gets the same bytes. They end with the view. Any thread. */
public final class ResponseCache {

    /** Answers of one view together take no more than this; those beyond are computed whenever somebody asks. */
    private static final long MAX_BYTES = 2 << 20;

    private static final int TAG_BYTES = 12;

    private final Map<String, CompletableFuture<Answer>> answers = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** An answer. */
    public static final class Answer {
        private final byte[] body;
        private final String tag;

        private Answer(byte[] body) {
            this.body = body;
            this.tag = '"' + HexFormat.of().formatHex(Arrays.copyOf(sha256().digest(body), TAG_BYTES)) + '"';
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        /** Its bytes; for reading. */
        public byte[] body() {
            return body;
        }

        /** What tells it from other answers: an entity tag of HTTP. */
        public String tag() {
            return tag;
        }
    }

    /** The answer to a question, if somebody has asked it before. */
    public Optional<Answer> known(String question) {
        CompletableFuture<Answer> answer = answers.get(question);
        return answer == null || !answer.isDone() || answer.isCompletedExceptionally()
                ? Optional.empty()
                : Optional.of(answer.join());
    }

    /** The answer to a question; computed once, however many ask at the same time. An error is for all of them, and is not kept. */
    public Answer get(String question, Supplier<byte[]> compute) {
        CompletableFuture<Answer> mine = new CompletableFuture<>();
        CompletableFuture<Answer> first = answers.putIfAbsent(question, mine);
        if (first != null) {
            return first.join();
        }
        try {
            Answer answer = new Answer(compute.get());
            long size = answer.body.length + 2L * question.length();
            if (bytes.addAndGet(size) > MAX_BYTES) {
                bytes.addAndGet(-size);
                answers.remove(question);
            }
            mine.complete(answer);
            return answer;
        } catch (RuntimeException | Error e) {
            answers.remove(question);
            mine.completeExceptionally(e);
            throw e;
        }
    }
}
