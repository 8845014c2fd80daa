package io.koopstream.cli.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Folders that commands fill, without destroying what others put there. */
public final class OutputFolder {

    private OutputFolder() {}

    /**
     * Makes the folder, or accepts one that is empty or was filled by the same command before.
     *
     * @param marker a file that the command always leaves in its folder
     */
    public static void prepare(Path folder, String marker, boolean force) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw CommandFailure.file(folder + ": is a file, not a folder; name another with -o");
        }
        if (Files.isDirectory(folder) && !force && !Files.exists(folder.resolve(marker)) && !isEmpty(folder)) {
            throw CommandFailure.file(folder
                    + ": exists and holds other files; name another folder with -o, or add --force to write into it");
        }
        Files.createDirectories(folder);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }
}
