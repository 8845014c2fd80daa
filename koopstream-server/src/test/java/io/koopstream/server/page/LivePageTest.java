package io.koopstream.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.feed.Feed;
import io.koopstream.server.feed.SimulatorFeed;
import io.koopstream.systems.NoisyRotation;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser on a real server that learns the four wells from its built-in simulator. */
@Needs(Program.CHROMIUM)
@ExtendWith(BrowserForTests.class)
class LivePageTest {

    private static final String DEMO = "demo-fourwell";

    @TempDir
    private static Path folder;

    private static KoopServer server;
    private static Feed demo;

    private Browser browser;
    private WatchedPage watched;

    @BeforeAll
    static void start() {
        server = KoopServer.start(ServerConfig.in(folder).withPort(0));
        demo = SimulatorFeed.start(server.models(), "fourwell", 2_000);
    }

    @AfterAll
    static void stop() {
        demo.close();
        server.close();
    }

    @BeforeEach
    void open(Browser shared) {
        browser = shared;
        watched = WatchedPage.open(browser, server, DEMO);
    }

    @AfterEach
    void nothingWentWrong() {
        try (WatchedPage page = watched) {
            assertThat(page.complaints()).isEmpty();
            assertThat(page.foreignRequests()).isEmpty();
        }
    }

    private void reopen(Browser.NewContextOptions options) {
        watched.close();
        watched = WatchedPage.open(browser, server, DEMO, options);
    }

    private void choose(String model) {
        watched.find("#model-select").focus(); // the list is asked for anew
        assertThat(watched.find("#model-select option[value='" + model + "']")).hasCount(1);
        watched.find("#model-select").selectOption(model);
    }

    @Test
    void showsTheModelAndForgetsTheTokenInTheAddress() {
        assertThat(watched.page()).hasTitle(DEMO + " · Koopstream");
        assertThat(watched.page().url()).doesNotContain("token");
        assertThat(watched.find("#connection")).hasText("live");
        assertThat(watched.find("#durability")).hasText("fsync");
        assertThat(watched.find("#eigenvalues tbody tr").first()).isVisible();
        String first = watched.find("#eigenvalues tbody tr td").first().textContent();
        assertThat(Double.parseDouble(first.split(" ", 2)[0])).isBetween(0.95, 1.005);
        assertThat(watched.find("#plane .marker").count())
                .isEqualTo(watched.find("#eigenvalues tbody tr").count());
        assertThat(watched.find("#settings tbody tr")
                        .filter(new Locator.FilterOptions().setHasText("kernel"))
                        .first())
                .isVisible();
        watched.waitForMap();
    }

    /** Two eigenvalues that cannot be told apart may come out as a complex pair; a true oscillation has no sets. */
    @Test
    void aPairWhoseAngleIsOnlyAnErrorBelongsToTheSets() {
        String sets = "async (im) => { const { gapOf } = await import('/web/finding.js');"
                + " const value = (re, im) => ({ re, im, modulus: Math.hypot(re, im), standardError: 9e-4, trusted: true, reasons: [] });"
                + " return gapOf([value(1, 0), value(0.9971, im), value(0.9971, -im), value(0.9944, 0), value(0.7, 0)]).sets; }";
        assertThat(watched.page().evaluate(sets, 2.3e-4)).isEqualTo(4);
        assertThat(watched.page().evaluate(sets, 2.3e-2)).isEqualTo(1);
    }

    @Test
    void numbersMoveWhileItLearns() {
        watched.waitFor("() => /^[0-9,]+$/.test(document.querySelector('#n-samples').textContent)");
        long before = watched.number("#n-samples");
        watched.waitFor(
                "() => Number(document.querySelector('#n-samples').textContent.replaceAll(',', '')) > " + before);
        assertThat(watched.find("#strip-error path.line")).hasAttribute("d", Pattern.compile("M.+L.+"));
        assertThat(watched.find("#strip-dictionary path.line")).hasAttribute("d", Pattern.compile("M.+L.+"));
        assertThat(watched.find("#strip-rate path.line")).hasAttribute("d", Pattern.compile("M.+L.+"));
        assertThat(watched.number("#n-dictionary")).isPositive();
    }

