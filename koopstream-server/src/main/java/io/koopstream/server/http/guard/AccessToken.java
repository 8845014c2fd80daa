package io.koopstream.server.http.guard;

import io.koopstream.InvalidConfigException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The secret that every caller must show. It is shown to whoever started the server and never logged. */
public final class AccessToken {

    private static final int SHORTEST = 16;
    private static final int LONGEST = 256;

    private final String text;

    private AccessToken(String text) {
        this.text = text;
    }

    /** A token that was chosen elsewhere: 16 to 256 letters, digits, dots, hyphens and underscores. */
    public static AccessToken of(String text) {
        // The text itself stays out of the message: messages are logged.
        if (!text.matches("[A-Za-z0-9._-]{" + SHORTEST + "," + LONGEST + "}")) {
            throw new InvalidConfigException(
                    "token",
                    text.length() + " characters",
                    "must be " + SHORTEST + " to " + LONGEST + " letters, digits, dots, hyphens and underscores");
        }
        return new AccessToken(text);
    }

    /** Whether this is it. The time does not tell how much of it was right. */
    boolean matches(String given) {
        return given != null
                && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    /** The token itself, to be shown to the user who started the server. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "token (hidden)";
    }
}
