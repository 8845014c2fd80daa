package io.koopstream.architecture;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the sources of this build are. */
final class Repository {

    private Repository() {}

    /** The folder that holds the README, found from the module the tests run in. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("README.md"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("no README.md above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }
}
