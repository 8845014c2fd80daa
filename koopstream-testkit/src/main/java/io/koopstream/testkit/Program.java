package io.koopstream.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program outside Java that some tests need. They say so with {@link Needs}. */
public enum Program {
    /** The one that the environment variable {@code KOOP_CHROMIUM} names, else one on the path or in its usual place. */
    CHROMIUM("Chromium", "chromium"),
    /** Sends requests. */
    CURL("curl", "curl"),
    /** A shell with the usual programs around it, {@code env} and {@code kill} among them. */
    BASH("bash", "bash"),
    /** {@code python3} with numpy. */
    PYTHON("python3 with numpy", "python3-numpy"),
    /** {@code python3} with what {@code koopstream.Koopman} works with. */
    SKLEARN("python3 with scikit-learn, pandas and matplotlib", "python3-sklearn python3-pandas python3-matplotlib");

    private static final Map<Program, Optional<String>> FOUND = new ConcurrentHashMap<>();

    private final String title;
    private final String packages;

    Program(String title, String packages) {
        this.title = title;
        this.packages = packages;
    }

    /** The command that starts it, looked for once; empty when it is not on this machine. */
    public Optional<String> find() {
        return FOUND.computeIfAbsent(this, Program::search);
    }

    private Optional<String> search() {
        return switch (this) {
            case CHROMIUM -> chromium();
            case CURL -> onPath("curl");
            case BASH -> onPath("bash").filter(bash -> onPath("env").isPresent());
            case PYTHON -> importing("numpy");
            case SKLEARN -> importing("numpy, sklearn, pandas, matplotlib");
        };
    }

    /** The command that starts it, for a test that {@linkplain Needs needs} it. */
    public String command() {
        return find().orElseThrow(() -> new AssertionError(missing()));
    }

    /** That it is missing, and how to get it. */
    String missing() {
        return title + " is missing; Debian: apt-get install " + packages;
    }

    private static Optional<String> chromium() {
        String told = System.getenv("KOOP_CHROMIUM");
        if (told != null && !told.isBlank()) {
            if (!Files.isExecutable(Path.of(told))) {
                throw new AssertionError("KOOP_CHROMIUM = " + told + ": there is no program there");
            }
            return Optional.of(told);
        }
        return Stream.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
                .flatMap(name -> onPath(name).stream())
                .findFirst()
                .or(() -> Stream.of(
                                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                                "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe")
                        .filter(place -> Files.isExecutable(Path.of(place)))
                        .findFirst());
    }

    private static Optional<String> onPath(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> Stream.of(Path.of(folder, name), Path.of(folder, name + ".exe")))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** The Python on the path, else that of the system, when it can import the modules. */
    private static Optional<String> importing(String modules) {
        return Stream.of("python3", "/usr/bin/python3")
                .filter(python -> runs(python, "-c", "import " + modules))
                .findFirst();
    }

    private static boolean runs(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (process.waitFor(5, TimeUnit.MINUTES)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
