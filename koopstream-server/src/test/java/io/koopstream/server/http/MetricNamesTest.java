package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.http.live.Webhook;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the documents say can be watched is what is served, name by name. */
class MetricNamesTest {

    private static final Pattern NAME = Pattern.compile("koopstream_[a-z_]+");

    @Test
    void documentsNameWhatIsServed() throws Exception {
        Set<String> documented = new TreeSet<>();
        for (String page : new String[] {"server.md", "scores.md"}) {
            documented.addAll(names("`(" + NAME + ")`", Files.readString(Path.of("..", "docs", page))));
        }
        Webhook.Target nowhere = new Webhook.Target(URI.create("http://127.0.0.1:9/alarms"));
        try (RunningServer server = RunningServer.start(config -> config.withWebhook(nowhere))) {
            server.post("/models", "{\"name\":\"m\",\"settings\":{\"kernel\":\"gaussian(0.5)\",\"scores\":true}}")
                    .is(201);
            server.get("/metrics").is(200);
            String served = server.get("/metrics").is(200).body();
            assertThat(names("(?m)^(" + NAME + ")[ {]", served)).isEqualTo(documented);
        }
    }

    private static Set<String> names(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
