package io.koopstream.server.feed;

import io.koopstream.io.samples.SampleReader;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import java.util.List;
import java.util.Map;

/**
 * The model that a source feeds; created with chosen settings when the first row shows what its coordinates are called, unless it exists.
 *
 * @param models where it is
 * @param name what it is called
 */
record FeedTarget(LiveModels models, String name) {

    LiveModel modelFor(SampleReader reader) {
        List<String> names = reader.names();
        Map<String, String> words = reader.timeStyle()
                .map(style -> Map.of("timeStyle", style.text()))
                .orElse(Map.of());
        return models.find(name).orElseGet(() -> models.create(name, ModelSettings.of(words, names)));
    }
}
