package io.koopstream.lab;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The script that starts the long runs names what exists: no build runs them, so nothing else would notice. */
class LabTest {

    private static final Path LAB = Path.of("").toAbsolutePath();

    private final String script;

    LabTest() throws IOException {
        script = Files.readString(LAB.resolve("run"));
    }

    private List<String> found(String expression) {
        return Pattern.compile(expression, Pattern.MULTILINE)
                .matcher(script)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void everyNameIsListedAndEveryListedNameIsStarted() {
        Matcher list = Pattern.compile("^name +arguments.*\n((?s:.*?))^TEXT$", Pattern.MULTILINE)
                .matcher(script);
        assertThat(list.find()).isTrue();
        List<String> listed =
                list.group(1).lines().map(line -> line.split(" ", 2)[0]).toList();
        assertThat(listed).hasSizeGreaterThan(15).containsExactlyElementsOf(found("^    ([a-z][a-z-]*)\\)"));
    }

    @Test
    void everyClassThatIsStartedExists() throws IOException {
        List<String> started = found("start ((?:[a-z]+\\.)+[A-Z]\\w+)");
        assertThat(started).hasSizeGreaterThan(10);
        String sources = sources();
        assertThat(started)
                .allSatisfy(name -> assertThat(sources).contains("/io/koopstream/" + name.replace('.', '/') + ".java"));
    }

    @Test
    void everyTestThatIsRunExists() throws IOException {
        List<String> tests = found("\\b([A-Z]\\w+(?:Test|Proof))\\b");
        assertThat(tests).hasSizeGreaterThan(20);
        String sources = sources();
        assertThat(tests).allSatisfy(name -> assertThat(sources).contains("/" + name + ".java"));
    }

    /** Paths of all Java sources, one per line. */
    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(LAB.getParent())) {
            return files.map(file -> file.toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(".java"))
                    .collect(Collectors.joining("\n"));
        }
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("io.koopstream.lab.(**)")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter().importPath(LAB.resolve("target/classes")));
    }
}
