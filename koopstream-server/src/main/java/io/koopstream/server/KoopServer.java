package io.koopstream.server;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.server.engine.DataFolder;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.http.WebServer;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.KeptSecret;
import io.koopstream.server.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;

/** A server that learns: models in a folder, behind HTTP. Started once, closed once. */
public final class KoopServer implements AutoCloseable {

    private final ServerConfig config;
    private final LiveModels models;
    private final Policies policies;
    private final WebServer web;
    private final AccessToken token;
    private final boolean newToken;

    private KoopServer(ServerConfig config) {
        this.config = config;
        keepPrivate(config.data());
        this.models = LiveModels.open(config.data(), config.engine(), Storage.DISK, Clock.systemUTC());
        try {
            // Kept beside the models, so that a restart locks nobody out.
            KeptSecret own = config.token() == null ? KeptSecret.in(tokenFile(config.data())) : null;
            this.newToken = own != null && own.isNew();
            this.token = own == null ? config.token() : AccessToken.of(own.text());
            String sessions =
                    KeptSecret.in(config.data().resolve("koopstream.sessions")).text();
            this.policies = Policies.open(DataFolder.policies(config.data()), Storage.DISK, models.memory());
            this.web = WebServer.start(
                    models,
                    policies,
                    new WebServer.Secrets(token, sessions),
                    new WebServer.Address(config.host(), config.port(), config.hostNames(), config.tlsProxy()),
                    config.limits(),
                    config.webhook());
        } catch (RuntimeException e) {
            models.close();
            throw e;
        }
    }

    /** A folder that is made here is its owner's alone, where the file system knows owners; so is everything in it. */
    private static void keepPrivate(Path data) {
        try {
            if (!Files.exists(data)
                    && data.toAbsolutePath().getParent() != null
                    && Files.isDirectory(data.toAbsolutePath().getParent())
                    && data.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectory(
                        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
        } catch (IOException e) {
            throw StorageFailedException.of("creating the data directory", e);
        }
    }

    /** Begins to listen at once; each model answers as soon as its own files are read. */
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
        return url() + "/?token=" + token.reveal();
    }

    /** Where a data folder keeps the token of its server, unless another was given. */
    public static Path tokenFile(Path data) {
        return data.resolve("koopstream.token");
    }

    /** Whether the token was made at this start, so that nobody knows it yet. */
    public boolean hasNewToken() {
        return newToken;
    }

    /** The models, for sources inside this process. */
    public LiveModels models() {
        return models;
    }

    /** The learned controllers that it answers with. */
    public Policies policies() {
        return policies;
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
