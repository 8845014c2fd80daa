package io.koopstream.cli.shell;

import io.koopstream.io.samples.TableWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Options about what is written, shared by the commands. */
public final class Output extends JsonOption {

    @Option(names = "--force", description = "overwrite existing files")
    private boolean force;

    /** Whether files that exist may be replaced. */
    public boolean force() {
        return force;
    }

    /** Refuses, before any work is done, to write over a file unless told to. Null and "-" are no files. */
    public void requireFree(Path file) {
        if (file == null || isStandard(file) || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw CommandFailure.file(file + ": is a folder, expected the name of a file");
        }
        if (!force) {
            throw CommandFailure.file(file + ": exists; name another file, or add --force to replace it");
        }
    }

    /** Whether the name stands for standard input or output. */
    public static boolean isStandard(Path file) {
        return file.toString().equals("-");
    }

    /** Whether the file has this ending, in upper or lower case. */
    public static boolean endsWith(Path file, String ending) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(ending);
    }

    /** A table in a file, or on standard output for no file and "-"; see {@link TableWriter#open}. */
    public static TableWriter table(Console console, Path file, List<String> names, int whole) throws IOException {
        return table(console, file, List.of(), names, whole);
    }

    /** The same with texts before the numbers. */
    public static TableWriter table(Console console, Path file, List<String> texts, List<String> names, int whole)
            throws IOException {
        return file == null || isStandard(file)
                ? TableWriter.to(console.out(), texts, names, whole)
                : TableWriter.open(file, texts, names, whole);
    }

    /** Refuses a number of things that is none. */
    public static void requireAtLeastOne(String option, long value) {
        if (value < 1) {
            throw CommandFailure.data(option + " " + value + ": must be at least 1");
        }
    }

    /** Refuses a picture in a format that cannot be drawn. */
    public void requirePicture(Path file) {
        requireFree(file);
        if (file != null && !endsWith(file, ".png") && !endsWith(file, ".svg")) {
            throw CommandFailure.usage("--plot " + file + ": expected a name that ends with .png or .svg");
        }
    }
}
