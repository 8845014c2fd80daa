package io.koopstream.server.http.guard;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The names under which the server may be addressed. A page of another site that makes its own name point to this machine (DNS rebinding)
 * sends that name, and is refused.
 */
public final class AllowedHosts {

    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> authorities = new HashSet<>();
    private final Set<String> names = new HashSet<>();

    /**
     * @param port of this server; the names of the loopback are allowed with it alone
     * @param more other names, allowed with any port: a proxy has its own
     */
    public AllowedHosts(int port, List<String> more) {
        for (String host : LOOPBACK) {
            authorities.add(host + ":" + port);
            if (port == 80) {
                authorities.add(host);
            }
        }
        more.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    }

    /** Whether a Host header names this server. */
    boolean allows(String authority) {
        if (authority == null) {
            return false;
        }
        String plain = authority.toLowerCase(Locale.ROOT);
        return authorities.contains(plain) || names.contains(plain.replaceFirst(":[0-9]{1,5}$", ""));
    }

    /** Whether an Origin header is a page of this server. */
    boolean allowsOrigin(String origin) {
        String plain = origin.toLowerCase(Locale.ROOT);
        for (String scheme : List.of("http://", "https://")) {
            if (plain.startsWith(scheme)) {
                return allows(plain.substring(scheme.length()));
            }
        }
        return false;
    }
}
