package io.koopstream.server.http.guard;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a browser shows instead of the token: browsers send the cookies of a host to all its ports, so whatever listens on another one gets to see
 * it. It is good for this server alone and for some days, and tells nothing about the token: an end and an HMAC-SHA256 over it, under a key of the
 * token and of a secret of the data folder. A new token ends all of them. Any thread.
 */
final class SessionCookie {

    static final Duration LIFE = Duration.ofDays(7);

    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final InstantSource clock;

    SessionCookie(AccessToken token, String secret, InstantSource clock) {
        byte[] own = mac(new SecretKeySpec(bytes(secret), HMAC), "koopstream session " + token.reveal());
        this.key = new SecretKeySpec(own, HMAC);
        this.clock = clock;
    }

    /** A new one. */
    String issue() {
        return signed(clock.instant().plus(LIFE).getEpochSecond());
    }

    /** Whether it is one of this server that has not ended. The time does not tell how much of it was right. */
    boolean accepts(String value) {
        int dot = value == null ? -1 : value.indexOf('.');
        if (dot < 1 || dot > 18) {
            return false;
        }
        try {
            long end = Long.parseLong(value.substring(0, dot));
            return MessageDigest.isEqual(bytes(signed(end)), bytes(value))
                    && clock.instant().getEpochSecond() < end;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private String signed(long end) {
        return end + "." + HexFormat.of().formatHex(mac(key, Long.toString(end)));
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
