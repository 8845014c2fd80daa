package io.koopstream.server.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.answers.TheoryAnswer;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Mode;
import io.koopstream.io.ModelFile;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.http.ask.ForecastAnswers;
import io.koopstream.server.http.ask.ModelAnswers;
import io.koopstream.server.http.ask.PointsInput;
import io.koopstream.server.http.ask.Question;
import io.koopstream.server.http.ask.SpectrumAnswers;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.guard.ModelNames;
import io.koopstream.server.http.ingest.SampleIntake;
import io.koopstream.server.http.live.EventStreams;
import io.koopstream.server.http.live.Metrics;
import io.koopstream.server.http.live.PageFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Every address of the interface and what it answers. */
final class ModelRoutes {

    /** The attribute of a request that holds the pattern of its address, for the metrics. */
    static final String ROUTE = "koopstream.route";

    private static final String LINES = "application/x-ndjson";
    private static final String TABLE = "text/csv";
    private static final int MAX_EIGENPAIRS = 200;
    private static final int MAX_SETS = 50;
    private static final int MAX_COLUMNS = 20_000;

    private final LiveModels models;
    private final HttpLimits limits;
    private final Bodies bodies;
    private final SampleIntake intake;
    private final EventStreams events;
    private final Metrics metrics;
    private final Questions questions;
    private volatile boolean ready;

    ModelRoutes(
            LiveModels models,
            HttpLimits limits,
            Bodies bodies,
            SampleIntake intake,
            EventStreams events,
            Metrics metrics,
            Questions questions) {
        this.models = models;
        this.limits = limits;
        this.bodies = bodies;
        this.intake = intake;
        this.events = events;
        this.metrics = metrics;
        this.questions = questions;
    }

    /** Whether samples and questions are welcome. */
    void ready(boolean now) {
        ready = now;
    }

    /** A question that is answered with a document. */
    private interface Answer {
        Object of(Context context) throws IOException;
    }

    void register(RoutesConfig routes) {
        add(
                routes,
                HandlerType.GET,
                "/health",
                answering(context -> Map.of("status", models.isWhole() ? "ok" : "degraded")));
        add(routes, HandlerType.GET, "/ready", this::readiness);
        add(
                routes,
                HandlerType.GET,
                "/metrics",
                context -> context.contentType("text/plain; version=0.0.4; charset=utf-8")
                        .result(metrics.text()));
        add(
                routes,
                HandlerType.GET,
                "/openapi.json",
                context -> context.contentType(Bodies.JSON).result(OpenApi.document()));
        add(routes, HandlerType.GET, "/", context -> page(context, "index.html"));
        add(routes, HandlerType.GET, "/web/{file}", context -> page(context, context.pathParam("file")));
        add(routes, HandlerType.GET, "/models", answering(this::list));
        add(routes, HandlerType.POST, "/models", this::create);
        add(routes, HandlerType.GET, "/models/{name}", questions.fresh(ModelAnswers::info));
        add(routes, HandlerType.DELETE, "/models/{name}", context -> {
            new Question(context);
            models.delete(ModelNames.require(context.pathParam("name")));
            context.status(204);
        });
        add(routes, HandlerType.POST, "/models/{name}/resume", answering(context -> {
            new Question(context);
            LiveModel model = models.resume(ModelNames.require(context.pathParam("name")));
            return ModelAnswers.info(model, model.view());
        }));
        add(routes, HandlerType.POST, "/models/{name}/samples", answering(this::samples));
        add(routes, HandlerType.GET, "/models/{name}/spectrum", questions.heavy(this::spectrum));
        add(routes, HandlerType.GET, "/models/{name}/eigenfunctions", questions.heavy(this::eigenfunction));
        add(routes, HandlerType.POST, "/models/{name}/eigenfunctions", questions.heavy(this::eigenfunctions));
        add(routes, HandlerType.GET, "/models/{name}/sets", questions.heavy(this::sets));
        add(routes, HandlerType.POST, "/models/{name}/predict", questions.heavy(this::predict));
        add(routes, HandlerType.POST, "/models/{name}/forecast", questions.heavy(this::forecast));
        add(routes, HandlerType.POST, "/models/{name}/weights", questions.heavy(this::weights));
        add(routes, HandlerType.GET, "/models/{name}/error", questions.plain(ModelAnswers::error));
        add(routes, HandlerType.GET, "/models/{name}/drift", questions.plain(ModelAnswers::drift));
        add(routes, HandlerType.GET, "/models/{name}/scores", questions.heavy((context, view) -> {
            long since = new Question(context, "since", "after").number("since", 0, 0, Long.MAX_VALUE);
            return () -> ModelAnswers.scores(view, since);
        }));
        add(routes, HandlerType.GET, "/models/{name}/theory", questions.heavy((context, view) -> {
            new Question(context, "after");
            return () -> TheoryAnswer.of(view.learned(), null, 0);
        }));
        add(routes, HandlerType.GET, "/models/{name}/model", this::download);
        add(routes, HandlerType.GET, "/models/{name}/export", this::export);
        add(routes, HandlerType.GET, "/models/{name}/events", context -> listen(context, false));
        add(routes, HandlerType.GET, "/models/{name}/scores/events", context -> listen(context, true));
    }

