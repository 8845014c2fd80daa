package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.answers.ForecastBatch;
import io.koopstream.answers.Forecasts;
import io.koopstream.answers.KoopmanModes;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.ModesAnswer;
import io.koopstream.answers.Projected;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.SetsAnswer;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.answers.StoredInfo;
import io.koopstream.answers.TheoryAnswer;
import io.koopstream.answers.Version;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Start;
import io.koopstream.io.Json;
import io.koopstream.io.ModelFile;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.theory.Mixing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The keys in docs/cli.md are those of the answers, in their order. */
class JsonKeysTest extends LearnedWells {

    private static final Pattern NAME = Pattern.compile("`([A-Za-z0-9]+)`");

    @TestFactory
    Stream<DynamicTest> theKeysOfEveryAnswerAreDescribed() throws IOException {
        LearnedModel learned = LearnedModel.of(ModelFile.load(model), TrustRule.stochastic());
        StoredInfo info = StoredInfo.of(learned, model.toString(), Regularisation.USUAL);
        SpectrumAnswer spectrum = SpectrumAnswer.of(learned, 4, learned.clock(), Regularisation.USUAL, null);
        var operator = learned.forSpectra(Regularisation.USUAL);
        SetsAnswer sets = SetsAnswer.of(
                learned, operator, MetastableSets.of(operator.operator(), 4, SetsAnswer.SEED), learned.clock());
        Forecasts forecasts = new Forecasts(
                learned, ForecastRequest.of(3), new double[] {0.1, 0.9}, learned.clock(), Regularisation.USUAL);
        Start start = learned.facts().orElseThrow().newest().orElseThrow();
        ForecastBatch.Started started = new ForecastBatch.Started(1, "", null, forecasts.path(start));
        Map<String, Record> answers = new LinkedHashMap<>();
        answers.put("`info`", info);
        answers.put("each of `settings`", info.model().settings().get(0));
        answers.put("each of `forecasts`", info.forecasts().get(0));
        answers.put("`spectrum`", spectrum);
        answers.put("each of `eigenvalues`", spectrum.eigenvalues().get(0));
        ModesAnswer modes = KoopmanModes.of(learned, 2, learned.clock(), Regularisation.USUAL)
                .answer();
        answers.put("`modes`", modes);
        answers.put("each of `modes`", modes.modes().get(0));
        answers.put("`projection`", new Projected(600, 6, 400, 0.1));
        answers.put("`sets`", sets);
        answers.put("each of `sets`", sets.sets().get(0));
        answers.put("`forecast`", forecasts.answer(start));
        answers.put("`forecast` from many starts", forecasts.batch(List.of(started)));
        answers.put("each of `forecasts` there", started);
        TheoryAnswer theory = TheoryAnswer.of(
                SogdConfig.forState(2, Kernels.gaussian(1))
                        .lambda(1)
                        .stepSize(1e-4)
                        .budget(0)
                        .build(),
                new Mixing(1, 0.5),
                1000);
        Map<String, Record> parts = Map.of(
                "each of `checks`", theory.checks().get(0),
                "`constants`", theory.constants(),
                "each of `bounds`", theory.bounds().get(0));
        answers.put(
                "`theory`",
                new TheoryAnswer(
                        new Version(1, 1), theory.mixing(), 1, theory.checks(), theory.constants(), theory.bounds()));
        answers.putAll(parts);
        List<String> page = Files.readAllLines(Path.of("..", "docs", "cli.md"));
        List<String> lines = page.subList(page.indexOf("### JSON"), page.size());
        return answers.entrySet().stream()
                .map(one -> DynamicTest.dynamicTest(
                        one.getKey(),
                        () -> assertThat(described(lines, one.getKey()))
                                .containsExactlyElementsOf(
                                        Json.members(one.getValue()).keySet())));
    }

    /** The names that a row of the table has before its first semicolon, those in brackets left out. */
    private static List<String> described(List<String> lines, String row) {
        String cell = lines.stream()
                .filter(line -> line.startsWith("| " + row + " |"))
                .findFirst()
                .orElseThrow()
                .substring(row.length() + 4)
                .replaceAll("\\([^)]*\\)", "")
                .replaceAll(";.*", "");
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(cell);
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }
}