    @Test
    void aClickOnTheMapForecasts() {
        watched.waitForMap();
        watched.clickMap(0.3, 0.3);
        assertThat(watched.find("#forecast-fans figure")).hasCount(2);
        String line = watched.find("#forecast-fans path.line").first().getAttribute("d");
        assertThat(line.split("L", -1)).hasSize(51); // the start and a point for every step
        assertThat(watched.find("#forecast-fans path.band").first()).isVisible();
        assertThat(watched.announced()).containsText("Forecast of 50 steps");
        // The state on the left half of the map has a negative first coordinate: the wells are around 0.
        assertThat(Double.parseDouble(watched.find("#from-0").inputValue())).isNegative();
    }

    @Test
    void aForecastShowsItsFanBothWellsAndWhatIsNotKnown() {
        watched.waitForMap();
        // Nobody asked: it begins at the newest row.
        assertThat(watched.find("#forecast-note")).containsText("of the start");
        assertThat(watched.find("#forecast-note")).containsText("The last step is made of");
        assertThat(watched.find("#from-0")).hasValue("");
        forecastFrom("0", "0");
        assertThat(watched.find("#forecast-fans figure").first().locator("path.band"))
                .hasCount(3);
        assertThat(watched.find("#forecast-fans circle.likely").first()).isVisible();
        assertThat(watched.find("#forecast-note")).containsText("likely values");
        forecastFrom("50", "50");
        assertThat(watched.find("#forecast-problem")).containsText("nothing like it was learned");
        watched.find("#forecast-anyway").click();
        assertThat(watched.find("#forecast-warning")).containsText("do not trust this forecast");
        assertThat(watched.find("#forecast-fans rect.hatched").first()).isVisible();
        assertThat(watched.find("#forecast-anyway")).isHidden();
        watched.find("#forecast-now").click();
        assertThat(watched.find("#forecast-warning")).isHidden();
        // Once or more: a new view asks again from where somebody began.
        watched.excuse("422");
    }

    private void forecastFrom(String... state) {
        for (int c = 0; c < state.length; c++) {
            watched.find("#from-" + c).fill(state[c]);
        }
        watched.find("#forecast-form button[type=submit]").click();
    }

    @Test
    void everythingCanBeDoneWithTheKeyboard() {
        watched.waitForMap();
        Page page = watched.page();
        page.keyboard().press("Tab");
        assertThat(watched.find(".skip")).isFocused();
        tabTo("#plane .marker");
        String first = page.evaluate("document.activeElement.getAttribute('aria-label')")
                .toString();
        page.keyboard().press("ArrowRight");
        String second = page.evaluate("document.activeElement.getAttribute('aria-label')")
                .toString();
        assertThat(second).startsWith("Eigenvalue").isNotEqualTo(first);
        assertThat(watched.find("#tip")).containsText("time scale");
        page.keyboard().press("Enter");
        int number = Integer.parseInt(second.replaceFirst("Eigenvalue (\\d+).*", "$1"));
        assertThat(watched.find("#map-what")).hasValue(Integer.toString(number - 1));
        tabTo("#map");
        assertThat(watched.find("#map-readout")).containsText("x1 = ");
        String before = watched.find("#map-readout").textContent();
        page.keyboard().press("ArrowRight");
        page.keyboard().press("Shift+ArrowUp");
        assertThat(watched.find("#map-readout")).not().hasText(before);
        page.keyboard().press("Enter");
        assertThat(watched.announced()).containsText("Forecast of 50 steps");
    }

    /** Presses Tab until an element that fits has the focus. */
    private void tabTo(String selector) {
        for (int i = 0; i < 40; i++) {
            watched.page().keyboard().press("Tab");
            if ((boolean) watched.page().evaluate("selector => document.activeElement.matches(selector)", selector)) {
                return;
            }
        }
        throw new AssertionError(selector + " is not reached with the Tab key");
    }

