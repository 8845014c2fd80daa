package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was found once stays right, and some hundred mutations of valid inputs are read or refused. {@code -Dkoopstream.mutations=N} for more. */
@Timeout(1800)
class ReaderFuzzTest {

    private static final int MUTATIONS = Integer.getInteger("koopstream.mutations", 150);

    static List<String> readers() {
        return ReaderFuzz.readers();
    }

    @ParameterizedTest
    @MethodSource("readers")
    void findingsStayRight(String reader) throws IOException {
        Path folder = Path.of("src", "test", "resources", "fuzz", reader);
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    byte[] input = Files.readAllBytes(file);
                    assertThatCode(() -> ReaderFuzz.read(reader, input))
                            .as(file.toString())
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("readers")
    void mutatedInputsAreReadOrRefused(String reader) throws IOException {
        List<byte[]> seeds = ReaderFuzz.seeds(reader);
        assertThat(seeds).isNotEmpty();
        seeds.forEach(seed -> ReaderFuzz.read(reader, seed));
        for (int i = 0; i < MUTATIONS; i++) {
            SplittableRandom random = new SplittableRandom(i);
            byte[] input = mutated(seeds, random);
            int number = i;
            try {
                ReaderFuzz.read(reader, input);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        reader + ", mutation " + number + ": " + HexFormat.of().formatHex(input), e);
            }
        }
    }

    private static byte[] mutated(List<byte[]> seeds, SplittableRandom random) {
        byte[] input = seeds.get(random.nextInt(seeds.size())).clone();
        for (int k = 1 + random.nextInt(4); k > 0; k--) {
            int at = random.nextInt(input.length + 1);
            switch (random.nextInt(6)) {
                case 0 -> input = Arrays.copyOf(input, at);
                case 1 -> flip(input, at, random);
                case 2 ->
                    fill(input, at, (byte) (random.nextBoolean() ? 0xff : random.nextInt(256)), 1 + random.nextInt(8));
                case 3 -> fill(input, at, (byte) 0, 1 + random.nextInt(64));
                case 4 -> input = spliced(input, at, seeds.get(random.nextInt(seeds.size())), random);
                default -> input = spliced(input, at, new byte[random.nextInt(20)], random);
            }
        }
        return input;
    }

    private static void flip(byte[] input, int at, SplittableRandom random) {
        if (at < input.length) {
            input[at] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private static void fill(byte[] input, int at, byte value, int count) {
        Arrays.fill(input, at, Math.min(input.length, at + count), value);
    }

    private static byte[] spliced(byte[] input, int at, byte[] other, SplittableRandom random) {
        int from = other.length == 0 ? 0 : random.nextInt(other.length);
        int count = Math.min(other.length - from, 1 + random.nextInt(200));
        byte[] result = Arrays.copyOf(input, input.length + Math.max(0, count));
        System.arraycopy(input, at, result, at + Math.max(0, count), input.length - at);
        System.arraycopy(other, from, result, at, Math.max(0, count));
        return result;
    }
}
