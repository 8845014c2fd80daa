package io.koopstream.server;

import io.koopstream.io.Storage;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.DataFolder;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** A folder whose model {@code plant} has lost one acknowledged batch of five, with an operator's word. */
public final class LostBatch {

    public static final String WORDS = "1 acknowledged batches are lost";

    private LostBatch() {}

    public static void in(Path data) throws IOException {
        try (KoopServer first = KoopServer.start(ServerConfig.in(data).withPort(0))) {
            LiveModel model = first.models().create("plant", ModelSettings.of(Map.of("kernel", "gaussian(1)")));
            for (int i = 0; i < 5; i++) {
                model.submit(Batch.states(new double[][] {{i}, {i + 1}}, true)).join();
            }
        }
        Files.deleteIfExists(data.resolve("plant.snapshot.0000000000000000005"));
        Path log = data.resolve("plant.log.0000000000000000001");
        Files.write(log, Arrays.copyOf(Files.readAllBytes(log), (int) Files.size(log) - 1));
        new DataFolder(Storage.DISK, data).repair("plant");
    }
}