    static void add(RoutesConfig routes, HandlerType method, String path, Handler handler) {
        routes.addHttpHandler(method, path, context -> {
            context.attribute(ROUTE, path);
            handler.handle(context);
        });
    }

    private Handler answering(Answer answer) {
        return context -> WebServer.write(context, 200, answer.of(context));
    }

    private void readiness(Context context) {
        WebServer.write(context, ready ? 200 : 503, Map.of("status", ready ? "ready" : "closing"));
    }

    private static void page(Context context, String file) throws IOException {
        byte[] bytes = PageFiles.read(file);
        context.contentType(PageFiles.type(file)).result(bytes);
    }

    private Object list(Context context) {
        new Question(context);
        List<Object> list = new ArrayList<>();
        for (LiveModel model : models.list()) {
            list.add(ModelAnswers.info(model, model.view()));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("models", list);
        // Their messages name files, which are the business of whoever reads the server's own messages.
        answer.put("opening", models.opening());
        answer.put("damaged", List.copyOf(models.damaged().keySet()));
        return answer;
    }

    private void create(Context context) throws IOException {
        new Question(context);
        Map<String, Object> body = bodies.object(context, "name", "settings");
        if (!(body.get("name") instanceof String name)) {
            throw new ApiError(Code.BAD_NAME, "name: expected text, e.g. {\"name\":\"plant-1\"}").with("field", "name");
        }
        ModelNames.require(name);
        ModelSettings settings = SettingsInput.of(body.get("settings"));
        LiveModel model = models.create(name, settings);
        context.header("Location", "/models/" + name);
        WebServer.write(context, 201, ModelAnswers.info(model, model.view()));
    }

    private Object samples(Context context) throws IOException {
        LiveModel model = questions.model(context);
        String type = Bodies.type(context);
        if (type.equals(Bodies.JSON)) {
            boolean scores = new Question(context, "scores").truth("scores");
            if (scores) {
                ModelAnswers.requireScores(model.view());
            }
            try (InputStream body = bodies.limited(context, limits.body(), true)) {
                Ack ack = intake.object(model, body);
                Map<String, Object> document = SampleIntake.document(ack);
                if (scores) {
                    document.put("scores", scored(model, ack));
                }
                return document;
            }
        }
        if (!type.equals(TABLE) && !type.equals(LINES) && !type.equals(Bodies.PACKED)) {
            throw new ApiError(
                    Code.UNSUPPORTED_TYPE,
                    "expected Content-Type: " + Bodies.JSON + ", " + LINES + " (a line each), " + TABLE
                            + " (with a header), or " + Bodies.PACKED + " (packed doubles)");
        }
        Question question = type.equals(Bodies.PACKED)
                ? new Question(context, "stream", "first", "newTrajectory", "kind", "dimension")
                : new Question(context, "stream", "first", "newTrajectory");
        String stream = question.text("stream", Batch.NO_STREAM);
        long first = question.number("first", -1, 0, Long.MAX_VALUE);
        boolean fresh = question.truth("newTrajectory");
        try (InputStream body = bodies.limited(context, limits.streamedBody(), false)) {
            return switch (type) {
                case TABLE -> intake.table(model, body, stream, first, fresh);
                case LINES -> SampleIntake.document(intake.lines(model, body, stream, first, fresh));
                default -> SampleIntake.document(packed(question, model, body, stream, first, fresh));
            };
        }
    }

    /** The scores of what was just accepted; those that more recent rows have pushed out are not among them. */
    private Object scored(LiveModel model, Ack ack) {
        ModelView view = questions.after(model, ack.samples());
        return ModelAnswers.requireScores(view).after(ack.samples() - ack.accepted()).stream()
                .filter(row -> row.row() <= ack.samples())
                .toList();
    }

    private Ack packed(
            Question question, LiveModel model, InputStream body, String stream, long first, boolean newTrajectory)
            throws IOException {
        String kind = question.text("kind", "");
        if (!kind.equals("pairs") && !kind.equals("states")) {
            throw Question.bad("kind", "must be pairs or states");
        }
        boolean pairs = kind.equals("pairs");
        int dimension = question.whole("dimension", 0, 1, MAX_COLUMNS / 2);
        if (dimension == 0) {
            throw Question.bad("dimension", "is missing: coordinates of a state");
        }
        return intake.packed(
                model,
                body,
                pairs ? Batch.Kind.PAIRS : Batch.Kind.STATES,
                pairs ? 2 * dimension : dimension,
                stream,
                first,
                newTrajectory);
    }

    private Supplier<Object> spectrum(Context context, ModelView view) {
        Question question = new Question(context, "k", "dt", "lambda", "rank", "after");
        int k = question.whole("k", 6, 1, MAX_EIGENPAIRS);
        double dt = question.positive("dt", ModelAnswers.clock(view).dt());
        Regularisation wish = question.regularisation();
        return () -> {
            LearnedModel model = view.learned();
            return SpectrumAnswer.of(model, k, model.clock().lasting(dt), wish, null);
        };
    }

    private Supplier<Object> eigenfunction(Context context, ModelView view) {
        Question question = new Question(context, "index", "nx", "ny", "x", "y", "at", "bounds", "after");
        int index = question.whole("index", 1, 0, MAX_EIGENPAIRS - 1);
        return () -> SpectrumAnswers.eigenfunction(view, question, index, limits.answerPoints());
    }

    private Supplier<Object> eigenfunctions(Context context, ModelView view) throws IOException {
        new Question(context, "after");
        Map<String, Object> body = bodies.object(context, "points", "k");
        double[][] points = PointsInput.points(body.get("points"), dimension(view), limits.answerPoints());
        int k = PointsInput.whole(body, "k", 3, 1, MAX_EIGENPAIRS);
        return () -> SpectrumAnswers.eigenfunctions(view, points, k);
    }

    private Supplier<Object> sets(Context context, ModelView view) {
        Question question = new Question(context, "k", "grid", "nx", "ny", "x", "y", "at", "bounds", "after");
        int k = question.whole("k", SpectrumAnswers.BY_THE_GAP, 2, MAX_SETS);
        return () -> SpectrumAnswers.sets(view, question, k, limits.answerPoints());
    }

    private Supplier<Object> predict(Context context, ModelView view) throws IOException {
        boolean anyway = new Question(context, "anyway", "after").truth("anyway");
        Map<String, Object> body = bodies.object(context, "points");
        double[][] points = PointsInput.points(body.get("points"), dimension(view), limits.answerPoints());
        return () -> ForecastAnswers.predict(view, points, anyway);
    }

    private Supplier<Object> forecast(Context context, ModelView view) throws IOException {
        Question question =
                new Question(context, "quantiles", "mode", "paths", "seed", "anyway", "lambda", "rank", "after");
        Regularisation wish = question.regularisation();
        double[] levels = question.levels("quantiles", 0.1, 0.9);
        int paths = question.whole("paths", ForecastRequest.DEFAULT_PATHS, 2, ForecastRequest.MAX_PATHS);
        Map<String, Object> body = bodies.object(context, "from", "steps", "future");
        Object from = body.get("from");
        double[] state = from == null ? null : PointsInput.point("from", from, dimension(view));
        double[][] future = ForecastAnswers.future(view, body.get("future"));
        int usual = future == null ? 20 : future.length;
        int steps = PointsInput.whole(body, "steps", usual, 1, ForecastRequest.MAX_STEPS);
        ForecastRequest request = ForecastRequest.of(steps)
                .mode(question.word("mode", Mode.class, Mode.AUTO))
                .paths(levels.length == 0 ? 0 : paths, question.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE));
        boolean anyway = question.truth("anyway");
        return () ->
                ForecastAnswers.forecast(view, state, anyway ? request.fromAnywhere() : request, levels, wish, future);
    }

