package io.koopstream.server;

import io.koopstream.io.Storage;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.http.WebServer;
import java.time.Clock;

/** A server that learns: models in a folder, behind HTTP. Started once, closed once. */
public final class KoopServer implements AutoCloseable {

    private final ServerConfig config;
    private final LiveModels models;
    private final WebServer web;

    private KoopServer(ServerConfig config) {
        this.config = config;
        this.models = LiveModels.open(config.data(), config.engine(), Storage.DISK, Clock.systemUTC());
        try {
            this.web = WebServer.start(
                    models,
                    config.token(),
                    new WebServer.Address(config.host(), config.port(), config.hostNames(), config.tlsProxy()),
                    config.limits());
        } catch (RuntimeException e) {
            models.close();
            throw e;
        }
    }

    /** Recovers the models of the folder and begins to listen. */
    public static KoopServer start(ServerConfig config) {
        return new KoopServer(config);
    }

    /** The port it listens on. */
    public int port() {
        return web.port();
    }

    /** The address without the token. */
    public String url() {
        return "http://" + (config.host().contains(":") ? "[" + config.host() + "]" : config.host()) + ":" + port();
    }

    /** The address of the page with the token, for the one who started it; a browser forgets the token after the first redirect. */
    public String pageUrl() {
        return url() + "/?token=" + config.token().reveal();
    }

    /** The models, for sources inside this process. */
    public LiveModels models() {
        return models;
    }

    /** Stops to listen, learns what was accepted, and saves everything. */
    @Override
    public void close() {
        try {
            web.close();
        } finally {
            models.close();
        }
    }
}
