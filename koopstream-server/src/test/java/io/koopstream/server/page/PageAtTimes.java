package io.koopstream.server.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.feed.Feed;
import io.koopstream.server.feed.SimulatorFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The page 5, 30 and 90 seconds after it is opened on a new demo, light and dark, on a desktop and on a phone: twelve pictures to look at. Run with
 * {@code lab/run pictures}.
 */
final class PageAtTimes {

    private static final List<Integer> SECONDS = List.of(5, 30, 90);

    private PageAtTimes() {}

    /** The argument is the folder for the pictures. */
    public static void main(String[] arguments) throws IOException {
        Path pictures = Files.createDirectories(Path.of(arguments[0]));
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            Path folder = Files.createTempDirectory("koop-pictures");
            try (SteeredBrowser steered = SteeredBrowser.start();
                    KoopServer server = KoopServer.start(ServerConfig.in(folder).withPort(0));
                    Feed feed = SimulatorFeed.start(server.models(), "fourwell", 1_000)) {
                System.out.println(feed.description());
                long start = System.nanoTime();
                Map<String, WatchedPage> pages = new LinkedHashMap<>();
                pages.put("desktop", open(steered.browser(), server, scheme, 1440, 900));
                pages.put("phone", open(steered.browser(), server, scheme, 390, 844));
                for (int seconds : SECONDS) {
                    double left = 1e3 * seconds - (System.nanoTime() - start) / 1e6;
                    pages.get("phone").page().waitForTimeout(Math.max(0, left));
                    for (Map.Entry<String, WatchedPage> one : pages.entrySet()) {
                        String name = one.getKey() + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + "-"
                                + seconds + "s.png";
                        one.getValue()
                                .page()
                                .screenshot(new Page.ScreenshotOptions()
                                        .setFullPage(true)
                                        .setPath(pictures.resolve(name)));
                        System.out.println(name + ", " + one.getValue().complaints());
                    }
                }
                pages.values().forEach(WatchedPage::close);
            } finally {
                LivePagePictures.delete(folder);
            }
        }
    }

    private static WatchedPage open(Browser browser, KoopServer server, ColorScheme scheme, int width, int height) {
        return WatchedPage.open(
                browser,
                server,
                "demo-fourwell",
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme));
    }
}
