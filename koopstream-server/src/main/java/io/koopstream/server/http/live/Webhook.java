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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Posts alarms, and lasting changes that have a kind, to an address. It looks at what models publish, so nobody who learns or sends ever waits for it;
 * what is not taken waits and is tried again, and what is given up is counted and told. What happened to rows that were learned before the start is not posted again.
 */
public final class Webhook implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** After each attempt that fails; a receiver that is started anew is back within them. */
    private static final int[] PAUSES_SECONDS = {1, 4, 15, 60, 300};

    /** Of more than so many that wait the oldest are given up: 1 MB. */
    private static final int MOST_WAITING = 1_000;

    private static final System.Logger LOG = System.getLogger(Webhook.class.getName());

    private final LiveModels models;
    private final Target target;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();
    private final Map<LiveModel, Told> told = new HashMap<>();
    private final AtomicLong posted = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    /** What is to be sent; read by others for its size alone. */
    private final Queue<byte[]> waiting = new ConcurrentLinkedQueue<>();

    private final Thread thread;
    /** Attempts for the first of them that failed, and when the next is due. */
    private int attempts;

    private long notBefore = System.nanoTime();
    private boolean troubled;

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
            if (address.getPort() == 0 || address.getPort() > 65_535) {
                throw new InvalidConfigException(
                        "webhook", text, "port " + address.getPort() + " is none; it must be from 1 to 65535");
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
        while (!Thread.currentThread().isInterrupted()) {
            try {
                for (LiveModel model : models.list()) {
                    tell(model, model.view());
                }
                told.keySet().retainAll(models.list());
                deliver();
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
                // Whatever it was, the next look may succeed; a thread that ended would let alarms go by in silence.
                LOG.log(System.Logger.Level.ERROR, "looking for alarms failed", e);
            }
        }
    }

    private void tell(LiveModel model, ModelView view) {
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

    private void post(LiveModel model, ModelView view, String kind, Record what) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("model", model.name());
        document.put("names", view.names());
        document.put(kind, what);
        if (waiting.size() == MOST_WAITING) {
            waiting.remove();
            failed.incrementAndGet();
            attempts = 0;
        }
        waiting.add(Json.bytes(document));
    }

    /** Sends what waits, in order, until something is not taken; that is tried again after a pause. */
    private void deliver() throws InterruptedException {
        while (!waiting.isEmpty() && System.nanoTime() - notBefore >= 0) {
            String problem = send(waiting.element());
            if (problem == null) {
                waiting.remove();
                posted.incrementAndGet();
                if (troubled) {
                    LOG.log(System.Logger.Level.INFO, target.address + " takes alarms again");
                }
                troubled = false;
                attempts = 0;
                continue;
            }
            notBefore = System.nanoTime()
                    + TimeUnit.SECONDS.toNanos(PAUSES_SECONDS[Math.min(attempts, PAUSES_SECONDS.length - 1)]);
            if (!troubled) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        target.address + " does not take alarms (" + problem + "); up to " + MOST_WAITING
                                + " wait and are tried again, " + PAUSES_SECONDS.length + " times each");
            }
            troubled = true;
            if (++attempts > PAUSES_SECONDS.length) {
                waiting.remove();
                failed.incrementAndGet();
                attempts = 0;
            }
        }
    }

    /** Sends a document once; what was in the way, or null. */
    private String send(byte[] document) throws InterruptedException {
        try {
            int status = client.send(
                            HttpRequest.newBuilder(target.address)
                                    .timeout(ANSWER)
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(document))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            return status >= 200 && status < 300 ? null : "status " + status;
        } catch (IOException | IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Alarms and changes that were taken. */
    long posted() {
        return posted.get();
    }

    /** Those that are still to be delivered. */
    int waiting() {
        return waiting.size();
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
