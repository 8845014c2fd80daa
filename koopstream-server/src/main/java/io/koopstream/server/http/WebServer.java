package io.koopstream.server.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.router.InternalRouter;
import io.javalin.util.JavalinException;
import io.koopstream.KoopstreamException;
import io.koopstream.io.Json;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.error.Errors;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.AllowedHosts;
import io.koopstream.server.http.guard.ErrorPages;
import io.koopstream.server.http.guard.HeaderDeadline;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.guard.RequestFilter;
import io.koopstream.server.http.ingest.IngestSocket;
import io.koopstream.server.http.ingest.JsonInput;
import io.koopstream.server.http.ingest.SampleIntake;
import io.koopstream.server.http.live.EventStreams;
import io.koopstream.server.http.live.Metrics;
import io.koopstream.server.http.live.Webhook;
import io.koopstream.server.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The HTTP interface on a socket. */
public final class WebServer implements AutoCloseable {

    /** Threads beside those of connections: acceptors, selectors, answers. */
    private static final int MORE_THREADS = 32;

    private static final long STOP_MILLIS = 1_000;

    private static final int SESSION_SECONDS = 60;

    private static final System.Logger LOG = System.getLogger(WebServer.class.getName());

    private final Javalin javalin;
    private final ServerConnector connector;
    private final EventStreams events;
    private final Metrics metrics;
    /** Null when alarms are posted nowhere. */
    private final Webhook webhook;

    private final ExecutorService answers;
    private final ModelRoutes routes;
    private final PolicyRoutes policyRoutes;

    /**
     * Where to listen, and under which names.
     *
     * @param host the address to bind
     * @param port the port; 0 for any free one
     * @param names more names of this server, beside those of the loopback
     * @param proxied whether a proxy in front speaks TLS with the world
     */
    public record Address(String host, int port, List<String> names, boolean proxied) {

        /** Keeps its own list. */
        public Address {
            names = List.copyOf(names);
        }
    }

    /**
     * What opens the door.
     *
     * @param token what callers show
     * @param sessions a secret of this server alone, by which it knows the cookies it gave
     */
    public record Secrets(AccessToken token, String sessions) {

        @Override
        public String toString() {
            return "secrets (hidden)";
        }
    }

