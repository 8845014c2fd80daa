package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A model of four wells, learned once for the tests of a class with the real commands. */
abstract class LearnedWells {

    @TempDir
    static Path folder;

    static Path model;

    static Path data;

    @BeforeAll
    static void learnOnce() {
        data = folder.resolve("wells.csv");
        model = folder.resolve("wells.safetensors");
        succeed("simulate", "fourwell", "--trajectories", 200, "--steps", 100, "--seed", 4, "-o", data);
        succeed("learn", data, "-o", model, "--kernel", "0.4*gaussian(0.4)+0.6*gaussian(0.7)");
    }

    static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(Arrays.toString(arguments) + ": " + run.err()).isEqualTo(Exit.OK);
        return run;
    }

    static double number(String json, String key) {
        Matcher matcher = Pattern.compile("\"" + key + "\":(-?[0-9.eE-]+)").matcher(json);
        assertThat(matcher.find()).as(key + " in " + json).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    static String digest(Path file) {
        return succeed("info", file, "--json").out().replaceAll("(?s).*\"digest\":\"([0-9a-f]+)\".*", "$1");
    }
}
