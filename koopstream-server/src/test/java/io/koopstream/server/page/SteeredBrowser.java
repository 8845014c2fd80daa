package io.koopstream.server.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import io.koopstream.testkit.Program;
import java.nio.file.Path;
import java.util.Map;

/** The Chromium of this machine with the driver that steers it. */
record SteeredBrowser(Playwright playwright, Browser browser) implements AutoCloseable {

    static SteeredBrowser start() {
        Path chromium = Path.of(Program.CHROMIUM.command());
        // The browser is the one of the machine: the driver must not fetch another.
        Map<String, String> environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        try {
            BrowserType.LaunchOptions options = new BrowserType.LaunchOptions().setExecutablePath(chromium);
            return new SteeredBrowser(playwright, playwright.chromium().launch(options));
        } catch (RuntimeException e) {
            playwright.close();
            throw e;
        }
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