    @Test
    void setsHaveLettersAndTheReadoutNamesThem() {
        watched.waitForMap();
        watched.find("#map-what").selectOption("sets");
        assertThat(watched.find("#map")).hasAttribute("aria-label", Pattern.compile("Sets .*"));
        assertThat(watched.find("#map-sets-label")).isVisible();
        watched.clickMap(0.3, 0.3);
        assertThat(watched.find("#map-readout")).containsText("in set ");
    }

    @Test
    void saysWhatWasFoundAndOpensOnIt() {
        assertThat(watched.find("#finding"))
                .hasText(Pattern.compile("4 metastable sets; .*three slow modes, then a gap of ×\\d+\\."));
        assertThat(watched.find("#map-what")).hasValue("sets");
        assertThat(watched.find("#view-slow")).hasAttribute("aria-pressed", "true");
        assertThat(watched.find("#sets tbody tr")).hasCount(4);
        assertThat(watched.find("#sets tbody tr").first()).hasText(Pattern.compile("A[0-9.]+ %[0-9.]+−.*"));
        watched.find("#map-what").selectOption("1"); // who has chosen keeps it
        assertThat(watched.find("#sets-box")).isHidden();
        long before = watched.number("#n-samples");
        watched.waitFor("() => Number(document.querySelector('#n-samples').textContent.replaceAll(',', '')) > "
                + (before + 3000));
        assertThat(watched.find("#map-what")).hasValue("1");
    }

    @Test
    void wordsOfTrustAreExplainedToMouseAndKeyboard() {
        watched.waitForMap();
        Locator word = watched.page().getByText("spurious", new Page.GetByTextOptions().setExact(true));
        word.focus();
        watched.page().keyboard().press("Shift+Tab");
        watched.page().keyboard().press("Tab"); // now with the keyboard
        assertThat((String) word.evaluate("word => getComputedStyle(word, '::after').content"))
                .contains("artefact");
    }

    @Test
    void aPausedPageStandsStillAndGoesOn() {
        watched.waitForMap();
        watched.find("#pause").click();
        long held = watched.number("#n-samples");
        watched.page().waitForTimeout(1_500);
        assertThat(watched.number("#n-samples")).isEqualTo(held);
        watched.find("#pause").click();
        watched.waitFor("() => Number(document.querySelector('#n-samples').textContent.replaceAll(',', '')) > " + held);
    }

    @Test
    void deletesAModelOnlyWhenToldTwice() {
        Streams.learnCircle(server, "unloved", List.of("east", "north"));
        choose("unloved");
        assertThat(watched.find("#eigenvalues tbody tr").first()).isVisible();
        watched.find("#delete").click();
        assertThat(watched.find("#remove-title")).hasText("Delete unloved?");
        watched.page().getByText("Cancel").first().click();
        assertThat(server.models().find("unloved")).isPresent();
        watched.find("#delete").click();
        watched.page().getByText("Delete for good").click();
        assertThat(watched.find("#model-select option[value='unloved']")).hasCount(0);
        assertThat(server.models().find("unloved")).isEmpty();
    }

