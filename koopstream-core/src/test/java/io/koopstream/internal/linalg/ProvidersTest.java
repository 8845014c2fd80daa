package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The choice of the provider, in processes of its own because it is made once. */
class ProvidersTest {

    /** What the processes run: prints the provider in use and the bits of a small computation. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) {
            System.out.println(Providers.activeName() + " " + computation());
        }
    }

    private static String computation() {
        int n = 101;
        Matrix a = new Matrix(n, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                a.set(i, j, Exp.exp(-0.01 * (i - j) * (i - j)) + (i == j ? 1 : 0));
            }
        }
        Matrix lower = Triangular.cholesky(a.times(a));
        double[] b = a.column(3).clone();
        Triangular.solve(lower, b);
        Vectors.expOfMultiple(-2.0, b, n);
        return Double.toHexString(Vectors.dot(b, a.column(50), n));
    }

    /** The folder a class was loaded from; the tests of a module have no class path to ask. */
    private static Path folder(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        Path path = Path.of(URI.create(type.getResource("/" + file).toString()));
        for (int i = 0; i <= file.chars().filter(c -> c == '/').count(); i++) {
            path = path.getParent();
        }
        return path;
    }

    private static List<String> java(String... options) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of(options));
        words.add("-cp");
        words.add(folder(Providers.class) + File.pathSeparator + folder(Program.class));
        words.add(Program.class.getName());
        return words;
    }

    private static String run(String... options) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(java(options)).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    @Test
    void withoutTheModulePlainJavaDoesTheSame() throws IOException, InterruptedException {
        String text = run();
        assertThat(text).contains("plain " + computation());
        assertThat(text).as("nobody asked which loops are used").doesNotContain("linear algebra");
    }

    @Test
    void eachProviderCanBeForced() throws IOException, InterruptedException {
        assertThat(run("--add-modules", "jdk.incubator.vector", "-Dkoopstream.linalg=plain"))
                .contains("plain " + computation());
        assertThat(run("--add-modules", "jdk.incubator.vector", "-Dkoopstream.linalg.plainWork=0"))
                .contains("vector " + computation());
        assertThat(run("-Dkoopstream.linalg=vector"))
                .contains("cannot be met")
                .contains("jdk.incubator.vector is missing");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> Providers.choose("fast")).hasMessageContaining("must be plain or vector");
        assertThatThrownBy(() -> Products.threads("0")).hasMessageContaining("from 1 to 64");
        assertThatThrownBy(() -> Products.threads("two")).hasMessageContaining("from 1 to 64");
        assertThat(Products.threads(null))
                .isEqualTo(Math.min(64, Runtime.getRuntime().availableProcessors()));
        assertThat(Products.threads("2")).isEqualTo(2);
    }
}
