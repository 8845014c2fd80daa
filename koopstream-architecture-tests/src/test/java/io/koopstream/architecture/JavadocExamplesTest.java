package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Examples in Javadoc compile and run, and the types that a user meets first have one. An example is a {@code <pre>} with code; it may use
 * {@code states}, a trajectory in two dimensions, the {@code operator} learned from it, and an empty {@code folder}.
 * So do those of the tutorial on the paper.
 */
class JavadocExamplesTest {

    private static final List<String> WITH_EXAMPLES = List.of(
            "Kernels",
            "SogdConfig",
            "SogdLearner",
            "LeastSquaresConfig",
            "LeastSquaresLearner",
            "TransitionOperator",
            "KoopmanOperator",
            "Spectrum",
            "MetastableSets",
            "TrustReport",
            "LearningStream",
            "ModelFile",
            "Paper");

    private static final List<String> PACKAGES = List.of(
            "io",
            "kernel",
            "learner",
            "learner.leastsquares",
            "learner.sogd",
            "operator",
            "rows",
            "spectrum",
            "stream");

    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?) \\* }</pre>", Pattern.DOTALL);

    @TempDir
    Path folder;

    /** Examples by the type they stand at. */
    private static Map<String, String> examples() throws IOException {
        Map<String, String> examples = new TreeMap<>();
        for (String module : List.of("koopstream-core", "koopstream-stream", "koopstream-io")) {
            try (Stream<Path> files =
                    Files.walk(Repository.root().resolve(module).resolve("src/main/java"))) {
                for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".java"))::iterator) {
                    Matcher matcher = EXAMPLE.matcher(Files.readString(file));
                    while (matcher.find()) {
                        String code = matcher.group(1).replaceAll("(?m)^ *\\* ?", "");
                        examples.merge(
                                file.getFileName().toString().replace(".java", ""),
                                "{\n" + code + "}\n",
                                String::concat);
                    }
                }
            }
        }
        Matcher tutorial = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Repository.root().resolve("docs/tutorials/paper.md")));
        while (tutorial.find()) {
            examples.merge("Paper", "{\n" + tutorial.group(1) + "}\n", String::concat);
        }
        return examples;
    }

    @Test
    void examplesCompileAndRun() throws Exception {
        Map<String, String> examples = examples();
        assertThat(examples.keySet()).containsAll(WITH_EXAMPLES);
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")));
        StringBuilder imports = new StringBuilder("import java.nio.file.Path;\nimport java.util.*;\n");
        PACKAGES.forEach(
                name -> imports.append("import io.koopstream.").append(name).append(".*;\n"));
        for (Map.Entry<String, String> example : examples.entrySet()) {
            String name = "ExampleOf" + example.getKey();
            Path source = folder.resolve(name + ".java");
            Files.writeString(
                    source,
                    imports + "public class " + name
                            + " {\n public static void run(double[][] states, KoopmanOperator operator, Path folder)"
                            + " throws Exception\n" + example.getValue() + "}\n");
            arguments.add(source.toString());
        }
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, errors, arguments.toArray(String[]::new));
        assertThat(result).as(errors.toString(StandardCharsets.UTF_8)).isZero();
        double[][] states = states();
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.gaussian(0.5)).build());
        learner.fitTrajectory(states, 1);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            for (String name : examples.keySet()) {
                loader.loadClass("ExampleOf" + name)
                        .getMethod("run", double[][].class, KoopmanOperator.class, Path.class)
                        .invoke(null, states, learner.snapshot(), folder);
            }
        }
    }

    /** A noisy rotation. */
    private static double[][] states() {
        SplittableRandom random = new SplittableRandom(1);
        double[][] states = new double[600][];
        double[] state = {1, 0};
        for (int t = 0; t < states.length; t++) {
            states[t] = state;
            state = new double[] {
                0.8 * state[0] - 0.5 * state[1] + 0.2 * random.nextGaussian(),
                0.5 * state[0] + 0.8 * state[1] + 0.2 * random.nextGaussian()
            };
        }
        return states;
    }
}