    private WebServer(
            LiveModels models,
            Policies policies,
            Secrets secrets,
            Address address,
            HttpLimits limits,
            Webhook.Target target) {
        answers = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "koopstream-answers");
            thread.setDaemon(true);
            return thread;
        });
        events = new EventStreams(models, limits);
        webhook = target == null ? null : new Webhook(models, target);
        metrics = new Metrics(models, events, webhook);
        JsonInput json = new JsonInput(limits);
        SampleIntake intake = new SampleIntake(limits, json);
        Bodies bodies = new Bodies(limits, json, models.memory());
        Questions questions = new Questions(models, limits);
        routes = new ModelRoutes(models, limits, bodies, intake, events, metrics, questions);
        policyRoutes = new PolicyRoutes(policies, limits, bodies, questions);
        IngestSocket socket = new IngestSocket(models, intake, limits.idle(), answers);
        RequestFilter door = new RequestFilter(limits, secrets.token(), secrets.sessions(), address.proxied());

        // A thread for every connection, so that slow senders cannot take those of the others.
        QueuedThreadPool threads = new QueuedThreadPool(limits.connections() + MORE_THREADS, 8);
        threads.setName("koopstream-http");
        threads.setDaemon(true);
        Server server = new Server(threads);
        connector = connector(server, address, limits);
        javalin = Javalin.create(config -> configure(config, server, door, socket, limits));
        try {
            connector.open();
        } catch (java.io.IOException e) {
            close();
            throw new KoopstreamException(
                    "port " + address.port() + " of " + address.host()
                            + " cannot be used; another process may have it: choose another with --port, or 0 for any free one",
                    e);
        }
        door.listen(
                new AllowedHosts(connector.getLocalPort(), address.names(), address.proxied()),
                connector.getLocalPort());
        javalin.start();
        routes.ready(true);
    }

    /**
     * Starts to listen.
     *
     * @param target where alarms are posted; null for nowhere
     */
    public static WebServer start(
            LiveModels models,
            Policies policies,
            Secrets secrets,
            Address address,
            HttpLimits limits,
            Webhook.Target target) {
        return new WebServer(models, policies, secrets, address, limits, target);
    }

    private static ServerConnector connector(Server server, Address address, HttpLimits limits) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(limits.headerBytes());
        // What is ambiguous reaches the front door, which refuses it in our words.
        http.setUriCompliance(UriCompliance.UNSAFE);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(address.host());
        connector.setPort(address.port());
        connector.setIdleTimeout(limits.idle().toMillis());
        connector.addBean(new HeaderDeadline(connector.getScheduler(), limits.requestTime()));
        connector.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        server.addConnector(connector);
        return connector;
    }

    private void configure(
            JavalinConfig config, Server server, RequestFilter door, IngestSocket socket, HttpLimits limits) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = limits.body();
        config.http.asyncTimeout = 0;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.unsafe.jettyInternal.server = server;
        config.jetty.modifyServer(it -> {
            it.setErrorHandler(new ErrorPages());
            it.setStopTimeout(STOP_MILLIS);
            it.insertHandler(door);
        });
        config.jetty.modifyServletContextHandler(context -> {
            // Javalin makes a session for every socket; nobody needs it, least of all as a cookie.
            context.getSessionHandler().setUsingCookies(false);
            context.getSessionHandler().setMaxInactiveInterval(SESSION_SECONDS);
        });
        config.jetty.modifyWebSocketServletFactory(factory -> {
            factory.setMaxTextMessageSize(limits.body());
            factory.setMaxBinaryMessageSize(limits.body());
        });
        config.requestLogger.http((context, milliseconds) -> {
            String route = context.attribute(ModelRoutes.ROUTE);
            metrics.answered(
                    context.method().name(), route == null ? "none" : route, context.statusCode(), milliseconds);
        });
        config.routes.exception(HttpResponseException.class, (e, context) -> write(context, refused(e)));
        config.routes.exception(Exception.class, (e, context) -> write(context, Errors.of(e)));
        config.router.javaLangErrorHandler((response, error) -> {
            ApiError answer = Errors.of(error);
            response.setStatus(answer.status());
            response.setContentType("application/json");
            try {
                response.getOutputStream().write(Json.bytes(answer.body()));
            } catch (java.io.IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "nobody reads the answer", e);
            }
        });
        routes.register(config.routes);
        policyRoutes.register(config.routes);
        config.routes.wsBeforeUpgrade("/models/{name}/ingest", context -> {
            try {
                socket.requireModel(context.pathParam("name"));
            } catch (ApiError error) {
                // Javalin answers a refused upgrade with the status alone.
                context.res().setStatus(error.status());
                context.res().setContentType("application/json");
                context.res().getOutputStream().write(Json.bytes(error.body()));
                throw error;
            }
        });
        config.routes.ws("/models/{name}/ingest", socket::configure);
    }

    private static ApiError refused(HttpResponseException e) {
        return switch (e.getStatus()) {
            case 404 -> new ApiError(Code.NOT_FOUND, "there is nothing at this path; see /openapi.json");
            case 405 ->
                new ApiError(Code.METHOD_NOT_ALLOWED, "this path does not support this method; see /openapi.json");
            case 413 -> new ApiError(Code.TOO_LARGE, "the body is too large");
            default -> new ApiError(Code.BAD_REQUEST, "the request cannot be understood");
        };
    }

    /** An error as an answer. */
    static void write(Context context, ApiError error) {
        if (error.retryAfterSeconds() > 0) {
            context.header("Retry-After", Integer.toString(error.retryAfterSeconds()));
        }
        write(context, error.status(), error.body());
    }

    /** A document as an answer. */
    static void write(Context context, int status, Object document) {
        context.status(status).contentType("application/json").result(Json.bytes(document));
    }

    /** The port it listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Every method and path, as registered; a socket is opened with GET. */
    List<String> registered() {
        InternalRouter router = javalin.unsafe.internalRouter;
        List<String> all = new ArrayList<>();
        router.allHttpHandlers().stream()
                .filter(handler -> handler.endpoint.method.isHttpMethod())
                .forEach(handler -> all.add(handler.endpoint.method.name() + " " + handler.endpoint.path));
        router.allWsHandlers().forEach(handler -> all.add("GET " + handler.getPath()));
        return all;
    }

    /** Stops to listen; what is being answered has a second to end. */
    @Override
    public void close() {
        routes.ready(false);
        events.close();
        if (javalin != null) {
            try {
                javalin.stop();
            } catch (JavalinException e) {
                // Not everybody went within the second; their connections are closed now.
                LOG.log(System.Logger.Level.DEBUG, "connections were cut", e);
            }
        }
        answers.shutdown();
        if (webhook != null) {
            webhook.close();
        }
        metrics.close();
    }
}
