package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Check 24 of the learner contract beyond one process: the same bits in another JVM, interpreted or compiled, old or new. */
class ReproducibilityTest {

    private static final List<String> KERNELS = List.of(
            "gaussian(0.1)",
            "laplacian(3)",
            "matern32(0.3)",
            "matern52(0.3)",
            "rational-quadratic(sigma=0.3, alpha=1.7)",
            "inverse-multiquadric(0.2)",
            "0.4*gaussian(0.05)+0.6*polynomial(degree=3, offset=1, radius=1)");

    /** Learns a stream made by elementary arithmetic and prints what came out, bit by bit; the program of the other JVM. */
    public static void main(String[] arguments) {
        System.out.println(bits(Integer.parseInt(arguments[0])));
    }

    /** For every kernel: kept samples, ‖U‖ and a prediction, as hexadecimal bits. */
    private static String bits(int samples) {
        return KERNELS.stream().map(kernel -> bits(kernel, samples)).collect(Collectors.joining(" "));
    }

    private static String bits(String kernel, int samples) {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(SogdConfig.forState(1, Kernels.parse(kernel))
                .lambda(1e-3)
                .stepSize(0.15)
                .budget(0.004)
                .build());
        // Only products and differences, so that the stream itself cannot differ between machines.
        double x = 0.3;
        for (int t = 0; t < samples; t++) {
            double next = 3.9 * x * (1 - x);
            learner.update(new double[] {x}, new double[] {next});
            x = next;
        }
        return learner.dictionarySize() + ":" + Long.toHexString(Double.doubleToRawLongBits(learner.norm())) + ":"
                + Long.toHexString(Double.doubleToRawLongBits(learner.snapshot().predict(new double[] {0.5})[0]));
    }

    @ParameterizedTest
    @CsvSource({"-XX:+TieredCompilation, 1500", "-XX:TieredStopAtLevel=1, 1500", "-Xint, 60"})
    void anotherProcessLearnsTheSameBits(String option, int samples) throws IOException, InterruptedException {
        // The interpreter computes a fused multiply-add in decimals, thousands of times slower: it gets a short stream.
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-cp",
                System.getProperty("java.class.path"),
                ReproducibilityTest.class.getName(),
                Integer.toString(samples));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed;
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            printed = reader.lines().collect(Collectors.joining("\n"));
        }
        assertThat(process.waitFor()).isZero();
        assertThat(printed).isEqualTo(bits(samples));
    }

    /**
     * Pinned, so that two machines or two versions of Java are compared with each other by running this test on both. A change of the
     * order of operations anywhere in the learner changes these bits; it then also changes how stored models go on, and must be meant.
     */
    @Test
    void theBitsAreThoseOfEveryOtherMachine() {
        assertThat(bits(1_500).split(" "))
                .containsExactly(
                        "18:400eeff879618017:3feefce1ca8ca5b0",
                        "318:4002f88d48cd0340:3fee700f5e386da2",
                        "40:400ba914e83b74a5:3feefb0345696c04",
                        "17:400aad869b870c87:3fef00f78190766b",
                        "9:400836c6fc97aa68:3fef245c20836d3f",
                        "18:4009e0633793fb67:3feeeff2951ce168",
                        "33:4011cbfdd131d87c:3feeaa3440599cfc");
    }
}
