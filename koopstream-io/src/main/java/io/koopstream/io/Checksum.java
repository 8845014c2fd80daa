package io.koopstream.io;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 under way. It finds damage; it is not a signature, because whoever changes a file can compute it anew. */
final class Checksum {

    /** Number of hexadecimal digits. */
    static final int DIGITS = 64;

    private final MessageDigest sha;

    Checksum() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void update(byte[] bytes) {
        sha.update(bytes);
    }

    /** Takes what is between position and limit, and moves the position there. */
    void update(ByteBuffer bytes) {
        sha.update(bytes);
    }

    /** The digest in hexadecimal; ends the computation. */
    String digits() {
        return HexFormat.of().formatHex(sha.digest());
    }
}
