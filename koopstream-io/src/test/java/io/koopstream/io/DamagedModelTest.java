package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.LearnerState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever happens to a file, reading it gives the model that was written or a {@link ModelFormatException}: nothing else. */
class DamagedModelTest {

    private final Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);

    /** Reads bytes; null when they are refused as they should be. */
    private LearnerState readOrRefuse(byte[] bytes, String what) {
        try {
            return ModelFile.decode(bytes);
        } catch (ModelFormatException e) {
            reasons.merge(e.reason(), 1, Integer::sum);
            return null;
        } catch (RuntimeException | Error e) {
            return fail(what + " gave " + e, e);
        }
    }

    @Test
    void cutAtEveryLength() {
        byte[] bytes = ModelFile.encode(ModelStates.ofSize(24));
        assertThat(bytes).hasSizeBetween(15_000, 18_000);
        for (int length = 0; length < bytes.length; length++) {
            assertThat(readOrRefuse(Arrays.copyOf(bytes, length), "length " + length))
                    .describedAs("length %d", length)
                    .isNull();
        }
        assertThat(reasons).containsOnlyKeys(Reason.EMPTY, Reason.TRUNCATED);
    }

    @Test
    void everyBitFlipped() {
        LearnerState state = ModelStates.ofSize(10);
        byte[] bytes = ModelFile.encode(state);
        assertThat(bytes).hasSizeBetween(3_500, 5_000);
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
            LearnerState read = readOrRefuse(bytes, "bit " + bit);
            if (read != null) {
                assertThat(read.digest()).describedAs("bit %d", bit).isEqualTo(state.digest());
            }
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        }
        assertThat(readOrRefuse(bytes, "all bits back").digest()).isEqualTo(state.digest());
        assertThat(reasons.get(Reason.CHECKSUM)).isGreaterThan(6 * bytes.length);
    }

    @Test
    void blocksZeroedAndSwappedAndFilesMixed() {
        byte[] one = ModelFile.encode(ModelStates.ofSize(24));
        // Another model with the same layout, so that only the checksum can tell a mixture.
        byte[] other =
                ModelFile.encode(ModelStates.ofSize(24, ModelStates.settings(2).lambda(0.02)));
        assertThat(other).hasSameSizeAs(one);
        int block = 512;
        for (int i = 0; i + block <= one.length; i += block) {
            byte[] zeroed = one.clone();
            Arrays.fill(zeroed, i, i + block, (byte) 0);
            assertThat(readOrRefuse(zeroed, "zeroed " + i)).isNull();
            int next = (i + block) % (one.length - block);
            byte[] swapped = one.clone();
            System.arraycopy(one, i, swapped, next, block);
            System.arraycopy(one, next, swapped, i, block);
            assertThat(readOrRefuse(swapped, "swapped " + i)).isNull();
        }
        byte[] mixed = one.clone();
        int data = one.length - RawModel.parse(one).data().length;
        System.arraycopy(other, 0, mixed, 0, data);
        reasons.clear();
        assertThat(readOrRefuse(mixed, "header of another model")).isNull();
        assertThat(reasons).containsOnlyKeys(Reason.CHECKSUM);
    }

    @Test
    void garbage() {
        Random random = new Random(20261115);
        for (int i = 0; i < 5000; i++) {
            byte[] bytes = new byte[random.nextInt(4096)];
            random.nextBytes(bytes);
            if (i % 2 == 0 && bytes.length > 16) {
                // A plausible beginning, so that the garbage gets as far as the JSON parser.
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(random.nextInt(bytes.length - 8));
                bytes[8] = '{';
            }
            assertThat(readOrRefuse(bytes, "garbage " + i)).isNull();
        }
        assertThat(reasons).containsKeys(Reason.FOREIGN, Reason.NOT_UTF8);
    }

    /** Edits that keep the checksum right, so that everything behind it is reached. */
    @Test
    void hostileEdits() {
        byte[] good = ModelFile.encode(ModelStates.ofSize(6));
        List<String> pieces = List.of(
                "0",
                "-1",
                "1",
                "6",
                "2147483647",
                "2147483648",
                "9223372036854775807",
                "1e9",
                "[",
                "]",
                "{",
                "}",
                ",",
                "\"",
                ":",
                "x",
                "M",
                "F64",
                "I64",
                "custom(a)",
                "constant(1)",
                "decay(eta=1,r=1,a=1)",
                "NaN",
                "1E+400",
                "gaussian(sigma=1E-320)",
                "concat(1:gaussian(1), 1:gaussian(1))",
                "polynomial(degree=64, radius=1)",
                "\\u0000",
                "\u00e9",
                " ",
                "linear(radius=1E+150)",
                "scaled(gaussian(1), 1E-300, 1E+300)",
                "PAPER");
        double[] numbers = {
            0.0, -0.0, 1, -1, 1e-320, 1e154, 1e155, -1e300, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY
        };
        Random random = new Random(42);
        int accepted = 0;
        for (int i = 0; i < 6000; i++) {
            RawModel model = RawModel.parse(good);
            String json = model.json().stripTrailing();
            byte[] data = model.data().clone();
            for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
                switch (random.nextInt(4)) {
                    case 0 -> json = replaceSome(json, "\\d+", random, pieces);
                    case 1 -> json = replaceSome(json, "\"[^\"]*\"", random, pieces);
                    case 2 -> json = cutOrDouble(json, random);
                    default ->
                        ByteBuffer.wrap(data)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putDouble(
                                        8 * random.nextInt(data.length / 8), numbers[random.nextInt(numbers.length)]);
                }
            }
            byte[] bytes = RawModel.of(json, data).sealed();
            LearnerState read = readOrRefuse(bytes, "edit " + i + ": " + json);
            if (read != null) {
                accepted++;
                assertThat(ModelFile.decode(ModelFile.encode(read)).digest()).isEqualTo(read.digest());
            }
        }
        // Both sides of the line were visited, and most of the errors.
        assertThat(accepted).isBetween(10, 3000);
        assertThat(reasons).hasSizeGreaterThan(16);
    }

    private static String replaceSome(String json, String regex, Random random, List<String> pieces) {
        List<MatchResult> places =
                Pattern.compile(regex).matcher(json).results().toList();
        if (places.isEmpty()) {
            return json;
        }
        MatchResult place = places.get(random.nextInt(places.size()));
        String piece = pieces.get(random.nextInt(pieces.size()));
        boolean quoted = regex.startsWith("\"");
        return json.substring(0, place.start()) + (quoted ? '"' + piece + '"' : piece) + json.substring(place.end());
    }

    private static String cutOrDouble(String json, Random random) {
        int from = random.nextInt(json.length());
        int to = Math.min(json.length(), from + random.nextInt(40));
        return random.nextBoolean()
                ? json.substring(0, from) + json.substring(to)
                : json.substring(0, to) + json.substring(from);
    }
}
