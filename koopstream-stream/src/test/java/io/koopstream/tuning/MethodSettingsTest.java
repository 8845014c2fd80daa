package io.koopstream.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdLearner;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MethodSettingsTest {

    @Test
    void nothingSaidMeansLeastSquaresWithProposedSettings() {
        MethodSettings settings = MethodSettings.of(Map.of());
        assertThat(settings.wantsProposal()).isTrue();
        assertThat(settings.choose(3, null).newLearner())
                .isInstanceOf(LeastSquaresLearner.class)
                .satisfies(learner -> assertThat(learner.input().dimension()).isEqualTo(3));
    }

    @Test
    void everyWordReachesTheConfiguration() {
        ChosenSettings squares = MethodSettings.of(Map.of(
                        "kernel", "gaussian(sigma=0.5)",
                        "lambda", "1e-4",
                        "epsilon", "0.2",
                        "forgetting", "0.999",
                        "max-dictionary", "77",
                        "block", "8"))
                .choose(2, null);
        assertThat(squares.config().settings())
                .containsEntry("method", "least-squares")
                .containsEntry("lambda", 1e-4)
                .containsEntry("epsilon", 0.2)
                .containsEntry("forgetting", 0.999)
                .containsEntry("maxDictionary", 77)
                .containsEntry("blockSize", 8);
        ChosenSettings sogd = MethodSettings.of(Map.of(
                        "method", "sogd",
                        "kernel", "gaussian(sigma=0.5)",
                        "eta", "0.25",
                        "decay", "0.75,200",
                        "criterion", "paper",
                        "average", "3"))
                .choose(2, null);
        assertThat(sogd.newLearner()).isInstanceOf(SogdLearner.class);
        assertThat(sogd.config().settings())
                .containsEntry("method", "sogd")
                .containsEntry("criterion", "paper")
                .hasEntrySatisfying(
                        "stepSize", text -> assertThat(text.toString()).contains("0.75"));
        assertThat(sogd.explained()).extracting(ChosenSettings.Explained::name).contains("eta", "average");
    }

    @Test
    void aKernelMayBeForOneDimensionOnly() {
        MethodSettings settings = MethodSettings.of(Map.of("kernel", "scaled(gaussian(1), 1, 2)"));
        assertThat(settings.choose(2, null).newLearner().input().dimension()).isEqualTo(2);
        assertThatThrownBy(() -> settings.choose(3, null)).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void wordsMakeEqualSettingsAgain() {
        MethodSettings settings = MethodSettings.of(Map.of("block", "8", "max-dictionary", "77", "lambda", "0.1"));
        assertThat(settings.given().keySet()).containsExactly("lambda", "maxDictionary", "block");
        assertThat(MethodSettings.of(settings.given())).isEqualTo(settings).hasSameHashCodeAs(settings);
        assertThat(MethodSettings.of(Map.of("block", "9"))).isNotEqualTo(settings);
    }

    @ParameterizedTest
    @CsvSource({
        "speed, 1, no such setting, UNKNOWN_NAME",
        "method, svm, 'least-squares, sogd', BAD_VALUE",
        "eta, 0.1, has no meaning, NOT_APPLICABLE",
        "lambda, much, must be a number, BAD_VALUE",
        "lambda, 0, must be, BAD_VALUE",
        "block, 2.5, must be a whole number, BAD_VALUE",
        "maxDictionary, 0, must be, BAD_VALUE",
        "kernel, gauss(1), gaussian, BAD_VALUE"
    })
    void aWrongWordIsNamed(String name, String value, String message, Reason reason) {
        assertThatThrownBy(() -> MethodSettings.of(Map.of(name, value)))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "forgetting, 0.9, has no meaning",
        "decay, fast, 'exponent and offset'",
        "criterion, best, exact or paper"
    })
    void soIsOneOfSogd(String name, String value, String message) {
        assertThatThrownBy(() -> MethodSettings.of(Map.of("method", "sogd", name, value)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(message);
    }
}
