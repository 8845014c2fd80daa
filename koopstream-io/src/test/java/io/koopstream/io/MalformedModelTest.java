package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.KoopstreamException;
import io.koopstream.io.MalformedModels.Case;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Text;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.testkit.ThreadUse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which a file can be wrong has its error: the 26 named cases, and what else came to mind. */
class MalformedModelTest {

    private static final long MEBIBYTE = 1 << 20;

    private static ModelFormatException refused(byte[] bytes) {
        try {
            ModelFile.decode(bytes);
        } catch (ModelFormatException e) {
            return e;
        }
        throw new AssertionError("accepted");
    }

    @TestFactory
    Stream<DynamicTest> theCatalogue() {
        List<Case> cases = MalformedModels.catalogue();
        assertThat(cases).hasSize(26);
        return cases.stream().map(MalformedModelTest::test);
    }

    @Test
    void aVersionBeforeTheOldestIsRetired() {
        ModelSource source = ModelSource.of(ByteBuffer.wrap(new byte[9]));
        assertThatThrownBy(() -> ModelMetadata.requireVersion(source, new Text("1", 7), 2, 3))
                .isInstanceOfSatisfying(ModelFormatException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.TOO_OLD);
                    assertThat(e.offset()).isEqualTo(7);
                    assertThat(e.expected()).isEqualTo("version 2 to 3");
                    assertThat(e.actual()).isEqualTo("version 1");
                });
    }

    @TestFactory
    Stream<DynamicTest> moreThanTheCatalogue() {
        return MalformedModels.more().stream().map(MalformedModelTest::test);
    }

    private static DynamicTest test(Case wrong) {
        return DynamicTest.dynamicTest(wrong.name(), () -> {
            byte[] bytes = wrong.bytes();
            ModelFormatException e = refused(bytes);
            assertThat(e.reason()).describedAs(e.getMessage()).isEqualTo(wrong.expected());
            assertThat(e).isInstanceOf(KoopstreamException.class);
            assertThat(e.offset()).isBetween(-1L, (long) bytes.length);
            assertThat(e.expected()).isNotBlank();
            assertThat(e.actual()).isNotBlank();
            assertThat(e.getMessage())
                    .hasSizeLessThan(1000)
                    .doesNotContainPattern("\\p{Cntrl}")
                    .contains("model bytes: ", "; ", e.expected(), e.actual());
        });
    }

    @Test
    void everyReasonHasACase() {
        Stream<Reason> tested = Stream.concat(MalformedModels.catalogue().stream(), MalformedModels.more().stream())
                .map(Case::expected);
        // LeastSquaresModelTest has the statistics.
        assertThat(Stream.concat(tested, Stream.of(Reason.BAD_STATISTICS)).distinct())
                .containsExactlyInAnyOrder(Reason.values());
    }

    @Test
    void theMessageSaysWhereInWhichFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("night-run.safetensors");
        byte[] good = ModelFile.encode(MalformedModels.STATE);
        Files.write(file, java.util.Arrays.copyOf(good, good.length - 10));
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOf(ModelFormatException.class)
                .hasMessage(file + ": the file is cut short (byte " + (good.length - 10)
                        + "): expected 576 bytes of tensors, found 566 bytes; copy it again or use a backup");
    }

    @Test
    void damageIsCalledDamageEvenIfItHitsTheHeader() {
        byte[] bytes = RawModel.parse(ModelFile.encode(MalformedModels.STATE))
                .edit("\"L_x\":", "\"L_z\":")
                .sealed();
        assertThat(refused(bytes).reason()).isEqualTo(Reason.UNKNOWN_SECTION);
        bytes[bytes.length - 1] ^= 1;
        assertThat(refused(bytes).reason()).isEqualTo(Reason.CHECKSUM);
    }

    @Test
    void aWrongFileCostsNoMoreMemoryThanItsSizeAndAMebibyteAndNoTime() {
        List<Case> cases = Stream.concat(MalformedModels.catalogue().stream(), MalformedModels.more().stream())
                .toList();
        // Class loading and the JSON parser's first buffers are paid once, not by a file.
        cases.forEach(wrong -> refused(wrong.bytes()));
        for (Case wrong : cases) {
            byte[] bytes = wrong.bytes();
            long before = ThreadUse.allocated();
            long start = ThreadUse.nanos();
            refused(bytes);
            // Processor time: that of the clock is the machine's, which may be busy.
            assertThat(Duration.ofNanos(ThreadUse.nanos() - start)).isLessThan(Duration.ofSeconds(1));
            assertThat(ThreadUse.allocated() - before).describedAs(wrong.name()).isLessThan(bytes.length + MEBIBYTE);
        }
    }

    @Test
    void theReaderOfABigModelTakesItsSizeAndAMebibyte() {
        byte[] bytes = ModelFile.encode(ModelStates.ofSize(100));
        SogdState state = (SogdState) ModelFile.decode(bytes);
        long start = ThreadUse.allocated();
        SogdState.read(state.config(), ModelTensors.of(state));
        // What the core's checks use and drop is not the reader's.
        long checks = ThreadUse.allocated() - start;
        start = ThreadUse.allocated();
        ModelFile.decode(bytes);
        assertThat(ThreadUse.allocated() - start - checks).isLessThan(bytes.length + MEBIBYTE);
    }

    /** Dimensions stand in the header without data behind them as long as nothing was learned. */
    @Test
    void aSmallFileCannotAskForMuchMemoryByItsDimension() {
        assertThat(costOfAnEmptyModel(4096)).isLessThan(MEBIBYTE);
        assertThat(costOfAnEmptyModel(ModelFile.MAX_DIMENSION)).isLessThan(26 * MEBIBYTE);
        byte[] tooMany = emptyModel(ModelFile.MAX_DIMENSION + 1);
        assertThat(refused(tooMany).reason()).isEqualTo(Reason.TOO_LARGE);
    }

    private static byte[] emptyModel(int dimension) {
        RawModel model = RawModel.parse(ModelFile.encode(
                SogdLearner.koopman(ModelStates.settings(2).build()).state()));
        return model.set("input_dimension", Integer.toString(dimension))
                .set("output_dimension", Integer.toString(dimension))
                .edit("[0,2]", "[0," + dimension + "]")
                .sealed();
    }

    private static long costOfAnEmptyModel(int dimension) {
        byte[] bytes = emptyModel(dimension);
        ModelFile.decode(bytes);
        long start = ThreadUse.allocated();
        ModelFile.decode(bytes);
        return ThreadUse.allocated() - start;
    }

    @Test
    void aModelBeyondTheHeapIsRefusedBeforeItIsRead() {
        ModelSource source = ModelSource.of(ByteBuffer.wrap(new byte[9]));
        int size = (int) Math.min(40_000, Math.sqrt(Runtime.getRuntime().maxMemory() / 24.0) + 1);
        ModelLayout.Outline outline =
                new ModelLayout.Outline(ModelMethod.SOGD, false, false, 1, 1, 1, 0, 0, List.of(), 0);
        assertThatThrownBy(() ->
                        ModelTensors.allocate(source, new ModelLayout(outline, size, size, 0, 0, 0, List.of(), 0)))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE))
                .hasMessageContaining("-Xmx");
    }

    /** Sparse, so it costs no disk; refused by its size, so it costs no time. */
    @Test
    void aFileBeyondTheLimitIsRefusedByItsSize(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("huge");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            channel.write(ByteBuffer.wrap(new byte[1]), ModelFile.MAX_FILE);
        }
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }
}
