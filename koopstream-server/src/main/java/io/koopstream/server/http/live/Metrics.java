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
            Gauge.builder("koopstream.webhook.waiting", webhook, Webhook::waiting)
                    .description("alarms still to be delivered")
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
        Gauge.builder("koopstream.memory.limit", models.memory(), MemoryBudget::total)
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
        Meters of = new Meters(model);
        of.samples("received", "samples sent since the start", LiveModel.Counts::received);
        of.samples("accepted", "samples accepted since the start", LiveModel.Counts::accepted);
        of.samples("duplicates", "samples sent again since the start", LiveModel.Counts::duplicates);
        of.samples("rejected", "samples refused since the start", LiveModel.Counts::rejected);
        of.gauge("queue", "samples in the queue", m -> m.counts().waiting());
        of.view("learned", "pairs learned", ModelView::samples);
        of.rows("gaps", "gaps: rows that do not follow the one before", RowCounts::gaps);
        of.rows("late", "late rows", RowCounts::late);
        of.rows("duplicates", "duplicate rows", RowCounts::duplicates);
        of.rows("refused", "rows that cannot be learned from", RowCounts::refused);
        of.rows("unreadable", "unreadable rows", RowCounts::unreadable);
        of.view("dictionary", "kept samples", ModelView::dictionarySize);
        of.view(
                "one.step.error",
                "running mean of the one-step error",
                view -> view.facts().oneStepError());
        of.view(
                "drift.events",
                "remembered changes of the dynamics",
                view -> view.facts().driftEvents().size());
        of.gauge(
                "update.seconds",
                "time to learn a sample, a running mean",
                m -> seconds(m.timings().update()));
        of.gauge(
                "log.seconds",
                "time until the last group of batches was in the log",
                m -> seconds(m.timings().logging()));
        of.gauge(
                "snapshot.age.seconds",
                "time since the last snapshot",
                m -> m.timings().sinceSnapshot().map(Metrics::seconds).orElse(Double.NaN));
        if (model.settings().stream().scores()) {
            of.view("score", "score of the newest row, 0 to 1", Metrics::lastScore);
            of.counter(
                    "alarms",
                    "alarms over the life of the model",
                    m -> m.view().scores().map(ScoreBoard.Facts::alarmed).orElse(0L));
        }
        of.gauge("lost", "acknowledged batches that are lost", LiveModel::lost);
        of.gauge("health", "0 running, 1 troubled, 2 failed", Metrics::severity);
        return of.meters;
    }

    /** The meters of a model. */
    private final class Meters {
        private final LiveModel model;
        private final Tags tags;
        private final List<Meter> meters = new ArrayList<>();

        Meters(LiveModel model) {
            this.model = model;
            this.tags = Tags.of(Tag.of("model", model.name()));
        }

        void counter(String name, String what, ToDoubleFunction<LiveModel> count) {
            meters.add(FunctionCounter.builder("koopstream." + name, model, count)
                    .description(what)
                    .tags(tags)
                    .register(registry));
        }

        void samples(String name, String what, ToDoubleFunction<LiveModel.Counts> count) {
            counter("samples." + name, what, m -> count.applyAsDouble(m.counts()));
        }

        void gauge(String name, String what, ToDoubleFunction<LiveModel> value) {
            meters.add(Gauge.builder("koopstream.model." + name, model, value)
                    .description(what)
                    .tags(tags)
                    .register(registry));
        }

        void view(String name, String what, ToDoubleFunction<ModelView> value) {
            gauge(name, what, m -> value.applyAsDouble(m.view()));
        }

        void rows(String name, String what, ToDoubleFunction<RowCounts> count) {
            view(name, what, view -> count.applyAsDouble(view.facts().rows()));
        }
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
            case RUNNING, REPLAYING -> 0;
            case TROUBLED -> 1;
            case FAILED -> 2;
        };
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
