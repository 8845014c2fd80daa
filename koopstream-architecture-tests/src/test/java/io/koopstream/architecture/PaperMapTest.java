package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/paper-map.md names only classes, members and tests that exist, every row of its first table has both, and its tests mention its labels; docs/architecture.md names only classes that exist. */
class PaperMapTest {

    private static final Pattern REFERENCE =
            Pattern.compile("`(?:[a-z][a-zA-Z0-9.]*\\.)?([A-Z][A-Za-z0-9]*)(?:#([a-zA-Z0-9_]+))?`");

    /** Labels of the paper's source in a cell, e.g. {@code (eq.L_kappa, eq.L_kappa_spectral)}. */
    private static final Pattern BRACKETS =
            Pattern.compile("\\(((?:eq|def|lemma|thm|corollary|assumption|algorithm|fig)[.:][^()]*)\\)");

    /** Simple class name to source text, of main and of test classes. */
    private static final Map<String, String> MAIN = new LinkedHashMap<>();

    private static final Map<String, String> TESTS = new LinkedHashMap<>();

    private static List<String[]> rows;

    @BeforeAll
    static void readSources() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.root())) {
            for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".java"))::iterator) {
                String path = Repository.root().relativize(file).toString().replace('\\', '/');
                String name = file.getFileName().toString().replace(".java", "");
                if (path.contains("/src/test/java/") || path.startsWith("koopstream-testkit/")) {
                    TESTS.put(name, Files.readString(file));
                } else if (path.contains("/src/main/java/")) {
                    MAIN.put(name, Files.readString(file));
                }
            }
        }
        rows = mappedRows(Files.readString(Repository.root().resolve("docs/paper-map.md")));
    }

    /** Cells of the rows of the first table: item, meaning, code, test. */
    private static List<String[]> mappedRows(String markdown) {
        List<String[]> result = new ArrayList<>();
        boolean inside = false;
        for (String line : markdown.lines().toList()) {
            if (line.startsWith("|---")) {
                inside = true;
            } else if (inside && line.startsWith("|")) {
                result.add(line.substring(1).split("(?<!\\\\)\\|"));
            } else if (inside && result.size() > 0 && line.startsWith("## Without")) {
                break;
            }
        }
        return result;
    }

    @Test
    void everyRowHasFourCellsWithCodeAndTest() {
        assertThat(rows).hasSizeGreaterThan(20);
        for (String[] row : rows) {
            assertThat(row).as("%s", row[0]).hasSize(4);
            assertThat(REFERENCE.matcher(row[2]).find())
                    .as("code of %s", row[0])
                    .isTrue();
            assertThat(REFERENCE.matcher(row[3]).find())
                    .as("test of %s", row[0])
                    .isTrue();
        }
    }

    @Test
    void everyNamedClassAndMemberExists() {
        assertReferencesExist(2, MAIN);
    }

    @Test
    void everyNamedTestExists() {
        assertReferencesExist(3, TESTS);
    }

    /** A test that does not mention the label it is cited for may be about something else. */
    @Test
    void everyLabelIsMentionedByATestOfItsRow() {
        int labels = 0;
        for (String[] row : rows) {
            List<String> tests = REFERENCE
                    .matcher(row[3])
                    .results()
                    .map(reference -> TESTS.get(reference.group(1)))
                    .toList();
            for (MatchResult brackets :
                    (Iterable<MatchResult>) BRACKETS.matcher(row[0]).results()::iterator) {
                for (String label : brackets.group(1).split(", ", -1)) {
                    Pattern mention = Pattern.compile("(?<![\\w.])" + Pattern.quote(label) + "(?![\\w-]|\\.\\w)");
                    assertThat(tests)
                            .as("%s: no test mentions %s", row[0].strip(), label)
                            .anyMatch(test -> mention.matcher(test).find());
                    labels++;
                }
            }
        }
        assertThat(labels).isGreaterThan(50);
    }

    @Test
    void thePathOfARowNamesAtMostTwentyClassesThatExist() throws IOException {
        String page = Files.readString(Repository.root().resolve("docs/architecture.md"));
        List<String> named = page.lines()
                .filter(line -> line.startsWith("| "))
                .flatMap(line -> REFERENCE.matcher(line).results())
                .map(reference -> reference.group(1))
                .distinct()
                .toList();
        assertThat(named).hasSizeBetween(10, 20);
        assertThat(MAIN).containsKeys(named.toArray(String[]::new));
    }

    private static void assertReferencesExist(int cell, Map<String, String> sources) {
        for (String[] row : rows) {
            Matcher matcher = REFERENCE.matcher(row[cell]);
            while (matcher.find()) {
                assertThat(sources)
                        .as("%s names %s", row[0].strip(), matcher.group())
                        .containsKey(matcher.group(1));
                if (matcher.group(2) != null) {
                    assertThat(Pattern.compile("\\b" + matcher.group(2) + "\\b")
                                    .matcher(sources.get(matcher.group(1)))
                                    .find())
                            .as("%s names %s", row[0].strip(), matcher.group())
                            .isTrue();
                }
            }
        }
    }
}
