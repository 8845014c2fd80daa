package io.koopstream.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Programs outside Java that tests run. One that is missing is installed where that is possible (Debian and its kin, as root); where it
 * is not, the test fails and says what to install. A test is never skipped for want of a program: it would look as if it had passed.
 */
public final class Programs {

    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private Programs() {}

    /** Makes sure that {@code python3} can import numpy. */
    public static void requirePython() {
        if (!importsNumpy()) {
            install("python3-numpy");
            if (!importsNumpy()) {
                throw missing("python3 with numpy", "python3-numpy");
            }
        }
    }

    private static boolean importsNumpy() {
        return imports("python3", "numpy");
    }

    private static boolean imports(String python, String modules) {
        return run(List.of(python, "-c", "import " + modules), 120);
    }

    /** A Python that can import scikit-learn, pandas and matplotlib: the one on the path, else Debian's own, for which they are installed. */
    public static String pythonWithSklearn() {
        String modules = "numpy, sklearn, pandas, matplotlib";
        List<String> pythons = List.of("python3", "/usr/bin/python3");
        Optional<String> found =
                pythons.stream().filter(python -> imports(python, modules)).findFirst();
        if (found.isEmpty()) {
            List.of("python3-sklearn", "python3-pandas", "python3-matplotlib").forEach(Programs::install);
            found = pythons.stream().filter(python -> imports(python, modules)).findFirst();
        }
        return found.orElseThrow(() -> missing(
                "python3 with scikit-learn, pandas and matplotlib",
                "python3-sklearn python3-pandas python3-matplotlib"));
    }

    /** A Chromium browser: the one that the environment variable {@code KOOP_CHROMIUM} names, else one on the path. */
    public static Path chromium() {
        String told = System.getenv("KOOP_CHROMIUM");
        if (told != null && !told.isBlank()) {
            if (!Files.isExecutable(Path.of(told))) {
                throw new AssertionError("KOOP_CHROMIUM = " + told + ": there is no program there");
            }
            return Path.of(told);
        }
        return onPath(BROWSERS)
                .or(() -> {
                    install("chromium");
                    return onPath(BROWSERS);
                })
                .orElseThrow(() -> missing("a Chromium browser", "chromium"));
    }

    private static Optional<Path> onPath(List<String> names) {
        String path = System.getenv().getOrDefault("PATH", "");
        return names.stream()
                .flatMap(name -> Arrays.stream(path.split(":", -1))
                        .filter(folder -> !folder.isEmpty())
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Tries to; whether it worked is seen by looking for the program again. */
    private static void install(String debianPackage) {
        if (onPath(List.of("apt-get")).isEmpty() || !"root".equals(System.getProperty("user.name"))) {
            return;
        }
        System.err.println("tests: installing the Debian package " + debianPackage);
        List<String> command = List.of("apt-get", "install", "-y", "-q", "--no-install-recommends", debianPackage);
        if (!run(command, 600)) {
            // The lists of packages may be missing, or older than the packages.
            run(List.of("apt-get", "update", "-q"), 300);
            run(command, 600);
        }
    }

    private static AssertionError missing(String what, String debianPackage) {
        return new AssertionError("this test needs " + what
                + ", which is not here and could not be installed; install it (Debian: sudo apt-get install "
                + debianPackage + ") and run again");
    }

    /** Whether the command ran and ended well. */
    private static boolean run(List<String> command, int seconds) {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            if (process.waitFor(seconds, TimeUnit.SECONDS)) {
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
