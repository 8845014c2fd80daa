package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files and packages that a reader can take in. The exceptions may only become fewer: one that is no longer needed fails as well. */
class SourceSizeTest {

    private static final int MAX_LINES = 450;
    private static final int MAX_FILES = 40;

    private static final Set<String> LARGE_PACKAGES = Set.of("io/koopstream/learner");

    /** Lines of every file of main Java, by its path below the source root. */
    private static final Map<String, Integer> LINES = new TreeMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        try (Stream<Path> modules = Files.list(Repository.root())) {
            for (Path module : (Iterable<Path>) modules::iterator) {
                Path sources = module.resolve("src/main/java");
                if (Files.isDirectory(sources)) {
                    readSources(sources);
                }
            }
        }
        assertThat(LINES).hasSizeGreaterThan(300);
    }

    private static void readSources(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".java"))::iterator) {
                String path = sources.relativize(file).toString().replace('\\', '/');
                LINES.put(path, Files.readAllLines(file).size());
            }
        }
    }

    @Test
    void noFileHasMoreThan450Lines() {
        Set<String> tooLong = new TreeSet<>();
        LINES.forEach((file, lines) -> {
            if (lines > MAX_LINES) {
                tooLong.add(file);
            }
        });
        assertThat(tooLong).isEmpty();
    }

    @Test
    void noPackageHasMoreThan40Files() {
        Map<String, Integer> files = new TreeMap<>();
        LINES.keySet().forEach(file -> files.merge(file.substring(0, file.lastIndexOf('/')), 1, Integer::sum));
        files.values().removeIf(count -> count <= MAX_FILES);
        assertThat(files.keySet()).isEqualTo(LARGE_PACKAGES);
    }
}
