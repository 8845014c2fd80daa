package io.koopstream.io;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** SHA-256 under way, or CRC-32C. Both find damage; neither is a signature, because whoever changes a file can compute it anew. */
final class Checksum {

    /** Number of hexadecimal digits of a SHA-256. */
    static final int DIGITS = 64;

    /** Null where it is a CRC. */
    private final MessageDigest sha;

    private final CRC32C crc = new CRC32C();

    private Checksum(MessageDigest sha) {
        this.sha = sha;
    }

    /** For files. */
    static Checksum sha256() {
        try {
            return new Checksum(MessageDigest.getInstance("SHA-256"));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Ten times as fast, for what lies within something larger. */
    static Checksum crc32c() {
        return new Checksum(null);
    }

    void update(byte[] bytes) {
        update(ByteBuffer.wrap(bytes));
    }

    /** Takes what is between position and limit, and moves the position there. */
    void update(ByteBuffer bytes) {
        if (sha == null) {
            crc.update(bytes);
        } else {
            sha.update(bytes);
        }
    }

    /** The SHA-256 in hexadecimal; ends the computation. */
    String digits() {
        return HexFormat.of().formatHex(sha.digest());
    }

    /** The CRC-32C. */
    int crc() {
        return (int) crc.getValue();
    }
}
