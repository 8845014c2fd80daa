package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From logged transitions to a controller with the real command, and what it says when that cannot be. */
class ControlCommandTest {

    /** A mass on a line, pushed for 0.2 s: x and v, with the push as explicit pairs. */
    private static final String HEADER = "x,v,push,x_next,v_next\n";

    @TempDir
    Path folder;

    private Path pairs;

    @BeforeEach
    void writePairs() {
        StringBuilder rows = new StringBuilder(HEADER);
        var random = new java.util.SplittableRandom(3);
        for (int i = 0; i < 500; i++) {
            double x = 4 * random.nextDouble() - 2;
            double v = 4 * random.nextDouble() - 2;
            double push = 2 * random.nextDouble() - 1;
            double next = v + 0.2 * push;
            rows.append(x).append(',').append(v).append(',').append(push).append(',');
            rows.append(x + 0.2 * next).append(',').append(next).append('\n');
        }
        pairs = text("mass.csv", rows.toString());
    }

    private Path text(String name, String content) {
        try {
            return Files.writeString(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CommandRun learn(Path data, Object... more) {
        List<Object> words = new ArrayList<>(List.of(
                "control", "learn", data, "--actions", "push", "-o", folder.resolve("p.safetensors"), "--force"));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray());
    }

    private static void assertFails(CommandRun run, int code, String... words) {
        assertThat(run.err()).contains(words).doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }

    /** The lines of the help's example, joined where they go on, with its files in the test's folder. */
    @Test
    void theExampleOfTheHelpRunsAndSwingsThePendulumUp() {
        String help = CommandRun.of("control", "--help").out();
        String example = help.substring(help.indexOf("  koop control record")).replaceAll("\\\\\\R", " ");
        List<CommandRun> runs = new ArrayList<>();
        for (String line :
                example.lines().filter(l -> l.strip().startsWith("koop ")).toList()) {
            List<Object> words = new ArrayList<>();
            Matcher word =
                    Pattern.compile("'([^']*)'|(\\S+)").matcher(line.strip().substring(5));
            while (word.find()) {
                String found = word.group(1) != null ? word.group(1) : word.group(2);
                boolean isFile = found.startsWith("swing") && found.contains(".");
                words.add(isFile ? folder.resolve(found) : found);
            }
            if (line.contains("evaluate")) {
                words.add("--json");
            }
            runs.add(CommandRun.of(words.toArray()));
            assertThat(runs.get(runs.size() - 1).code())
                    .as(line + runs.get(runs.size() - 1).err())
                    .isZero();
        }
        assertThat(runs).hasSize(4);
        assertThat(folder.resolve("swing.png")).isNotEmptyFile();
        assertThat(runs.get(2).out()).contains("torque = ");
        Matcher median =
                Pattern.compile("\"median\":(-?[0-9.]+)").matcher(runs.get(3).out());
        assertThat(median.find()).isTrue();
        assertThat(Double.parseDouble(median.group(1))).isGreaterThan(-160);
    }

    @Test
    void explicitPairsAndAGoalGiveAControllerThatBrakes() throws IOException {
        Path table = folder.resolve("t.csv");
        Path plot = folder.resolve("p.svg");
        CommandRun run = learn(
                pairs, "--goal", "0,0", "--weights", "1,0.2", "--discount", "0.95", "--table", table, "--plot", plot);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("500 transitions", "cost: 1.0*(x - (0.0))^2");
        assertThat(Files.readAllLines(table).get(0)).isEqualTo("x,v,value,push");
        assertThat(Files.readString(plot)).contains("<svg");
        assertThat(push("1,1")).isLessThan(-0.5);
        assertThat(push("-1,-1")).isGreaterThan(0.5);
        Path states = text("states.csv", "x,v\n1,1\n-1,-1\n");
        CommandRun many = CommandRun.of("control", "decide", folder.resolve("p.safetensors"), "--states", states);
        assertThat(many.out().lines().toList()).hasSize(3).startsWith("push,value,known");
        String[] cells = many.out().lines().toList().get(1).split(",", -1);
        assertThat(Double.parseDouble(cells[0])).isEqualTo(push("1,1"));
        assertThat(Double.parseDouble(cells[2])).isBetween(0.9, 1.0);
    }

    @Test
    void aHorizonKeepsItsBoundsAndFollowsTheReferenceOfADecision() {
        CommandRun run = learn(
                pairs,
                "--goal",
                "0,0",
                "--weights",
                "1,0",
                "--bounds",
                "-1:1",
                "--mpc",
                "15",
                "--state-bounds",
                "v=-0.5:0.5");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("500 transitions", "quadratic programs");
        // The mass itself, driven from 1 to the goal: full speed is 0.5, so it takes 2 s, ten steps, and no more than
        // some to brake.
        double x = 1;
        double v = 0;
        String plan = null;
        for (int k = 0; k < 30; k++) {
            List<Object> words = new ArrayList<>(
                    List.of("control", "decide", folder.resolve("p.safetensors"), "--at=" + x + "," + v, "--json"));
            if (plan != null) {
                words.add("--plan=" + plan);
            }
            CommandRun decision = CommandRun.of(words.toArray());
            assertThat(decision.code()).as(decision.err()).isZero();
            v += 0.2 * numbers(decision.out(), "action")[0];
            x += 0.2 * v;
            assertThat(Math.abs(v)).isLessThan(0.52);
            plan = decision.out()
                    .replaceAll("(?s).*\"plan\":\\s*\\[\\[|\\]\\s*\\].*", "")
                    .replaceAll("\\]\\s*,\\s*\\[", ";");
        }
        assertThat(Math.abs(x)).isLessThan(0.02);
        CommandRun elsewhere = CommandRun.of(
                "control", "decide", folder.resolve("p.safetensors"), "--at=0,0", "--reference=1,0", "--json");
        assertThat(numbers(elsewhere.out(), "action")[0]).isGreaterThan(0.5);
        assertFails(
                CommandRun.of("control", "decide", folder.resolve("p.safetensors"), "--at=0,0", "--reference=1"),
                Exit.BAD_DATA,
                "--reference");
        assertFails(learn(pairs, "--cost", "x^2", "--mpc", "5"), Exit.WRONG_USAGE, "--goal");
        assertFails(learn(pairs, "--goal", "0,0", "--hold", "2"), Exit.WRONG_USAGE, "--mpc");
        assertFails(
                learn(pairs, "--goal", "0,0", "--mpc", "5", "--state-bounds", "w=0:1"),
                Exit.BAD_DATA,
                "no state column 'w'",
                "x, v");
        assertFails(learn(pairs, "--goal", "0,0", "--mpc", "5", "--state-bounds", "v"), Exit.WRONG_USAGE, "NAME=L:H");
        assertThat(learn(pairs, "--goal", "0,0").code()).isZero();
        assertFails(
                CommandRun.of("control", "decide", folder.resolve("p.safetensors"), "--at=0,0", "--reference=1,0"),
                Exit.BAD_DATA,
                "takes no reference");
    }

    private static double[] numbers(String json, String key) {
        Matcher found = Pattern.compile("\"" + key + "\":\\s*\\[([^\\]]*)\\]").matcher(json);
        assertThat(found.find()).as(json).isTrue();
        return java.util.Arrays.stream(found.group(1).split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Test
    void whatIsHardlyKnownHasNoAction() throws IOException {
        assertThat(learn(pairs, "--goal", "0,0").code()).isZero();
        Path policy = folder.resolve("p.safetensors");
        CommandRun refused = CommandRun.of("control", "decide", policy, "--at", "90,1");
        assertFails(refused, Exit.BAD_DATA, "--at 90,1", "is known", "--anyway");
        assertThat(CommandRun.of("control", "decide", policy, "--at", "90,1", "--anyway")
                        .out())
                .contains("push = ", "known 0.00");
        Path states = text("far.csv", "x,v\n0.5,0.5\n90,1\n");
        List<String> rows = CommandRun.of("control", "decide", policy, "--states", states)
                .out()
                .lines()
                .toList();
        assertThat(rows.get(2)).startsWith("NaN,NaN,");
        assertThat(rows.get(1)).doesNotContain("NaN");
    }

    private double push(String at) {
        CommandRun run = CommandRun.of("control", "decide", folder.resolve("p.safetensors"), "--at", at, "--json");
        Matcher action = Pattern.compile("\"action\":\\[(-?[0-9.E-]+)]").matcher(run.out());
        assertThat(action.find()).as(run.out() + run.err()).isTrue();
        return Double.parseDouble(action.group(1));
    }

    @Test
    void trajectoriesWithActionColumnsAndArraysAreRead() throws IOException {
        Path rows = folder.resolve("pendulum.csv");
        assertThat(CommandRun.of("control", "record", "Pendulum-v1", "--transitions", "250", "-o", rows)
                        .code())
                .isZero();
        // Two episodes, 250 transitions, and one row more for the last state of each.
        assertThat(Files.readAllLines(rows)).hasSize(1 + 252);
        CommandRun run = CommandRun.of(
                "control",
                "learn",
                rows,
                "--actions",
                "torque",
                "-o",
                folder.resolve("q.safetensors"),
                "--goal",
                "1,0,0",
                "--json",
                "--discount",
                "0.9",
                "--max-dictionary",
                "60");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"transitions\":250");
        assertThat(run.err()).contains("full at 60");
        Path array = folder.resolve("a.npy");
        try (var writer = new io.koopstream.io.NpyWriter(array, io.koopstream.io.NpyWriter.Kind.REAL, 2)) {
            for (int i = 0; i < 80; i++) {
                writer.write(Math.sin(0.3 * i), Math.cos(0.7 * i));
            }
            writer.commit();
        }
        CommandRun arrays = CommandRun.of(
                "control",
                "learn",
                array,
                "--actions",
                "x2",
                "-o",
                folder.resolve("r.safetensors"),
                "--cost",
                "x1^2",
                "--discount",
                "0.5");
        assertThat(arrays.code()).as(arrays.err()).isZero();
        assertThat(arrays.out()).contains("79 transitions");
    }

    @Test
    void badSettingsGetOneLineAndTheRightCode() {
        assertFails(learn(pairs), Exit.WRONG_USAGE, "--cost", "--goal");
        assertFails(learn(pairs, "--cost", "x^2", "--goal", "0,0"), Exit.WRONG_USAGE, "either");
        assertFails(learn(pairs, "--cost", "x^2", "--discount", "1"), Exit.BAD_DATA, "discount", "[0, 1)");
        assertFails(learn(pairs, "--cost", "log(x-10)"), Exit.BAD_DATA, "cost", "NaN");
        assertFails(learn(pairs, "--cost", "speed^2"), Exit.BAD_DATA, "speed", "x, v, push");
        assertFails(learn(pairs, "--cost", "x^2", "--grid", "0"), Exit.BAD_DATA, "action set is empty");
        assertFails(learn(pairs, "--cost", "x^2", "--bounds", "1:1"), Exit.BAD_DATA, "lower end below");
        assertFails(
                learn(pairs, "--cost", "x^2", "--max-sweeps", "3"),
                Exit.BAD_DATA,
                "residual",
                "best so far after 3 sweeps",
                "values from");
        assertFails(learn(pairs, "--goal", "0"), Exit.BAD_DATA, "goal", "x, v");
        assertFails(learn(pairs, "--cost", "x^2", "--prediction", "magic"), Exit.WRONG_USAGE, "embedding");
        assertThat(folder.resolve("p.safetensors")).doesNotExist();
    }

    @Test
    void badDataGetOneLineAndTheRightCode() {
        assertFails(learn(folder.resolve("none.csv"), "--cost", "1"), Exit.IO_ERROR, "none.csv");
        assertFails(learn(text("one.csv", "x,push\n1,2\n"), "--cost", "1"), Exit.BAD_DATA, "transitions");
        assertFails(
                learn(text("same.csv", "x,push\n1,2\n2,2\n3,2\n"), "--cost", "1"),
                Exit.BAD_DATA,
                "action set is empty",
                "--bounds");
        assertFails(learn(text("other.csv", "x,force\n1,2\n2,2\n"), "--cost", "1"), Exit.BAD_DATA, "push", "x, force");
        assertFails(learn(text("gap.csv", HEADER + "1,1,0,,1\n"), "--cost", "1"), Exit.BAD_DATA, "gap.csv");
        assertFails(
                learn(text("half.csv", "x,v,push,x_next\n1,1,0,1\n"), "--cost", "1"),
                Exit.BAD_DATA,
                "v_next",
                "missing");
    }

    @Test
    void policiesAreCheckedBeforeUse() {
        assertThat(learn(pairs, "--cost", "x^2", "--discount", "0.5").code()).isZero();
        Path policy = folder.resolve("p.safetensors");
        assertFails(CommandRun.of("control", "decide", policy, "--at", "1"), Exit.BAD_DATA, "1 numbers, expected 2");
        assertFails(CommandRun.of("control", "decide", policy), Exit.WRONG_USAGE, "--at");
        assertFails(
                CommandRun.of("control", "evaluate", policy, "--environment", "Pendulum-v1"),
                Exit.BAD_DATA,
                "cos_theta",
                "push");
        assertFails(
                CommandRun.of("control", "evaluate", policy, "--environment", "Pendulum"),
                Exit.BAD_DATA,
                "needs a version");
        assertFails(CommandRun.of("control", "decide", pairs, "--at", "1,1"), Exit.BAD_DATA, "koopstream-policy");
        assertFails(CommandRun.of("control"), Exit.WRONG_USAGE, "record, learn, decide");
        assertThat(CommandRun.of("control", "record", "--list").out()).contains("CartPoleSwingUp-v1");
    }
}
