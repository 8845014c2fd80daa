package io.koopstream.server.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.feed.Feed;
import io.koopstream.server.feed.SimulatorFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes docs/images/live-page.png: the four wells while they are learned, as the page shows them. Run with {@code lab/run pictures}. */
final class LivePagePictures {

    /** Pairs learned at which a picture is taken, at the least. */
    private static final List<Integer> STAGES = List.of(1_000, 5_000, 20_000, 40_000);

    private static final int EACH = 1_300;
    private static final int LAST = 4_000;

    private LivePagePictures() {}

    /** The argument is the file to write. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("koop-pictures");
        PlaywrightAssertions.setDefaultAssertionTimeout(120_000);
        try (SteeredBrowser steered = SteeredBrowser.start();
                KoopServer server = KoopServer.start(ServerConfig.in(folder).withPort(0));
                Feed feed = SimulatorFeed.start(server.models(), "fourwell", 1_000);
                WatchedPage page = WatchedPage.open(
                        steered.browser(),
                        server,
                        "demo-fourwell",
                        new Browser.NewContextOptions().setViewportSize(1440, 1130))) {
            System.out.println(feed.description());
            Files.write(Path.of(arguments[0]), record(page));
        } finally {
            delete(folder);
        }
    }

    private static byte[] record(WatchedPage page) {
        page.page().setDefaultTimeout(300_000);
        List<byte[]> images = new ArrayList<>();
        List<Integer> times = new ArrayList<>();
        page.waitForMap();
        for (int stage : STAGES) {
            page.waitFor(
                    "() => Number(document.querySelector('#n-samples').textContent.replaceAll(',', '')) >= " + stage);
            images.add(page.page().screenshot());
            times.add(EACH);
            System.out.println("picture at " + page.number("#n-samples") + " pairs");
        }
        page.find("#map-what").selectOption("sets");
        // Not the forecast from the newest row, which is there already.
        page.page()
                .waitForResponse(
                        answer -> answer.url().contains("/forecast")
                                && String.valueOf(answer.request().postData()).contains("\"from\":["),
                        () -> page.clickMap(0.25, 0.4));
        page.page().waitForTimeout(1_000);
        PlaywrightAssertions.assertThat(page.find("#map")).hasAttribute("aria-label", Pattern.compile("Sets .*"));
        page.page().mouse().move(0, 0);
        images.add(page.page().screenshot());
        times.add(LAST);
        // What is shown where pictures do not move is the learned model, not the empty start.
        images.add(0, images.get(images.size() - 1));
        times.add(0, EACH);
        return AnimatedPng.of(images, times);
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
