package io.koopstream.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import io.koopstream.server.KoopServer;
import io.koopstream.server.LostBatch;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an open page does when the server goes and comes. */
@Needs(Program.CHROMIUM)
@ExtendWith(BrowserForTests.class)
class ReconnectTest {

    @TempDir
    private Path folder;

    @Test
    void comesBackByItselfWithEverythingThatWasLearned(Browser browser) {
        ServerConfig config = ServerConfig.in(folder).withPort(0);
        KoopServer first = KoopServer.start(config);
        int port = first.port();
        ServerConfig again = config.withPort(port);
        Streams.learnCircle(first, "walk", List.of("a", "b"));
        try (WatchedPage page = WatchedPage.open(browser, first, "walk")) {
            assertThat(page.find("#connection-text")).containsText("live");
            page.waitForMap();
            long learned = page.number("#n-samples");
            assertThat(learned).isPositive();
            first.close();
            assertThat(page.find("#connection-text")).containsText("next try in");
            assertThat(page.announced()).containsText("connection lost");
            try (KoopServer second = KoopServer.start(again)) {
                assertThat(page.find("#connection-text")).containsText("live");
                assertThat(page.number("#n-samples")).isEqualTo(learned);
                page.clickMap(0.5, 0.5);
                assertThat(page.find("#forecast-fans figure")).hasCount(2);
                assertThat(second.port()).isEqualTo(port);
            }
            assertThat(page.find("#connection-text")).containsText("next try in");
            // With another token the page may not come back, and says what to do.
            try (KoopServer third = KoopServer.start(again.withToken(AccessToken.of("another-token-0123456789")))) {
                assertThat(page.find("#connection-text")).containsText("open the address that the server printed");
                assertThat(third.port()).isEqualTo(port);
            }
            assertThat(page.complaints())
                    .allMatch(
                            text -> text.contains("Failed to load resource") || text.contains("net::ERR_"),
                            "nothing but requests that did not reach the server");
            assertThat(page.foreignRequests()).isEmpty();
        }
    }

    @Test
    void followsAnotherModelWhenItsOwnIsDeletedAndTeachesWhenNoneIsLeft(Browser browser) {
        try (KoopServer server = KoopServer.start(ServerConfig.in(folder).withPort(0));
                WatchedPage page = WatchedPage.open(browser, server, "")) {
            assertThat(page.find("#teach-title")).hasText("No model yet");
            assertThat(page.find("#teach-commands code").first()).hasText("koop serve --demo fourwell");
            assertThat(Accessibility.violations(page.page())).isEmpty();
            Streams.learnCircle(server, "left", List.of("a", "b"));
            Streams.learnCircle(server, "right", List.of("a", "b"));
            assertThat(page.find("#connection-text")).containsText("live");
            page.find("#model-select").selectOption("left");
            assertThat(page.page()).hasTitle("left · Koopstream");
            server.models().delete("left");
            assertThat(page.page()).hasTitle("right · Koopstream");
            server.models().delete("right");
            assertThat(page.find("#teach-title")).hasText("No model yet");
        }
    }

    @Test
    void aLossIsToldAmongTheWarnings(Browser browser) throws IOException {
        LostBatch.in(folder);
        try (KoopServer server = KoopServer.start(ServerConfig.in(folder).withPort(0));
                WatchedPage page = WatchedPage.open(browser, server, "plant")) {
            assertThat(page.find("#warnings")).containsText(LostBatch.WORDS);
        }
    }
}
