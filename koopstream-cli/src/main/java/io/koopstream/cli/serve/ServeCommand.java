package io.koopstream.cli.serve;

import io.koopstream.cli.shell.Choices;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.DataOptions;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.feed.Feed;
import io.koopstream.server.feed.FeedTarget;
import io.koopstream.server.feed.FileTail;
import io.koopstream.server.feed.LineListener;
import io.koopstream.server.feed.SimulatorFeed;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.live.Webhook;
import io.koopstream.server.policy.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code koop serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description =
                "Runs a local server that learns from the samples sent to it and shows the models on a live page.",
        footer = {
            "",
            "Example:  koop serve --demo fourwell",
            "          koop serve --data plant --port 8383",
            "The address of the page, with a token that opens it, is printed at the first start; the token is stored in the data folder as",
            "koopstream.token. Every acknowledged sample is stored there too and survives a restart. Guide: docs/server.md."
        })
public final class ServeCommand extends KoopCommand {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "koop-data",
            description = "data folder; default: ${DEFAULT-VALUE}")
    private Path data;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "" + ServerConfig.DEFAULT_PORT,
            description = "port to listen on, 0 for any free one; default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--durability",
            paramLabel = "MODE",
            defaultValue = "fsync",
            description = "what an acknowledged sample survives: fsync (power loss) or os (end of the process; faster);"
                    + " default: ${DEFAULT-VALUE}")
    private Durability durability;

    @Option(
            names = "--token-file",
            paramLabel = "F",
            description =
                    "file with the token, which is then not printed; default: the token in the data folder, created at the first start")
    private Path tokenFile;

    @Option(
            names = "--host",
            paramLabel = "A",
            defaultValue = ServerConfig.LOOPBACK,
            description = "address to listen on; any but the loopback needs --tls-proxy; default: ${DEFAULT-VALUE}")
    private String host;

    @Option(names = "--tls-proxy", description = "a proxy in front terminates TLS; needs --host-name")
    private boolean tlsProxy;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description = "host name of the server besides localhost; may be repeated")
    private List<String> hostNames = new ArrayList<>();

    @Option(
            names = "--rate-limit",
            paramLabel = "N",
            defaultValue = "0",
            description = "requests per second from one address, 0 for no limit; default: ${DEFAULT-VALUE}")
    private int rateLimit;

    @Option(
            names = "--max-models",
            paramLabel = "N",
            defaultValue = "" + EngineConfig.MAX_MODELS,
            description = "models at once; default: ${DEFAULT-VALUE}")
    private int maxModels;

    @Option(
            names = "--max-watchers",
            paramLabel = "N",
            defaultValue = "" + HttpLimits.EVENT_CLIENTS,
            description = "clients of event streams at once, open pages among them; default: ${DEFAULT-VALUE}")
    private int maxWatchers;

    @Option(
            names = "--webhook",
            paramLabel = "URL",
            description = "URL to post alarms to as JSON, e.g. http://127.0.0.1:9000/alarms")
    private String webhook;

    @Option(
            names = "--webhook-host",
            paramLabel = "NAME",
            description = "another host that alarms may be posted to; may be repeated")
    private List<String> webhookHosts = List.of();

    @Option(
            names = "--policy",
            paramLabel = "F",
            description =
                    "a controller of koop control learn to answer with, under the name of its file; kept in the data folder; may be repeated")
    private List<Path> policies = List.of();

    @Option(
            names = "--tail",
            paramLabel = "F",
            description = "follow a CSV or JSON-lines file that grows; needs --model")
    private Path tail;

    @Option(
            names = "--listen",
            paramLabel = "tcp:PORT",
            description = "accept lines of CSV or JSON on a loopback TCP port; needs --model")
    private String listen;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "model that --tail and --listen feed; created if missing")
    private String model;

    @Option(
            names = "--demo",
            paramLabel = "SYSTEM",
            completionCandidates = Choices.Demos.class,
            description = "simulate ${COMPLETION-CANDIDATES} into a model demo-SYSTEM")
    private String demo;

    @Option(
            names = "--demo-rate",
            paramLabel = "N",
            defaultValue = "" + SimulatorFeed.DEFAULT_RATE,
            description = "states per second of --demo; default: ${DEFAULT-VALUE}")
    private int demoRate;

    @Mixin
    private DataOptions columns;

    @Override
    protected void answer() throws IOException, InterruptedException {
        if ((tail == null && listen == null) != (model == null)) {
            throw CommandFailure.usage("--model goes with --tail or --listen: say which model they feed");
        }
        listenPort();
        EngineConfig engine = EngineConfig.defaults().with(durability).withMaxModels(maxModels);
        ServerConfig config = new ServerConfig(
                data,
                host,
                port,
                tlsProxy,
                hostNames,
                token(),
                engine,
                HttpLimits.usual().withRequestsPerSecond(rateLimit).withEventClients(maxWatchers),
                webhook == null ? null : Webhook.Target.of(webhook, webhookHosts));
        KoopServer server = KoopServer.start(config);
        List<Feed> feeds = new ArrayList<>();
        AtomicBoolean closed = new AtomicBoolean();
        CountDownLatch end = new CountDownLatch(1);
        Runnable close = () -> {
            if (closed.compareAndSet(false, true)) {
                feeds.forEach(Feed::close);
                server.close();
                end.countDown();
            }
        };
        try {
            // Ends with everything saved, whether by Ctrl-C or by whoever supervises it.
            Runtime.getRuntime().addShutdownHook(new Thread(close, "koop-serve-close"));
            for (Path policy : policies) {
                String file = policy.getFileName().toString();
                server.policies().put(file.replace(PolicyFile.ENDING, ""), Files.readAllBytes(policy));
            }
            FeedTarget target = new FeedTarget(server.models(), model, columns.columns());
            if (tail != null) {
                feeds.add(FileTail.start(target, tail, data.resolve("feeds")));
            }
            if (listen != null) {
                feeds.add(LineListener.start(target, listenPort()));
            }
            if (demo != null) {
                feeds.add(SimulatorFeed.start(server.models(), demo, demoRate));
            }
            announce(server, feeds);
            end.await();
        } finally {
            close.run();
        }
    }

    private int listenPort() {
        if (listen == null) {
            return 0;
        }
        if (!listen.matches("tcp:[0-9]{1,5}")) {
            throw CommandFailure.usage("--listen " + listen + ": expected tcp:PORT, e.g. tcp:9000");
        }
        return Integer.parseInt(listen.substring(4));
    }

    private AccessToken token() throws IOException {
        if (tokenFile == null) {
            return null;
        }
        return AccessToken.of(Files.readString(tokenFile).strip());
    }

    private void announce(KoopServer server, List<Feed> feeds) {
        // What is printed may end in a log: a token is only shown to a person at a terminal, and only if it is our own.
        boolean shown = tokenFile == null && console.terminal();
        console.say("Page:   %s", shown ? server.pageUrl() : server.url() + "/");
        if (!shown) {
            console.say(
                    "Token:  in %s%s",
                    tokenFile == null ? KoopServer.tokenFile(data) : tokenFile,
                    server.hasNewToken() ? ", made now" : "");
        }
        console.say("Data:   %s (%s)", data.toAbsolutePath(), durability.name().toLowerCase(java.util.Locale.ROOT));
        // The server serves; only what is told here waits until each model has been opened.
        console.out().flush();
        server.models().awaitOpened();
        console.say("Models: %d", server.models().list().size());
        if (!server.policies().names().isEmpty()) {
            console.say("Policies: %s", String.join(", ", server.policies().names()));
        }
        server.models()
                .damaged()
                .forEach((name, damage) ->
                        console.say("  %s is set aside, the others keep running: %s", name, damage.getMessage()));
        feeds.forEach(feed -> console.say("Source: %s", feed.description()));
        console.say("Ctrl-C stops it; everything acknowledged is kept.");
        console.out().flush();
    }
}
