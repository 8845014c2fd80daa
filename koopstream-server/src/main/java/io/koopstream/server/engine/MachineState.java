package io.koopstream.server.engine;

import io.koopstream.io.StreamFile;
import io.koopstream.stream.LearningStreamState;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Everything a {@link ModelMachine} needs to go on, bit for bit, as an immutable value. */
final class MachineState {

    /** The part with the learning stream, as {@link StreamFile} writes it. */
    static final String STREAM = "STRM";
    /** The part with what the machine itself keeps. */
    static final String BOOKS = "BOOK";

    private final LearningStreamState stream;
    private final byte[] books;

    MachineState(LearningStreamState stream, byte[] books) {
        this.stream = stream;
        this.books = books;
    }

    /** The learning stream. */
    LearningStreamState stream() {
        return stream;
    }

    /** The parts as bytes; equal states have equal parts. */
    Map<String, ByteBuffer> parts() {
        Map<String, ByteBuffer> parts = new LinkedHashMap<>();
        parts.put(STREAM, ByteBuffer.wrap(StreamFile.encode(stream)));
        parts.put(BOOKS, ByteBuffer.wrap(books));
        return parts;
    }

    /** SHA-256 over every bit of it, as 64 hexadecimal digits. */
    String digest() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            parts().values().forEach(sha::update);
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
