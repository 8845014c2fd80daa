package io.koopstream.server.http.ingest;

import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import io.koopstream.KoopstreamException;
import io.koopstream.io.Json;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.Errors;
import io.koopstream.server.http.guard.ModelNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Callback;

/** Samples over a WebSocket: every text frame is a body as for POST, every answer frame its acknowledgement or error, with its id. */
public final class IngestSocket {

    private static final int MAX_UNANSWERED = 1_024;
    private static final int GOING_AWAY = 1008;
    private static final String UNANSWERED = "unanswered";

    private final LiveModels models;
    private final SampleIntake intake;
    private final Duration idle;
    private final Executor answers;

    /** @param answers runs what follows an acknowledgement, away from the thread that writes the log */
    public IngestSocket(LiveModels models, SampleIntake intake, Duration idle, Executor answers) {
        this.models = models;
        this.intake = intake;
        this.idle = idle;
        this.answers = answers;
    }

    /** Tells Javalin what to do with a socket. */
    public void configure(WsConfig socket) {
        socket.onConnect(context -> {
            context.session.setIdleTimeout(idle);
            context.attribute(UNANSWERED, new AtomicInteger());
        });
        socket.onMessage(context -> take(context, context.message()));
        socket.onBinaryMessage(
                context -> context.closeSession(1003, "expected text frames with JSON, see /openapi.json"));
    }

    private void take(WsContext context, String text) {
        AtomicInteger unanswered = context.attribute(UNANSWERED);
        if (unanswered.incrementAndGet() > MAX_UNANSWERED) {
            context.closeSession(GOING_AWAY, "more than " + MAX_UNANSWERED + " answers were not read");
            return;
        }
        String[] id = new String[1];
        try {
            String name = ModelNames.require(context.pathParam("name"));
            LiveModel model = models.require(name);
            SampleBody body = intake.frame(text.getBytes(StandardCharsets.UTF_8));
            id[0] = body.id();
            var unused = model.submit(body.batch())
                    .whenCompleteAsync((ack, error) -> send(context, unanswered, answer(id[0], ack, error)), answers);
        } catch (RuntimeException e) {
            send(context, unanswered, answer(id[0], null, e));
        }
    }

    private static Map<String, Object> answer(String id, Ack ack, Throwable error) {
        Map<String, Object> answer = new LinkedHashMap<>();
        if (id != null) {
            answer.put("id", id);
        }
        if (error == null) {
            answer.putAll(SampleIntake.document(ack));
        } else {
            ApiError refusal = Errors.of(error);
            answer.putAll(refusal.body());
            answer.put("status", refusal.status());
        }
        return answer;
    }

    private static void send(WsContext context, AtomicInteger unanswered, Map<String, Object> answer) {
        if (context.session.isOpen()) {
            context.session.sendText(
                    Json.text(answer).strip(),
                    Callback.from(unanswered::decrementAndGet, failure -> unanswered.decrementAndGet()));
        }
    }

    /** For handshakes: refuses what is no model. */
    public void requireModel(String name) {
        ModelNames.require(name);
        try {
            models.require(name);
        } catch (KoopstreamException e) {
            throw Errors.of(e);
        }
    }
}
