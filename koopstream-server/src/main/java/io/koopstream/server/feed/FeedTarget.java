package io.koopstream.server.feed;

import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;

/**
 * The model that a source feeds; created with chosen settings when the first row shows what its coordinates are called, unless it exists.
 *
 * @param models where it is
 * @param name what it is called
 * @param columns what was said about the columns of the source
 */
public record FeedTarget(LiveModels models, String name, ColumnOptions columns) {

    private static final Logger LOG = System.getLogger(FeedTarget.class.getName());

    /** Reads rows; of a model that exists its own columns, in its order, if the source has them all. */
    SampleReader open(InputStream in, String source) throws IOException {
        // A source can wait: its rows are not lost meanwhile.
        models.awaitOpened(name);
        List<String> known =
                models.find(name).map(model -> model.settings().names()).orElse(List.of());
        SampleReader reader = SampleReaders.open(in, source, columns.preferring(known));
        reader.notes().forEach(note -> LOG.log(Level.INFO, source + ": " + note));
        return reader;
    }

    LiveModel modelFor(SampleReader reader) {
        List<String> names = reader.names();
        Map<String, String> words = reader.timeStyle()
                .map(style -> Map.of("timeStyle", style.text()))
                .orElse(Map.of());
        return models.find(name).orElseGet(() -> models.create(name, ModelSettings.of(words, names)));
    }
}
