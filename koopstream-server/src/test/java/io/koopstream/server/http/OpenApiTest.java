package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.answers.ChangeEvent;
import io.koopstream.answers.Eigenvalue;
import io.koopstream.answers.ForecastAnswer;
import io.koopstream.answers.ModelInfo;
import io.koopstream.answers.ScoreRow;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.answers.StreamFacts;
import io.koopstream.answers.TheoryAnswer;
import io.koopstream.io.Json;
import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.http.RunningServer.Answer;
import io.koopstream.server.http.ask.ForecastAnswers;
import io.koopstream.server.http.ask.ModelAnswers;
import io.koopstream.server.http.ask.SpectrumAnswers;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import io.koopstream.server.policy.Policies;
import io.koopstream.stream.StreamOption;
import io.koopstream.tuning.ChosenSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The description of the interface is true: every route is in it and nothing else, and answers of a real run fit its schemas. */
@Timeout(1800)
class OpenApiTest {

    private static final Map<String, Object> DOCUMENT =
            new JsonInput(HttpLimits.usual()).object(new ByteArrayInputStream(OpenApi.document()));

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @Test
    void everyRouteIsDescribedAndViceVersa(@TempDir Path folder) {
        TreeSet<String> described = new TreeSet<>();
        map(DOCUMENT.get("paths"))
                .forEach((path, operations) -> map(operations)
                        .keySet()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        try (LiveModels models = LiveModels.open(
                        folder, EngineConfig.defaults().with(Durability.OS), Storage.DISK, Clock.systemUTC());
                WebServer web = WebServer.start(
                        models,
                        Policies.open(folder.resolve("policies"), Storage.DISK, models.memory()),
                        new WebServer.Secrets(AccessToken.of("some-token-0123456789"), "secret"),
                        new WebServer.Address("127.0.0.1", 0, List.of(), false),
                        HttpLimits.usual(),
                        null)) {
            assertThat(described).containsExactlyElementsOf(new TreeSet<>(web.registered()));
        }
    }

    @Test
    void everyOptionOfAStreamIsDescribed() {
        Map<String, Object> newModel =
                map(map(map(DOCUMENT.get("components")).get("schemas")).get("NewModel"));
        Map<String, Object> settings =
                map(map(map(newModel.get("properties")).get("settings")).get("properties"));
        List<String> names = new ArrayList<>(StreamOption.NAMES);
        names.addAll(List.of("names", "dimension", "deterministic", "timeStyle"));
        assertThat(settings.keySet()).containsExactlyElementsOf(names);
        assertThat(map(settings.get("onDrift"))).containsEntry("enum", List.of("forget", "discount", "ignore"));
        assertThat(map(settings.get("eta")).get("description").toString()).contains("step size", "needs method = sogd");
    }

    /** Schemas of the answers that are records. */
    private static final Map<String, Class<? extends Record>> RECORDS = Map.ofEntries(
            Map.entry("Model", ModelAnswers.Served.class),
            Map.entry("Setting", ChosenSettings.Explained.class),
            Map.entry("WarmUp", StreamFacts.WarmUp.class),
            Map.entry("Lambdas", ModelInfo.Lambdas.class),
            Map.entry("Health", ModelAnswers.Health.class),
            Map.entry("Stream", ModelView.StreamInfo.class),
            Map.entry("DriftEvent", ChangeEvent.class),
            Map.entry("Eigenvalue", Eigenvalue.class),
            Map.entry("Spectrum", SpectrumAnswer.class),
            Map.entry("EigenfunctionGrid", SpectrumAnswers.EigenfunctionGrid.class),
            Map.entry("Eigenfunctions", SpectrumAnswers.Eigenfunctions.class),
            Map.entry("SetsGrid", SpectrumAnswers.SetsGrid.class),
            Map.entry("Forecast", ForecastAnswer.class),
            Map.entry("Prediction", ForecastAnswers.Prediction.class),
            Map.entry("Weights", ForecastAnswers.Weights.class),
            Map.entry("ScoredRow", ScoreRow.class),
            Map.entry("Scores", ModelAnswers.Scores.class),
            Map.entry("Curve", ModelAnswers.Errors.class),
            Map.entry("Drift", ModelAnswers.Drift.class),
            Map.entry("Check", TheoryAnswer.Check.class),
            Map.entry("TheoryConstants", TheoryAnswer.Constants.class),
            Map.entry("TheoryBound", TheoryAnswer.Bound.class),
            Map.entry("Theory", TheoryAnswer.class));

    @TestFactory
    Stream<DynamicTest> everySchemaHasTheMembersOfItsRecord() {
        Map<String, Object> schemas = map(map(DOCUMENT.get("components")).get("schemas"));
        return RECORDS.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    Map<String, Object> properties =
                            map(map(schemas.get(entry.getKey())).get("properties"));
                    Map<String, Class<?>> members = members(entry.getValue());
                    assertThat(properties.keySet()).containsExactlyInAnyOrderElementsOf(members.keySet());
                    members.forEach((name, type) -> assertThat(types(map(properties.get(name))))
                            .as(name)
                            .contains(jsonType(type)));
                }));
    }

    private static Map<String, Class<?>> members(Class<?> record) {
        Map<String, Class<?>> members = new LinkedHashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            if (Json.Part.class.isAssignableFrom(component.getType())) {
                members.putAll(members(component.getType()));
            } else {
                members.put(component.getName(), component.getType());
            }
        }
        return members;
    }

    private static List<Object> types(Map<String, Object> schema) {
        Object type = schema.getOrDefault("type", "object");
        return type instanceof List<?> list ? List.copyOf(list) : List.of(type);
    }

    private static String jsonType(Class<?> type) {
        return type == double.class
                ? "number"
                : type == boolean.class || type == Boolean.class
                        ? "boolean"
                        : type == int.class || type == long.class || type == Integer.class || type == Long.class
                                ? "integer"
                                : type == String.class || type.isEnum()
                                        ? "string"
                                        : type.isArray() || List.class.isAssignableFrom(type) ? "array" : "object";
    }

    @Test
    void answersOfARealRunFitTheirSchemas() throws Exception {
        try (RunningServer server = RunningServer.start()) {
            fits("/openapi.json", server.get("/openapi.json"), null);
            fits("Status", server.get("/health"), "Status");
            fits("Status", server.get("/ready"), "Status");
            fits(
                    "new model",
                    server.post("/models", "{\"name\":\"plant\",\"settings\":{\"kernel\":\"gaussian(0.5)\"}}"),
                    "Model");
            fits(
                    "choose",
                    server.post("/models", "{\"name\":\"chosen\",\"settings\":{\"warmUp\":500,\"delays\":0}}"),
                    "Model");
            fits("error", server.post("/models", "{\"name\":\"plant\"}"), "Error");
            fits(
                    "scoring",
                    server.post(
                            "/models",
                            "{\"name\":\"scored\",\"settings\":{\"kernel\":\"gaussian(0.5)\",\"scores\":true}}"),
                    "Model");
            StringBuilder states = new StringBuilder("[0.5,0.1]");
            java.util.SplittableRandom random = new java.util.SplittableRandom(1);
            for (int i = 0; i < 1_500; i++) {
                states.append(",[" + random.nextDouble(-1, 1) + "," + random.nextDouble(-1, 1) + "]");
            }
            fits(
                    "scored samples",
                    server.post("/models/scored/samples?scores=true", "{\"states\":[" + states + "]}"),
                    "Ack");
            fits("scores", server.get("/models/scored/scores"), "Scores");
            for (String name : List.of("plant", "chosen")) {
                String model = "/models/" + name;
                fits(
                        "samples",
                        server.post(model + "/samples", "{\"stream\":\"s\",\"first\":0,\"states\":[" + states + "]}"),
                        "Ack");
                fits(
                        "gap",
                        server.post(model + "/samples", "{\"stream\":\"s\",\"first\":9999,\"states\":[[0,0]]}"),
                        "Error");
                fits("model", server.get(model + "?after=1501"), "Model");
                fits("spectrum", server.get(model + "/spectrum?k=4"), "Spectrum");
                fits("tuned", server.get(model + "/spectrum?k=4&lambda=auto&rank=5"), "Spectrum");
                fits("grid", server.get(model + "/eigenfunctions?index=1&nx=4&ny=4"), "EigenfunctionGrid");
                fits(
                        "values",
                        server.post(model + "/eigenfunctions", "{\"points\":[[0,0],[1,1]],\"k\":2}"),
                        "Eigenfunctions");
                fits("sets", server.get(model + "/sets?k=2&nx=4&ny=4"), "SetsGrid");
                fits("sets alone", server.get(model + "/sets?k=2&grid=false"), "SetsGrid");
                fits("predict", server.post(model + "/predict", "{\"points\":[[0,0]]}"), "Prediction");
                fits("forecast", server.post(model + "/forecast", "{\"from\":[0,0],\"steps\":3}"), "Forecast");
                fits(
                        "fan",
                        server.post(model + "/forecast?anyway=true&mode=path&quantiles=0.1,0.5,0.9", "{\"steps\":30}"),
                        "Forecast");
                fits("weights", server.post(model + "/weights", "{\"from\":[0,0]}"), "Weights");
                fits("error curve", server.get(model + "/error"), "Curve");
                fits("drift", server.get(model + "/drift"), "Drift");
                fits("theory", server.get(model + "/theory"), "Theory");
            }
            fits("models", server.get("/models"), "Models");
        }
    }

    static void fits(String what, Answer answer, String schema) throws IOException {
        if (schema == null) {
            assertThat(answer.body().getBytes(StandardCharsets.UTF_8)).isEqualTo(OpenApi.document());
            return;
        }
        List<String> problems = new ArrayList<>();
        check(what, answer.json(), Map.of("$ref", "#/components/schemas/" + schema), problems);
        assertThat(problems)
                .as(answer.body().substring(0, Math.min(500, answer.body().length())))
                .isEmpty();
        assertThat(schema.equals("Error")).as(what + ": " + answer.status()).isEqualTo(answer.status() >= 400);
    }

    /** Types, required and unknown keys, enumerations and references: what this document uses of JSON Schema. */
    private static void check(String where, Object value, Map<String, Object> schema, List<String> problems) {
        if (schema.get("$ref") instanceof String reference) {
            String name = reference.substring(reference.lastIndexOf('/') + 1);
            Object found = map(map(DOCUMENT.get("components")).get("schemas")).get(name);
            assertThat(found).as(reference).isNotNull();
            check(where, value, map(found), problems);
            return;
        }
        if (schema.get("type") != null && !isOf(schema.get("type"), value)) {
            problems.add(where + ": " + value + " is not of type " + schema.get("type"));
            return;
        }
        if (schema.get("enum") instanceof List<?> allowed && !allowed.contains(value)) {
            problems.add(where + ": " + value + " is not one of " + allowed);
        }
        if (value instanceof Map<?, ?> object) {
            checkObject(where, map(object), schema, problems);
        } else if (value instanceof List<?> list && schema.get("items") != null) {
            for (int i = 0; i < list.size(); i++) {
                check(where + "[" + i + "]", list.get(i), map(schema.get("items")), problems);
            }
        }
    }

    private static void checkObject(
            String where, Map<String, Object> object, Map<String, Object> schema, List<String> problems) {
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(key -> !object.containsKey(key))
                    .forEach(key -> problems.add(where + ": no " + key));
        }
        Map<String, Object> properties = schema.get("properties") == null ? Map.of() : map(schema.get("properties"));
        object.forEach((key, entry) -> {
            if (properties.containsKey(key)) {
                check(where + "." + key, entry, map(properties.get(key)), problems);
            } else if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
                problems.add(where + ": unknown key " + key);
            }
        });
    }

    private static boolean isOf(Object type, Object value) {
        if (type instanceof List<?> several) {
            return several.stream().anyMatch(one -> isOf(one, value));
        }
        return switch ((String) type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "number" -> value instanceof Double;
            case "integer" -> value instanceof Double number && number == Math.rint(number);
            case "null" -> value == null;
            default -> throw new IllegalArgumentException("type " + type);
        };
    }
}
