package io.koopstream.server;

import io.koopstream.InvalidConfigException;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.live.Webhook;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;

/**
 * How a server runs.
 *
 * @param data the folder in which everything is kept
 * @param host the address to listen on; another than the loopback needs {@code tlsProxy}
 * @param port the port; 0 for any free one
 * @param tlsProxy whether a proxy in front speaks TLS with the world; without it the token would cross the network in clear
 * @param hostNames names under which it may be addressed, beside those of the loopback
 * @param token what callers must show; null for the one that is kept in the folder, and made when there is none
 * @param engine limits of the models
 * @param limits limits of the interface
 * @param webhook where alarms are posted; null for nowhere
 */
public record ServerConfig(
        Path data,
        String host,
        int port,
        boolean tlsProxy,
        List<String> hostNames,
        AccessToken token,
        EngineConfig engine,
        HttpLimits limits,
        Webhook.Target webhook) {

    /** The address of this machine for itself. */
    public static final String LOOPBACK = "127.0.0.1";

    /** The port when none is given. */
    public static final int DEFAULT_PORT = 8383;

    /** Refuses what would be open to the network. */
    public ServerConfig {
        hostNames = List.copyOf(hostNames);
        if (port < 0 || port > 65_535) {
            throw new InvalidConfigException("port", port, "must be from 0 to 65535; 0 means any free one");
        }
        if (!isLoopback(host) && !tlsProxy) {
            throw new InvalidConfigException(
                    "host",
                    host,
                    "is open to the network, where the token would travel in clear text; listen on 127.0.0.1, or put a TLS proxy in front and add --tls-proxy");
        }
        if (tlsProxy && hostNames.isEmpty()) {
            throw new InvalidConfigException(
                    "hostNames",
                    "none",
                    "behind a proxy, give the name it is reached by: --host-name koop.example.org");
        }
        for (String name : hostNames) {
            if (!name.matches("[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?")) {
                throw new InvalidConfigException(
                        "hostNames",
                        name,
                        "must be a host name, with the port of the proxy where that is not 443, e.g. koop.example.org or koop.example.org:8443");
            }
        }
    }

    /** The usual settings: loopback, usual port, the token of the folder. */
    public static ServerConfig in(Path data) {
        return new ServerConfig(
                data,
                LOOPBACK,
                DEFAULT_PORT,
                false,
                List.of(),
                null,
                EngineConfig.defaults(),
                HttpLimits.usual(),
                null);
    }

    /** The same on another port. */
    public ServerConfig withPort(int other) {
        return new ServerConfig(data, host, other, tlsProxy, hostNames, token, engine, limits, webhook);
    }

    /** The same with another token. */
    public ServerConfig withToken(AccessToken other) {
        return new ServerConfig(data, host, port, tlsProxy, hostNames, other, engine, limits, webhook);
    }

    /** The same with other limits of the models. */
    public ServerConfig withEngine(EngineConfig other) {
        return new ServerConfig(data, host, port, tlsProxy, hostNames, token, other, limits, webhook);
    }

    /** The same with other limits of the interface. */
    public ServerConfig withLimits(HttpLimits other) {
        return new ServerConfig(data, host, port, tlsProxy, hostNames, token, engine, other, webhook);
    }

    /** The same with alarms posted to an address. */
    public ServerConfig withWebhook(Webhook.Target other) {
        return new ServerConfig(data, host, port, tlsProxy, hostNames, token, engine, limits, other);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new InvalidConfigException("host", host, "is not an address of this machine; try 127.0.0.1");
        }
    }
}