    private Supplier<Object> weights(Context context, ModelView view) throws IOException {
        new Question(context, "after");
        Map<String, Object> body = bodies.object(context, "from");
        double[] from = PointsInput.point("from", body.get("from"), dimension(view));
        return () -> ForecastAnswers.weights(view, from);
    }

    private static int dimension(ModelView view) {
        if (view.stateDimension() == 0) {
            throw new ApiError(Code.NOT_READY, "nothing is learned yet; send samples first");
        }
        return view.stateDimension();
    }

    private void download(Context context) {
        new Question(context, "after");
        ModelView view = questions.view(context);
        LearnedModel model = view.learned();
        context.header(
                "Content-Disposition",
                "attachment; filename=\"" + questions.model(context).name() + ".safetensors\"");
        questions.whenSpared(() -> context.contentType(Bodies.PACKED).result(ModelFile.encode(model.stored())));
    }

    private void export(Context context) throws IOException {
        new Question(context, "after");
        ModelView view = questions.view(context);
        KoopmanOperator operator =
                view.learned().forSpectra(Regularisation.USUAL).operator();
        context.header(
                "Content-Disposition",
                "attachment; filename=\"" + questions.model(context).name() + ".zip\"");
        context.contentType("application/zip")
                .result(ModelExport.zip(operator, ModelAnswers.info(questions.model(context), view)));
    }

    /** @param scores whether every score is told, or what becomes of the model */
    private void listen(Context context, boolean scores) {
        Question question = scores ? new Question(context, "since") : new Question(context);
        LiveModel model = questions.model(context);
        long since = -1;
        if (scores) {
            ModelAnswers.requireScores(model.view());
            String seen = context.header("Last-Event-ID");
            since = question.number(
                    "since", seen != null && seen.matches("[0-9]{1,18}") ? Long.parseLong(seen) : 0, 0, Long.MAX_VALUE);
        }
        long from = since;
        context.status(200);
        context.res().setContentType("text/event-stream");
        context.res().setCharacterEncoding("UTF-8");
        // Nothing else comes over this connection, so it is closed with the stream.
        context.header("Connection", "close");
        context.future(() -> events.open(model.name(), from, context.req(), context.res()));
    }
}
