package io.koopstream.server.http.live;

import io.koopstream.answers.RowCounts;
import io.koopstream.answers.ScoreRow;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.MemoryBudget;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ScoreBoard;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What is measured, in the words of docs/server.md. Meters of a model come and go with it. Safe for threads. */
public final class Metrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final LiveModels models;
    private final Map<LiveModel, List<Meter>> ofModels = new HashMap<>();

    /** Meters of the process, of the models and of the clients of event streams. */
    public Metrics(LiveModels models, EventStreams events, Webhook webhook) {
        this.models = models;
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        Gauge.builder("koopstream.events.clients", events, EventStreams::size)
                .description("event stream clients")
                .register(registry);
        if (webhook != null) {
            FunctionCounter.builder("koopstream.webhook.posted", webhook, Webhook::posted)
                    .description("alarms delivered to the webhook")
                    .register(registry);
            FunctionCounter.builder("koopstream.webhook.failed", webhook, Webhook::failed)
                    .description("alarms that could not be delivered")
                    .register(registry);
        }
        Gauge.builder(
                        "koopstream.models.quarantined",
                        models,
                        all -> all.damaged().size())
                .description("models set aside")
                .register(registry);
        Gauge.builder("koopstream.memory.used", models.memory(), MemoryBudget::used)
                .description("bytes used by models, queued samples and request bodies")
                .register(registry);
        Gauge.builder("koopstream.memory.total", models.memory(), MemoryBudget::total)
                .description("limit on these bytes")
                .register(registry);
        Gauge.builder("koopstream.models", models, all -> all.list().size())
                .description("models")
                .register(registry);
    }

    /** One request was answered. */
    public void answered(String method, String route, int status, float milliseconds) {
        Timer.builder("koopstream.http")
                .description("time from the arrival of a request to the end of its answer")
                .tags("method", method, "route", route, "status", Integer.toString(status))
                .register(registry)
                .record(Duration.ofNanos((long) (milliseconds * 1e6)));
    }

    /** The text of Prometheus. */
    public String text() {
        follow();
        return registry.scrape();
    }

    private synchronized void follow() {
        List<LiveModel> present = models.list();
        for (LiveModel model : present) {
            ofModels.computeIfAbsent(model, this::register);
        }
        ofModels.entrySet().removeIf(entry -> {
            boolean left = !present.contains(entry.getKey());
            if (left) {
                entry.getValue().forEach(registry::remove);
            }
            return left;
        });
    }

    private List<Meter> register(LiveModel model) {
        List<Meter> meters = new ArrayList<>();
        Tags tags = Tags.of(Tag.of("model", model.name()));
        counter(meters, tags, model, "received", "samples sent since the start", LiveModel.Counts::received);
        counter(meters, tags, model, "accepted", "samples accepted since the start", LiveModel.Counts::accepted);
        counter(meters, tags, model, "duplicates", "samples sent again since the start", LiveModel.Counts::duplicates);
        counter(meters, tags, model, "rejected", "samples refused since the start", LiveModel.Counts::rejected);
        gauge(
                meters,
                tags,
                model,
                "queue",
                "samples in the queue",
                m -> m.counts().waiting());
        ofView(meters, tags, model, "learned", "pairs learned", ModelView::samples);
        ofRows(meters, tags, model, "gaps", "gaps: rows that do not follow the one before", RowCounts::gaps);
        ofRows(meters, tags, model, "late", "late rows", RowCounts::late);
        ofRows(meters, tags, model, "duplicates", "duplicate rows", RowCounts::duplicates);
        ofRows(meters, tags, model, "refused", "rows that cannot be learned from", RowCounts::refused);
        ofRows(meters, tags, model, "unreadable", "unreadable rows", RowCounts::unreadable);
        ofView(meters, tags, model, "dictionary", "kept samples", ModelView::dictionarySize);
        ofView(
                meters,
                tags,
                model,
                "one.step.error",
                "running mean of the one-step error",
                view -> view.facts().oneStepError());
        ofView(
                meters,
                tags,
                model,
                "drift.events",
                "remembered changes of the dynamics",
                view -> view.facts().driftEvents().size());
        gauge(
                meters,
                tags,
                model,
                "update.seconds",
                "time to learn a sample, a running mean",
                m -> seconds(m.timings().update()));
        gauge(
                meters,
                tags,
                model,
                "log.seconds",
                "time until the last group of batches was in the log",
                m -> seconds(m.timings().logging()));
        gauge(
                meters,
                tags,
                model,
                "snapshot.age.seconds",
                "time since the last snapshot",
                m -> m.timings().sinceSnapshot().map(Metrics::seconds).orElse(Double.NaN));
        if (model.settings().stream().scores()) {
            ofView(meters, tags, model, "score", "score of the newest row, 0 to 1", Metrics::lastScore);
            meters.add(FunctionCounter.builder(
                            "koopstream.alarms",
                            model,
                            m -> m.view()
                                    .scores()
                                    .map(ScoreBoard.Facts::alarmed)
                                    .orElse(0L))
                    .description("alarms over the life of the model")
                    .tags(tags)
                    .register(registry));
        }
        gauge(meters, tags, model, "lost", "acknowledged batches that are lost", LiveModel::lost);
        gauge(meters, tags, model, "health", "0 running, 1 troubled, 2 failed", Metrics::severity);
        return meters;
    }

    private static double lastScore(ModelView view) {
        List<ScoreRow> rows = view.scores().map(ScoreBoard.Facts::rows).orElse(List.of());
        return rows.isEmpty() ? Double.NaN : rows.get(rows.size() - 1).score();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() * 1e-9;
    }

    private static double severity(LiveModel model) {
        return switch (model.health().state()) {
            case RUNNING -> 0;
            case TROUBLED -> 1;
            case FAILED -> 2;
        };
    }

    private interface CountOf {
        long of(LiveModel.Counts counts);
    }

    private void counter(List<Meter> meters, Tags tags, LiveModel model, String name, String what, CountOf count) {
        meters.add(FunctionCounter.builder("koopstream.samples." + name, model, m -> count.of(m.counts()))
                .description(what)
                .tags(tags)
                .register(registry));
    }

    private void ofView(
            List<Meter> meters,
            Tags tags,
            LiveModel model,
            String name,
            String what,
            ToDoubleFunction<ModelView> value) {
        gauge(meters, tags, model, name, what, m -> value.applyAsDouble(m.view()));
    }

    private void ofRows(
            List<Meter> meters,
            Tags tags,
            LiveModel model,
            String name,
            String what,
            ToDoubleFunction<RowCounts> count) {
        ofView(
                meters,
                tags,
                model,
                name,
                what,
                view -> count.applyAsDouble(view.facts().rows()));
    }

    private void gauge(
            List<Meter> meters,
            Tags tags,
            LiveModel model,
            String name,
            String what,
            ToDoubleFunction<LiveModel> value) {
        meters.add(Gauge.builder("koopstream.model." + name, model, value)
                .description(what)
                .tags(tags)
                .register(registry));
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
