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
    private final Set<String> origins = new HashSet<>();

    /**
     * @param port of this server; the names of the loopback are allowed with it alone
     * @param more other names, allowed with any port: a proxy has its own
     * @param proxied whether a proxy speaks TLS with the world; pages then come from these names over TLS, at the port that is given with a name
     */
    public AllowedHosts(int port, List<String> more, boolean proxied) {
        for (String host : LOOPBACK) {
            authorities.add(host + ":" + port);
            if (port == 80) {
                authorities.add(host);
            }
        }
        authorities.forEach(authority -> origins.add("http://" + authority));
        for (String given : more) {
            String name = given.toLowerCase(Locale.ROOT);
            names.add(withoutPort(name));
            origins.add(
                    proxied ? "https://" + name.replaceFirst(":443$", "") : "http://" + withoutPort(name) + ":" + port);
        }
    }

    private static String withoutPort(String name) {
        return name.replaceFirst(":[0-9]{1,5}$", "");
    }

    /** Whether a Host header names this server. */
    boolean allows(String authority) {
        if (authority == null) {
            return false;
        }
        String plain = authority.toLowerCase(Locale.ROOT);
        return authorities.contains(plain) || names.contains(withoutPort(plain));
    }

    /** Whether an Origin header is a page of this server: scheme, name and port. */
    boolean allowsOrigin(String origin) {
        return origins.contains(origin.toLowerCase(Locale.ROOT));
    }
}
