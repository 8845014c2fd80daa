package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

    private static final String[] SMALL = {"--samples", "20000", "--seed", "3"};

    @TempDir
    Path folder;

    @Test
    void learnsTheSlowEigenvaluesAndLeavesPictures() throws IOException {
        Path pictures = folder.resolve("pictures");

        CommandRun run = CommandRun.of("demo", "-o", pictures, "--json", SMALL[0], SMALL[1], SMALL[2], SMALL[3]);

        assertThat(run.err()).contains("100%");
        assertThat(run.code()).isEqualTo(Exit.OK);
        assertThat(run.out()).startsWith("{\"system\":\"fourwell-v1\"").endsWith("}\n");
        double[] exact = {1, 0.99703, 0.99703, 0.99406, 0.71818, 0.71818};
        Matcher modulus = Pattern.compile("\"modulus\":([0-9.eE-]+)").matcher(run.out());
        for (int k = 0; k < exact.length; k++) {
            assertThat(modulus.find()).isTrue();
            assertThat(Double.parseDouble(modulus.group(1))).isCloseTo(exact[k], within(k < 4 ? 0.004 : 0.04));
        }
        for (String name : List.of("spectrum", "eigenfunctions", "sets", "learning", "forecast")) {
            assertThat(Files.readAllBytes(pictures.resolve(name + ".png")))
                    .as(name)
                    .hasSizeGreaterThan(5_000)
                    .startsWith(0x89, 'P', 'N', 'G');
            assertThat(pictures.resolve(name + ".svg"))
                    .isRegularFile()
                    .content()
                    .hasSizeGreaterThan(5_000)
                    .startsWith("<?xml");
            assertThat(run.out()).contains('"' + name + ".png\"", '"' + name + ".svg\"");
        }
        assertThat(pictures.resolve("demo.json")).hasContent(run.out());
    }

    @Test
    void writesOverItsOwnFolderButNotOverAnother() throws IOException {
        Path own = folder.resolve("own");
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.txt"), "years of work");

        assertThat(CommandRun.of("demo", "-o", own, "--samples", "2000").code()).isEqualTo(Exit.OK);
        CommandRun again = CommandRun.of("demo", "-o", own, "--samples", "2000");
        assertThat(again.code()).isEqualTo(Exit.OK);
        assertThat(again.out()).contains("exact").contains(own.toString()).contains("Try next");

        CommandRun refused = CommandRun.of("demo", "-o", foreign, "--samples", "2000");
        assertThat(refused.code()).isEqualTo(Exit.IO_ERROR);
        assertThat(refused.err()).contains("foreign").contains("--force").hasLineCount(1);

        assertThat(CommandRun.of("demo", "-o", foreign, "--samples", "2000", "--force")
                        .code())
                .isEqualTo(Exit.OK);
        assertThat(foreign.resolve("thesis.txt")).hasContent("years of work");
    }

    @Test
    void sameSeedSameNumbers() {
        String first = eigenvalues(CommandRun.of("demo", "-o", folder.resolve("a"), "--json", "--samples", "3000"));
        String second = eigenvalues(CommandRun.of("demo", "-o", folder.resolve("b"), "--json", "--samples", "3000"));
        String other = eigenvalues(
                CommandRun.of("demo", "-o", folder.resolve("c"), "--json", "--samples", "3000", "--seed", "2"));

        assertThat(second).isEqualTo(first);
        assertThat(other).isNotEqualTo(first);
    }

    private static String eigenvalues(CommandRun run) {
        return run.out().replaceAll(".*\"eigenvalues\":(\\[[^\\]]*\\]).*\\n", "$1");
    }
}
