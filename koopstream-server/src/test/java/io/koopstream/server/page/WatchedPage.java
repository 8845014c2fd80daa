package io.koopstream.server.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.koopstream.server.KoopServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The live page in a browser window of its own, and everything that went wrong in it. */
final class WatchedPage implements AutoCloseable {

    private final BrowserContext context;
    private final Page page;
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final List<String> foreign = Collections.synchronizedList(new ArrayList<>());

    private WatchedPage(BrowserContext context, int port) {
        this.context = context;
        this.page = context.newPage();
        page.setDefaultTimeout(300_000);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.type() + ": " + message.text());
            }
        });
        page.onPageError(error -> complaints.add("uncaught: " + error));
        page.onRequest(request -> {
            URI target = URI.create(request.url());
            if (!"127.0.0.1".equals(target.getHost()) || target.getPort() != port) {
                foreign.add(request.url());
            }
        });
    }

    /** Opens the page as its owner does, with the address that the server gives at its start, at a model. */
    static WatchedPage open(Browser browser, KoopServer server, String model) {
        return open(browser, server, model, new Browser.NewContextOptions().setViewportSize(1600, 1000));
    }

    static WatchedPage open(Browser browser, KoopServer server, String model, Browser.NewContextOptions options) {
        WatchedPage watched = new WatchedPage(browser.newContext(options), server.port());
        watched.page.navigate(server.pageUrl() + "#" + model);
        return watched;
    }

    Page page() {
        return page;
    }

    Locator find(String selector) {
        return page.locator(selector);
    }

    /** What a screen reader is told. */
    Locator announced() {
        return page.locator("#announce");
    }

    /** A whole number shown with separators. */
    long number(String selector) {
        return Long.parseLong(page.locator(selector).textContent().replace(",", ""));
    }

    /** Waits until a condition in the page holds. */
    void waitFor(String javascript) {
        page.waitForFunction(javascript);
    }

    /** Waits until the map is drawn. */
    void waitForMap() {
        waitFor("() => document.querySelector('#map').getAttribute('aria-label') !== 'Map of the state space'");
    }

    /** Clicks the map at a part of its width and height. */
    void clickMap(double right, double down) {
        BoundingBox box = page.locator("#map").boundingBox();
        page.locator("#map").click(new Locator.ClickOptions().setPosition(right * box.width, down * box.height));
    }

    /** Console errors, console warnings and uncaught exceptions. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Forgets a complaint that has to be there: browsers report what a server refuses. */
    void excuse(String part) {
        if (!complaints.removeIf(complaint -> complaint.contains(part))) {
            throw new AssertionError("nobody complained of " + part);
        }
    }

    /** Requests to anywhere but the server. */
    List<String> foreignRequests() {
        return List.copyOf(foreign);
    }

    @Override
    public void close() {
        context.close();
    }
}
