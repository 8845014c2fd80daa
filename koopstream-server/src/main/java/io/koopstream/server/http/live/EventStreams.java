package io.koopstream.server.http.live;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.ScoreRow;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.io.Json;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ScoreBoard;
import io.koopstream.server.http.ask.ModelAnswers;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.error.Errors;
import io.koopstream.server.http.guard.HttpLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells pages what happens to a model, at most five times per second. One thread makes every event once, whoever listens, and hands it to
 * the clients; one that has not taken the last event does not get this one, and one that takes none for a while is dropped. Nobody waits for
 * a client. Spectra, which may take seconds, are computed beside it: an event brings the newest one there is, and its version says of when.
 */
public final class EventStreams implements AutoCloseable {

    private static final long TICK_NANOS = Duration.ofMillis(200).toNanos();

    /** So much longer than their work do events and spectra rest, so that most of a processor is left to the learners. */
    private static final int REST_PER_WORK = 3;

    private static final long HEARTBEAT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int EIGENVALUES = 8;
    private static final int RECENT_NUMBERS = 8_000;
    private static final int ROWS_SHOWN = 200;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final LiveModels models;
    private final int most;
    private final long patienceNanos;
    private final List<EventClient> clients = new CopyOnWriteArrayList<>();
    private final AtomicInteger places = new AtomicInteger();
    private final Map<String, Told> told = new HashMap<>();
    private final Thread ticker;
    private final ExecutorService spectra = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "koopstream-spectra");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean closed;

    /** What was last said about a model. */
    private static final class Told {
        private final RateMeter rate = new RateMeter();
        private ModelView view;
        private byte[] event;
        private double saidRate;
        private Object saidSpectrum;

        /** The newest spectrum; null before there is one. */
        private volatile Object spectrum;

        private ModelView spectrumOf;
        private volatile boolean computing;
        private volatile long notBefore = System.nanoTime();
    }

    /** Begins to look at the models; nothing is told before somebody listens. */
    public EventStreams(LiveModels models, HttpLimits limits) {
        this.models = models;
        this.most = limits.eventClients();
        this.patienceNanos = limits.idle().toNanos();
        this.ticker = new Thread(this::run, "koopstream-events");
        ticker.setDaemon(true);
        ticker.start();
    }

    private void run() {
        while (!closed) {
            long start = System.nanoTime();
            try {
                tick();
            } catch (RuntimeException e) {
                // Logged there; the next event may succeed.
                Errors.of(e);
            }
            long worked = System.nanoTime() - start;
            LockSupport.parkNanos(Math.max(TICK_NANOS - worked, REST_PER_WORK * worked));
        }
    }

    /**
     * Adds a client; the future completes when it is gone.
     *
     * @param since the row after which every score is told; negative for what becomes of the model instead
     */
    public CompletableFuture<Void> open(
            String model, long since, HttpServletRequest request, HttpServletResponse response) {
        if (places.incrementAndGet() > most) {
            places.decrementAndGet();
            throw new ApiError(
                            Code.TOO_MANY_CLIENTS,
                            "there are " + most
                                    + " clients of event streams already: close one, start the server with a larger --max-watchers, or ask for /models/"
                                    + model)
                    .retryAfter(5);
        }
        EventClient client = new EventClient(model, since, request, response, patienceNanos);
        clients.add(client);
        return client.gone().whenComplete((nothing, error) -> {
            clients.remove(client);
            places.decrementAndGet();
        });
    }

    /** How many listen. */
    int size() {
        return clients.size();
    }

    private void tick() {
        for (String name : clients.stream().map(EventClient::model).distinct().toList()) {
            tell(name);
        }
        told.keySet()
                .removeIf(name ->
                        clients.stream().noneMatch(client -> client.model().equals(name)));
    }

    private void tell(String name) {
        Optional<LiveModel> found = models.find(name);
        if (found.isEmpty()) {
            byte[] event = event("deleted", Map.of("name", name));
            clients.stream().filter(client -> client.model().equals(name)).forEach(client -> client.last(event));
            return;
        }
        LiveModel model = found.get();
        tellScores(model);
        if (clients.stream().noneMatch(client -> isOf(client, name) && client.since() < 0)) {
            return;
        }
        Told last = told.computeIfAbsent(name, any -> new Told());
        ModelView view = model.view();
        double rate = last.rate.at(System.nanoTime(), model.counts().accepted());
        Object spectrum = last.spectrum;
        boolean changed =
                last.event == null || view != last.view || rate != last.saidRate || spectrum != last.saidSpectrum;
        if (changed) {
            last.view = view;
            last.saidRate = rate;
            last.saidSpectrum = spectrum;
            last.event = event("state", state(model, view, rate, spectrum));
        }
        computeSpectrum(last, view);
        long now = System.nanoTime();
        for (EventClient client : clients) {
            if (isOf(client, name) && client.since() < 0) {
                if (changed || client.isNew()) {
                    client.offer(last.event, now);
                } else if (now - client.lastWrite() > HEARTBEAT_NANOS) {
                    client.offer(HEARTBEAT, now);
                }
            }
        }
    }

    private static boolean isOf(EventClient client, String model) {
        return client.model().equals(model);
    }

    /** Every score once to everybody who wants them; a client that is slow gets them later, and is told how many it missed. */
    private void tellScores(LiveModel model) {
        ScoreBoard.Facts facts = model.view().scores().orElse(null);
        long now = System.nanoTime();
        for (EventClient client : clients) {
            if (facts == null || client.since() < 0 || !isOf(client, model.name())) {
                continue;
            }
            List<ScoreRow> rows = facts.after(client.since());
            if (rows.isEmpty()) {
                if (now - client.lastWrite() > HEARTBEAT_NANOS || client.isNew()) {
                    client.offer(HEARTBEAT, now);
                }
            } else if (client.isFree(now)) {
                client.since(rows.get(rows.size() - 1).row());
                client.offer(scores(facts, rows), now);
            }
        }
    }

    private static byte[] scores(ScoreBoard.Facts facts, List<ScoreRow> rows) {
        StringBuilder text = new StringBuilder();
        if (facts.rows().size() < facts.judged() && rows.size() == facts.rows().size()) {
            // The oldest that there is comes first: those before it are gone, or were told before.
            text.append("event: from\ndata: {\"row\":")
                    .append(rows.get(0).row())
                    .append("}\n\n");
        }
        for (ScoreRow row : rows) {
            text.append("id: ")
                    .append(row.row())
                    .append("\nevent: ")
                    .append(row.alarm() == 1 ? "alarm" : "score")
                    .append("\ndata: ")
                    .append(Json.text(row).strip())
                    .append("\n\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void computeSpectrum(Told last, ModelView view) {
        if (closed || last.computing || view == last.spectrumOf || System.nanoTime() - last.notBefore < 0) {
            return;
        }
        last.computing = true;
        last.spectrumOf = view;
        spectra.execute(() -> {
            // Processor time: on a busy machine the clock would make the rests much too long.
            long start = THREADS.getCurrentThreadCpuTime();
            try {
                last.spectrum = spectrum(view);
            } catch (RuntimeException e) {
                // Logged there; the next view may have one.
                Errors.of(e);
            } finally {
                long worked = THREADS.getCurrentThreadCpuTime() - start;
                last.notBefore = System.nanoTime() + REST_PER_WORK * worked;
                last.computing = false;
            }
        });
    }

    /** The leading eigenvalues; null while nothing is learned. */
    private static Object spectrum(ModelView view) {
        try {
            LearnedModel learned = view.learned();
            return SpectrumAnswer.of(learned, EIGENVALUES, learned.clock(), Regularisation.USUAL, null);
        } catch (KoopstreamException e) {
            return null;
        }
    }

    private static Map<String, Object> state(LiveModel model, ModelView view, double rate, Object spectrum) {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("info", ModelAnswers.info(model, view));
        state.put("rate", rate);
        state.put("spectrum", spectrum);
        double[][] recent = view.recentStates();
        int shown = recent.length == 0 ? 0 : Math.min(recent.length, Math.max(1, RECENT_NUMBERS / recent[0].length));
        state.put("recent", Arrays.copyOfRange(recent, recent.length - shown, recent.length));
        state.put("scores", view.scores().map(EventStreams::newest).orElse(null));
        return state;
    }

    /** The newest scores, as many as a picture shows. */
    private static Object newest(ScoreBoard.Facts facts) {
        List<ScoreRow> rows = facts.rows();
        return rows.subList(Math.max(0, rows.size() - ROWS_SHOWN), rows.size());
    }

    /** A JSON document is one line, so it is one line of data. */
    private static byte[] event(String name, Map<String, Object> data) {
        return ("event: " + name + "\ndata: " + Json.text(data).strip() + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(ticker);
        spectra.shutdownNow();
        clients.forEach(EventClient::drop);
    }
}
