package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Mode;
import io.koopstream.server.engine.ModelView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forecasts of the real server: those of the library, and honest about what is not known. */
@Timeout(1800)
class ForecastFlowTest {

    private static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        server = RunningServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void forecastsHaveQuantilesAModeAndSayHowWellTheyKnowTheStart() throws Exception {
        server.create("foreseen");
        server.post(
                        "/models/foreseen/samples",
                        "{\"states\":" + ServerFlowTest.json(ServerFlowTest.path(2_000, 7)) + "}")
                .is(200);
        server.get("/models/foreseen?after=2000").is(200);
        ModelView view = server.server().models().find("foreseen").orElseThrow().view();
        Forecaster library = ServerFlowTest.library(view);
        double[] from = {0.3, -0.2};
        String question = "{\"from\":[0.3,-0.2],\"steps\":6}";
        String address = "/models/foreseen/forecast?";
        for (Mode mode : Mode.values()) {
            String word = mode.name().toLowerCase(java.util.Locale.ROOT);
            Map<String, Object> answer = server.post(
                            address + "quantiles=0.025,0.5,0.975&seed=3&mode=" + word, question)
                    .is(200)
                    .json();
            Forecast expected =
                    library.forecast(from, ForecastRequest.of(6).mode(mode).paths(200, 3));
            assertThat(answer).containsEntry("mode", word).containsEntry("warning", null);
            assertThat(ServerFlowTest.number(answer.get("known"))).isEqualTo(library.known(from));
            assertThat(ServerFlowTest.numbers(answer.get("levels"))).containsExactly(0.025, 0.5, 0.975);
            Map<?, ?> madeOf = (Map<?, ?>) answer.get("madeOf");
            for (int s = 0; s < 6 && mode == Mode.AUTO; s++) {
                int at = s;
                assertThat(madeOf.values().stream()
                                .mapToDouble(shares -> ServerFlowTest.numbers(shares)[at])
                                .sum())
                        .isCloseTo(1, within(1e-12));
            }
            assertThat(madeOf.isEmpty()).isEqualTo(mode != Mode.AUTO);
            List<?> quantiles = (List<?>) answer.get("quantiles");
            for (int s = 0; s < 6; s++) {
                assertThat(ServerFlowTest.numbers(((List<?>) answer.get("mean")).get(s)))
                        .containsExactly(expected.mean(s + 1));
                assertThat(ServerFlowTest.numbers(((List<?>) quantiles.get(0)).get(s)))
                        .containsExactly(expected.quantiles(0.025)[s]);
                assertThat(ServerFlowTest.numbers(((List<?>) quantiles.get(2)).get(s)))
                        .containsExactly(expected.quantiles(0.975)[s]);
            }
        }
        Map<String, Object> means =
                server.post(address + "quantiles=none", question).is(200).json();
        assertThat((List<?>) means.get("quantiles")).isEmpty();
        assertThat(means).containsEntry("band", "UNKNOWN");

        Map<String, Object> now = server.post(address, "{\"steps\":1}").is(200).json();
        double[][] recent = view.recentStates();
        assertThat(ServerFlowTest.numbers(now.get("from")))
                .as("the newest row")
                .containsExactly(recent[recent.length - 1]);

        for (String wrong : List.of("quantiles=0", "quantiles=0.1,x", "quantiles=1.5", "mode=best", "paths=1")) {
            server.post(address + wrong, question).isError(422, "BAD_QUERY");
        }
        server.post(address + "paths=100000", "{\"from\":[0.3,-0.2],\"steps\":1000}")
                .isError(422, "BAD_QUERY");
    }

    @Test
    void whatIsHardlyKnownIsRefusedUnlessAskedForAnyway() throws Exception {
        server.create("nearby");
        server.post("/models/nearby/samples", "{\"states\":" + ServerFlowTest.json(ServerFlowTest.path(500, 8)) + "}")
                .is(200);
        server.get("/models/nearby?after=500").is(200);
        String far = "{\"from\":[9,9],\"steps\":3}";
        RunningServer.Answer refused =
                server.post("/models/nearby/forecast", far).isError(422, "UNKNOWN_STATE");
        assertThat(refused.body()).contains("anyway=true", "\"known\":");
        Map<String, Object> answer =
                server.post("/models/nearby/forecast?anyway=true", far).is(200).json();
        assertThat((String) answer.get("warning")).contains("do not trust this forecast");
        assertThat(ServerFlowTest.number(answer.get("known"))).isLessThan(0.1);
        for (Object quantile : (List<?>) answer.get("quantiles")) {
            List<?> last = (List<?>) ((List<?>) quantile).get(2);
            assertThat(last.get(0))
                    .as("no band of width zero: a number apart from the mean, or nothing")
                    .isNotEqualTo(((List<?>) ((List<?>) answer.get("mean")).get(2)).get(0));
        }
        Map<String, Object> next = server.post("/models/nearby/predict", "{\"points\":[[9,9],[0.1,0.1]]}")
                .is(200)
                .json();
        assertThat(((List<?>) next.get("next")).get(0)).asString().isEqualTo("[null, null]");
        assertThat(ServerFlowTest.numbers(((List<?>) next.get("next")).get(1))).hasSize(2);
        assertThat(server.post("/models/nearby/predict?anyway=true", "{\"points\":[[9,9]]}")
                        .is(200)
                        .body())
                .doesNotContain("null");
    }

    @Test
    void aModelWithDelaysAndDifferencesForecastsFromItsNewestRow() throws Exception {
        server.post(
                        "/models",
                        "{\"name\":\"grown\",\"settings\":{\"kernel\":\"gaussian(1)\",\"delays\":2,\"difference\":\"all\"}}")
                .is(201);
        double[][] states = ServerFlowTest.path(800, 9);
        double[][] sums = new double[states.length][2];
        for (int i = 1; i < sums.length; i++) {
            sums[i] = new double[] {sums[i - 1][0] + states[i][0], sums[i - 1][1] + states[i][1]};
        }
        server.post("/models/grown/samples", "{\"states\":" + ServerFlowTest.json(sums) + "}")
                .is(200);
        server.get("/models/grown?after=800").is(200);
        Map<String, Object> answer =
                server.post("/models/grown/forecast", "{\"steps\":2}").is(200).json();
        assertThat(ServerFlowTest.numbers(answer.get("start"))[0]).isCloseTo(sums[799][0], within(1e-9));
        assertThat(ServerFlowTest.numbers(((List<?>) answer.get("mean")).get(0))[0])
                .isCloseTo(sums[799][0], within(3.0));
        assertThat(server.post("/models/grown/forecast", "{\"from\":[0,0,0,0,0,0],\"steps\":2}")
                        .isError(400, "BAD_REQUEST")
                        .body())
                .contains("leave out 'from'");
    }
}
