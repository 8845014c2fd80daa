package io.koopstream.server.http.live;

import io.koopstream.InvalidConfigException;
import io.koopstream.answers.ChangeEvent;
import io.koopstream.answers.ScoreRow;
import io.koopstream.change.DriftEvent;
import io.koopstream.io.Json;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ScoreBoard;
import io.koopstream.server.http.ask.ModelAnswers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Posts alarms, and lasting changes that have a kind, to an address. It looks at what models publish, so nobody who learns or sends ever waits for it;
 * what cannot be delivered is counted. What happened to rows that were learned before the start is not posted again.
 */
public final class Webhook implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long[] PAUSES_MILLIS = {0, 1_000, 4_000};

    private final LiveModels models;
    private final Target target;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();
    private final Map<LiveModel, Told> told = new HashMap<>();
    private final AtomicLong posted = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread;
    private boolean reachable = true;

    /**
     * What was told of a model.
     *
     * @param row the last one with an alarm
     * @param alarmed alarms over its life
     * @param change the row at which the last change was noticed
     */
    private record Told(long row, long alarmed, long change) {}

    /**
     * Where alarms go.
     *
     * @param address http or https
     */
    public record Target(URI address) {

        /**
         * An address on this machine, or on a host that is allowed.
         *
         * @throws InvalidConfigException if it is neither
         */
        public static Target of(String text, List<String> allowed) {
            URI address;
            try {
                address = URI.create(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidConfigException("webhook", text, "is not a URL; try http://127.0.0.1:9000/alarms");
            }
            String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            if ((!scheme.equals("http") && !scheme.equals("https")) || address.getHost() == null) {
                throw new InvalidConfigException(
                        "webhook", text, "must begin with http:// or https:// and a host, e.g. http://127.0.0.1:9000");
            }
            boolean named = allowed.stream().anyMatch(host -> host.equalsIgnoreCase(address.getHost()));
            if (!named && !isLoopback(address.getHost())) {
                throw new InvalidConfigException(
                        "webhook",
                        text,
                        "is on another machine: alarms would leave this one. Allow it with --webhook-host "
                                + address.getHost());
            }
            return new Target(address);
        }

        private static boolean isLoopback(String host) {
            try {
                return InetAddress.getByName(host).isLoopbackAddress();
            } catch (UnknownHostException e) {
                return false;
            }
        }
    }

    /** Begins to look at the models. */
    public Webhook(LiveModels models, Target target) {
        this.models = models;
        this.target = target;
        this.thread = new Thread(this::run, "koopstream-webhook");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                for (LiveModel model : models.list()) {
                    tell(model, model.view());
                }
                told.keySet().retainAll(models.list());
                Thread.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(LiveModel model, ModelView view) throws InterruptedException {
        Told before = told.get(model);
        Told last = before == null ? new Told(model.startedWith(), -1, model.startedWith()) : before;
        ScoreBoard.Facts facts = view.scores().orElse(null);
        long alarm = last.row;
        if (facts != null) {
            List<ScoreRow> fresh =
                    facts.alarms().stream().filter(row -> row.row() > last.row).toList();
            if (last.alarmed >= 0) {
                // More than are remembered.
                failed.addAndGet(Math.max(0, facts.alarmed() - last.alarmed - fresh.size()));
            }
            for (ScoreRow row : fresh) {
                post(model, view, "alarm", row);
                alarm = row.row();
            }
        }
        long change = last.change;
        for (DriftEvent event : view.facts().driftEvents()) {
            if (event.change() != null && event.change().row() > last.change) {
                post(model, view, "change", ChangeEvent.of(event, view.names(), ModelAnswers.clock(view)));
                change = event.change().row();
            }
        }
        told.put(model, new Told(alarm, facts == null ? -1 : facts.alarmed(), change));
    }

    private void post(LiveModel model, ModelView view, String kind, Record what) throws InterruptedException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("model", model.name());
        document.put("names", view.names());
        document.put(kind, what);
        (isPosted(document) ? posted : failed).incrementAndGet();
    }

    /** Several attempts, or one while nobody is there: many alarms must not wait for each other's pauses. */
    private boolean isPosted(Map<String, Object> document) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(target.address)
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(document)))
                .build();
        for (int attempt = 0; attempt < (reachable ? PAUSES_MILLIS.length : 1); attempt++) {
            Thread.sleep(PAUSES_MILLIS[attempt]);
            try {
                int status = client.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                if (status >= 200 && status < 300) {
                    reachable = true;
                    return true;
                }
            } catch (IOException e) {
                // Counted when there are no attempts left.
            }
        }
        reachable = false;
        return false;
    }

    /** Alarms and changes that were taken. */
    long posted() {
        return posted.get();
    }

    /** Those that could not be delivered. */
    long failed() {
        return failed.get();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
