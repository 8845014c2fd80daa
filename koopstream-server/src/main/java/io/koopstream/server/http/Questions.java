package io.koopstream.server.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.koopstream.io.Json;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.RecentAnswers;
import io.koopstream.server.engine.ResponseCache;
import io.koopstream.server.http.ask.Question;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.error.Errors;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.guard.ModelNames;
import io.koopstream.server.http.guard.ReaderGate;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Questions about a view: which view, who may compute when, and what was computed before. What is asked is computed once a view and then
 * served from memory, with a tag by which a client that has it already and asks with GET is told so. While the learner is behind, what was answered within
 * the last second is answered again, unless somebody says which samples the answer must know.
 */
final class Questions {

    /** The attribute of a request that holds its body, where it has one. */
    static final String BODY = "koopstream.body";

    private final LiveModels models;
    private final HttpLimits limits;
    private final Semaphore waitingRoom;
    private final ReaderGate gate;
    private final ReaderGate knownGate;
    private final Map<LiveModel, RecentAnswers> recent = Collections.synchronizedMap(new WeakHashMap<>());

    Questions(LiveModels models, HttpLimits limits) {
        this.models = models;
        this.limits = limits;
        this.waitingRoom = new Semaphore(limits.answersWaiting());
        IntSupplier behind =
                () -> (int) models.list().stream().filter(LiveModel::isBehind).count();
        int processors = Runtime.getRuntime().availableProcessors();
        this.gate = new ReaderGate(behind, processors);
        this.knownGate = ReaderGate.ofKnown(behind, processors);
    }

    /** A question about a view: reads all of the request, and returns what computes the document. */
    interface ViewQuestion {
        Supplier<Object> of(Context context, ModelView view) throws IOException;
    }

    /** The model of the address. */
    LiveModel model(Context context) {
        return models.require(ModelNames.require(context.pathParam("name")));
    }

    /** The newest view; with {@code after=N}, one that has learned the first N samples, so that a sender sees what it sent. */
    ModelView view(Context context) {
        LiveModel model = model(context);
        String after = context.queryParam("after");
        if (after == null) {
            return model.view();
        }
        try {
            return after(model, Long.parseLong(after));
        } catch (NumberFormatException e) {
            throw Question.bad("after", "must be a whole number: samples that must have been learned");
        }
    }

    /** A view that has learned so many samples. */
    ModelView after(LiveModel model, long samples) {
        try {
            return model.viewAfter(samples).get(limits.requestTime().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ApiError(Code.BUSY, "only " + model.view().received() + " samples are learned yet; ask again")
                    .retryAfter(1);
        } catch (ExecutionException e) {
            throw Errors.sneaky(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiError(Code.CLOSING, "the server is closing").retryAfter(1);
        }
    }

    /** A question that costs little: it waits for none that costs much. */
    Handler plain(Function<ModelView, Object> answer) {
        return context -> {
            LiveModel model = model(context);
            ModelView view = view(context);
            new Question(context, "after");
            send(context, model, view.answers().get(key(context), () -> Json.bytes(answer.apply(view))));
        };
    }

    /** A question that costs little, of which the answer is new every time. */
    Handler fresh(BiFunction<LiveModel, ModelView, Object> answer) {
        return context -> {
            new Question(context, "after");
            LiveModel model = model(context);
            ModelView view = view(context);
            light(model, () -> WebServer.write(context, 200, answer.apply(model, view)));
        };
    }

    /** Answers beside those that are computed; while the learner is behind, with what it can spare for such answers. */
    private void light(LiveModel model, Runnable answer) {
        if (model.isBehind()) {
            knownGate.answer(answer);
        } else {
            answer.run();
        }
    }

    /** A question that costs time: only so many may wait for a free core, and the rest is told so at once. */
    Handler heavy(ViewQuestion question) {
        return context -> {
            LiveModel model = model(context);
            ModelView view = view(context);
            if (isKnown(context, model, view)) {
                return;
            }
            enter();
            try {
                give(context, model, view, question.of(context, view));
            } finally {
                waitingRoom.release();
            }
        };
    }

    private void enter() {
        if (!waitingRoom.tryAcquire()) {
            throw new ApiError(
                            Code.BUSY, limits.answersWaiting() + " questions are queued already; ask again in a second")
                    .retryAfter(1);
        }
    }

    /** A question that costs time and is about no model. */
    byte[] heavy(Supplier<Object> document) {
        enter();
        try {
            return computed(document);
        } finally {
            waitingRoom.release();
        }
    }

    private byte[] computed(Supplier<Object> document) {
        byte[][] body = new byte[1][];
        whenSpared(() -> body[0] = Json.bytes(document.get()));
        return body[0];
    }

    /** Answers when the learners can spare the time; the request has been read, so that no slow sender holds up the others. */
    void whenSpared(Runnable answer) {
        gate.answer(answer);
    }

    private void give(Context context, LiveModel model, ModelView view, Supplier<Object> document) {
        String key = key(context);
        Supplier<ResponseCache.Answer> computed = () -> view.answers().get(key, () -> computed(document));
        send(context, model, mayBeOlder(context, model) ? recent(model).get(key, computed) : computed.get());
    }

    private static boolean mayBeOlder(Context context, LiveModel model) {
        return context.queryParam("after") == null && model.isBehind();
    }

    private RecentAnswers recent(LiveModel model) {
        return recent.computeIfAbsent(model, any -> new RecentAnswers());
    }

    /** All that an answer depends on beside the view. */
    private static String key(Context context) {
        Object body = context.attribute(BODY);
        return context.path() + "?" + context.queryString() + (body == null ? "" : "\n" + Json.text(body));
    }

    private boolean isKnown(Context context, LiveModel model, ModelView view) {
        if (!context.method().equals(HandlerType.GET)) {
            return false;
        }
        String key = key(context);
        Optional<ResponseCache.Answer> known = view.answers().known(key);
        if (known.isEmpty() && mayBeOlder(context, model)) {
            known = recent(model).known(key);
        }
        known.ifPresent(answer -> send(context, model, answer));
        return known.isPresent();
    }

    private void send(Context context, LiveModel model, ResponseCache.Answer answer) {
        light(model, () -> send(context, answer));
    }

    private static void send(Context context, ResponseCache.Answer answer) {
        context.header("ETag", answer.tag());
        // Kept by whoever asked, for himself, and asked for again each time.
        context.header("Cache-Control", "private, no-cache");
        String seen = context.method().equals(HandlerType.GET) ? context.header("If-None-Match") : null;
        if (seen != null && (seen.contains(answer.tag()) || seen.strip().equals("*"))) {
            context.status(304);
        } else {
            context.status(200).contentType("application/json").result(answer.body());
        }
    }
}