    @Test
    void aNewModelSaysWhatToSendAndShowsItOnceItCame() throws Exception {
        watched.find("#new-model").click();
        watched.find("#create-name").fill("Not A Name");
        watched.find("#create-submit").click();
        assertThat(watched.find("#create-problem")).containsText("a-z"); // the server's own words
        watched.find("#create-name").fill("taught");
        watched.find("#create-names").fill("angle, speed");
        watched.page().getByLabel("I choose").check();
        watched.find("#create-kernel").fill("gaussian(0.5)");
        watched.find("#create-submit").click();
        assertThat(watched.find("#teach-title")).hasText("taught is waiting for samples");
        assertThat(watched.find("#teach-text")).containsText("angle, speed");
        assertThat(watched.find("#teach-commands code").last())
                .containsText("Koopstream(\"" + server.pageUrl().replaceFirst("/\\?.*", "") + "\", model=\"taught\")");
        String line = watched.find("#teach-commands code").first().textContent();
        Matcher curl = Pattern.compile(
                        "curl -H \"Authorization: Bearer \\$KOOPSTREAM_TOKEN\" -H \"Content-Type: application/json\" (\\S+) -d '(.+)'")
                .matcher(line);
        assertThat(curl.matches()).as(line).isTrue();
        HttpRequest request = HttpRequest.newBuilder(URI.create(curl.group(1)))
                .header("Authorization", "Bearer " + server.pageUrl().replaceFirst(".*token=", ""))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(curl.group(2)))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(watched.find("#eigenvalues tbody tr").first()).isVisible();
        assertThat(watched.find("#forecast-from label").first()).containsText("angle");
        // The refusal above is an answer with status 4xx, which Chromium writes to its console by itself.
        assertThat(watched.complaints()).hasSize(1).allMatch(text -> text.contains("Failed to load resource"));
        reopen(new Browser.NewContextOptions());
    }

    @Test
    void namesFromOutsideStayText() {
        String hostile = "<img src=x onerror=\"window.broken=1\">";
        String alsoHostile = "</option><script>window.broken=2</script>";
        Streams.learnCircle(server, "hostile", List.of(hostile, alsoHostile, "plain"));
        choose("hostile");
        watched.find("#model-select").press("Escape");
        assertThat(watched.find("#forecast-from label").first()).hasText(hostile);
        assertThat(watched.find("#map-x option").nth(1)).hasText(alsoHostile);
        watched.waitForMap();
        watched.clickMap(0.5, 0.5);
        assertThat(watched.find("#forecast-fans figcaption").first()).containsText(hostile);
        watched.page().evaluate("() => { location.hash = encodeURIComponent('<img src=x onerror=window.broken=3>'); }");
        assertThat(watched.find("main img, main script, select script")).hasCount(0);
        assertThat(watched.page().evaluate("() => window.broken === undefined")).isEqualTo(true);
    }

    @Test
    void ofThreeCoordinatesTwoAreChosen() {
        Streams.learnCircle(server, "three", List.of("east", "north", "up"));
        choose("three");
        watched.waitForMap();
        assertThat(watched.find("#map-axes")).isVisible();
        watched.find("#map-y").selectOption("2");
        assertThat(watched.find("#map")).hasAttribute("aria-label", Pattern.compile(".*over east and up"));
        watched.find("#map-x").selectOption("2"); // the other axis makes way
        assertThat(watched.find("#map")).hasAttribute("aria-label", Pattern.compile(".*over up and east"));
    }

    @Test
    void ofOneCoordinateTheEigenfunctionIsACurve() {
        Streams.learnCircle(server, "one", List.of("height"));
        choose("one");
        watched.waitForMap();
        assertThat(watched.find("#map")).hasAttribute("aria-label", Pattern.compile(".*over height"));
        watched.clickMap(0.5, 0.5);
        assertThat(watched.find("#forecast-fans figure")).hasCount(1);
        assertThat(watched.announced()).containsText("Forecast of 50 steps: height");
    }

    @Test
    void aChangeOfTheDynamicsIsMarked() {
        NoisyRotation before = new NoisyRotation();
        NoisyRotation after = new NoisyRotation(0.95, 0.8, 0.2);
        var model = Streams.create(server, "drifting", before, "gaussian(0.8)");
        Streams.learn(model, before, 40, 1000);
        Streams.learn(model, after, 15, 1000);
        choose("drifting");
        assertThat(watched.find("#drift li").first()).containsText("Drift detected at pair");
        assertThat(watched.find("#strip-error text.drift").first()).isVisible();
        watched.find("#plane .marker").nth(0).click(); // the eigenvalue 1 has a real eigenfunction
        assertThat(watched.find("#map-part-label")).isHidden();
        watched.find("#plane .marker").nth(1).click(); // a complex pair: real part, modulus or phase
        assertThat(watched.find("#map-part-label")).isVisible();
        watched.find("#map-part").selectOption("phase");
    }

    @Test
    void aLastingChangeIsToldInASentence() {
        LiveModel pump = server.models()
                .create(
                        "shifting",
                        ModelSettings.of(Map.of("kernel", "gaussian(2)", "onDrift", "ignore"), List.of("pressure")));
        SplittableRandom random = new SplittableRandom(77);
        double[][] rows = new double[5_000][1];
        double x = 0;
        for (int i = 0; i < rows.length; i++) {
            x = 0.7 * x + random.nextGaussian();
            rows[i][0] = i < 4_000 ? x : x + 3;
        }
        pump.submit(Batch.states(rows, true)).join();
        pump.viewAfter(rows.length).join();
        choose("shifting");
        assertThat(watched.find("#drift li").first())
                .containsText(Pattern.compile("Level shift: the level of pressure shifted up.* since about row [34],"));
        assertThat(watched.find("#strip-error text.drift").first()).isVisible();
    }

    @Test
    void aSpikeIsAnAlarmUnderTheTrajectory() {
        NoisyRotation system = new NoisyRotation();
        LiveModel pump = server.models()
                .create(
                        "pump",
                        ModelSettings.of(Map.of("kernel", "gaussian(0.8)", "scores", "true"), List.of("x", "y")));
        double[][] rows = system.trajectory(1, 3_000, 1);
        rows[rows.length - 50] = new double[] {9, -9};
        pump.submit(Batch.states(rows, true)).join();
        pump.viewAfter(rows.length).join();
        choose("pump");
        assertThat(watched.find("#unusual")).isVisible();
        assertThat(watched.find("#strip-rows path.band")).isVisible();
        assertThat(watched.find("#strip-rows circle.alarm").first()).isVisible();
        assertThat(watched.find("#strip-score text.drift").first()).hasText("alarm");
        assertThat(watched.find("#unusual-now")).containsText("last alarm at row 2,95");
        choose("demo-fourwell");
        assertThat(watched.find("#unusual")).isHidden();
    }

    @Test
    void darkOrLightAsTheSystemSaysOrTheReader() {
        reopen(new Browser.NewContextOptions().setColorScheme(ColorScheme.DARK));
        assertThat(luminance()).isLessThan(0.1);
        assertThat(watched.find("#theme-toggle")).hasAttribute("aria-pressed", "true");
        watched.find("#theme-toggle").click();
        assertThat(luminance()).isGreaterThan(0.8);
        watched.page().reload();
        assertThat(luminance()).isGreaterThan(0.8);
        assertThat(watched.find("#theme-toggle")).hasAttribute("aria-pressed", "false");
    }

    /** Of the page's background, 0 black to 1 white. */
    private double luminance() {
        Object value = watched.page()
                .evaluate("() => getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g)"
                        + ".slice(0, 3).reduce((sum, part) => sum + Number(part) / 765, 0)");
        return ((Number) value).doubleValue();
    }

    @Test
    void fitsAPhoneAndRespectsTheWishForStillness() {
        reopen(new Browser.NewContextOptions().setViewportSize(360, 740).setReducedMotion(ReducedMotion.REDUCE));
        watched.waitForMap();
        assertThat(watched.page().evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        assertThat(watched.find("#plane .marker").first()).hasCSS("transition-duration", "0s");
        watched.clickMap(0.4, 0.4);
        assertThat(watched.find("#forecast-fans figure")).hasCount(2);
    }

    @Test
    void isAccessibleInLightAndDarkWithADialogAndWithoutAModel() {
        watched.waitForMap();
        watched.clickMap(0.3, 0.3);
        assertThat(watched.find("#forecast-fans figure")).hasCount(2);
        assertThat(Accessibility.violations(watched.page())).isEmpty();
        watched.find("#theme-toggle").click();
        assertThat(Accessibility.violations(watched.page())).isEmpty();
        watched.find("#new-model").click();
        watched.page().getByLabel("I choose").check();
        assertThat(Accessibility.violations(watched.page())).isEmpty();
    }
}
