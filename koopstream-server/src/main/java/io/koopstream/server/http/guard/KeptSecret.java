package io.koopstream.server.http.guard;

import io.koopstream.KoopstreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * A secret in a file that its owner alone may read, made when it is first needed: after a restart it is the same.
 *
 * @param text the secret
 * @param isNew whether it was made now
 */
public record KeptSecret(String text, boolean isNew) {

    private static final int BYTES = 16;
    private static final String OWNER_ONLY = "rw-------";

    /** The secret in a file; 128 random bits in hexadecimal when there is none. */
    public static KeptSecret in(Path file) {
        try {
            String kept = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    ? Files.readString(file).strip()
                    : "";
            return kept.isEmpty() ? make(file) : new KeptSecret(kept, false);
        } catch (IOException e) {
            throw new KoopstreamException(
                    file.getFileName() + " of the data folder cannot be read or created; check its permissions", e);
        }
    }

    private static KeptSecret make(Path file) throws IOException {
        byte[] bits = new byte[BYTES];
        new SecureRandom().nextBytes(bits);
        String text = HexFormat.of().formatHex(bits);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] rights = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY))
                }
                : new FileAttribute<?>[0];
        // What is there is empty, left by a crash, or no plain file.
        Files.deleteIfExists(file);
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), rights)) {
            channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.US_ASCII)));
            channel.force(true);
        }
        return new KeptSecret(text, true);
    }

    @Override
    public String toString() {
        return "secret (hidden)";
    }
}
