package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is replaced whole or not at all, whatever fails. */
class ModelFileWriteTest {

    private static final SogdState OLD = ModelStates.ofSize(3);
    private static final SogdState NEW = ModelStates.ofSize(80);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void anOldModel() {
        file = directory.resolve("model.safetensors");
        ModelFile.write(file, OLD);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** Lets the n-th call fail, and all later ones too if asked; a failing write first writes half. */
    private static final class FaultyStorage implements Storage {
        private final int failing;
        private final boolean persistent;
        private final List<String> log = new ArrayList<>();
        private int calls;
        private boolean renamed;

        FaultyStorage(int failing, boolean persistent) {
            this.failing = failing;
            this.persistent = persistent;
        }

        private boolean fails(String call) {
            log.add(call);
            calls++;
            return calls == failing || (persistent && calls > failing);
        }

        private void call(String call) throws IOException {
            if (fails(call)) {
                throw new IOException("injected at call " + calls);
            }
        }

        @Override
        public AppendFile create(Path path) throws IOException {
            call("create");
            AppendFile opened = DISK.create(path);
            return new AppendFile() {
                @Override
                public void write(ByteBuffer bytes) throws IOException {
                    if (fails("write")) {
                        opened.write(bytes.limit(bytes.limit() / 2));
                        throw new IOException("injected at call " + calls);
                    }
                    opened.write(bytes);
                }

                @Override
                public void writeAt(long offset, ByteBuffer bytes) throws IOException {
                    call("writeAt");
                    opened.writeAt(offset, bytes);
                }

                @Override
                public void sync() throws IOException {
                    call("sync");
                    opened.sync();
                }

                @Override
                public void truncate(long length) throws IOException {
                    call("truncate");
                    opened.truncate(length);
                }

                @Override
                public long length() throws IOException {
                    return opened.length();
                }

                @Override
                public void close() throws IOException {
                    opened.close();
                }
            };
        }

        @Override
        public AppendFile append(Path path) throws IOException {
            call("append");
            return DISK.append(path);
        }

        @Override
        public ByteBuffer read(Path path) throws IOException {
            call("read");
            return DISK.read(path);
        }

        @Override
        public List<String> list(Path path) throws IOException {
            call("list");
            return DISK.list(path);
        }

        @Override
        public void openDirectory(Path path) throws IOException {
            call("openDirectory");
            DISK.openDirectory(path);
        }

        @Override
        public Optional<Closeable> tryLock(Path path) throws IOException {
            call("tryLock");
            return DISK.tryLock(path);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            call("rename");
            DISK.rename(from, to);
            renamed = true;
        }

        @Override
        public void syncDirectory(Path path) throws IOException {
            call("syncDirectory");
            DISK.syncDirectory(path);
        }

        @Override
        public void delete(Path path) throws IOException {
            call("delete");
            DISK.delete(path);
        }
    }

    @Test
    void whateverCallFailsOnceTheFileIsOldOrNewAndNothingIsLeft() throws IOException {
        int failing = 1;
        while (true) {
            ModelFile.write(file, OLD);
            FaultyStorage storage = new FaultyStorage(failing, false);
            try {
                ModelFile.write(storage, file, new StoredModel(NEW, StateLabels.NONE));
                break;
            } catch (ModelAccessException e) {
                assertThat(e).hasMessageContaining(file.toString()).hasMessageContaining("injected at call " + failing);
                assertThat(e.path()).isEqualTo(file);
                assertThat(e.getCause()).isInstanceOf(IOException.class);
            }
            SogdState expected = storage.renamed ? NEW : OLD;
            assertThat(ModelFile.read(file).digest()).isEqualTo(expected.digest());
            assertThat(files()).containsExactly(file);
            failing++;
        }
        // Creation, header length, header, data in pieces, sync, rename, sync of the directory.
        assertThat(failing).isGreaterThan(8);
        assertThat(ModelFile.read(file).digest()).isEqualTo(NEW.digest());
    }

    /** Without the syncs, in this order, a loss of power could leave an empty file under the right name. */
    @Test
    void theContentsAreSyncedBeforeTheNameAndTheNameAfterwards() {
        FaultyStorage storage = new FaultyStorage(0, false);
        ModelFile.write(storage, file, new StoredModel(NEW, StateLabels.NONE));
        assertThat(storage.log.stream().distinct())
                .containsExactly("create", "write", "sync", "rename", "syncDirectory");
        assertThat(storage.log.lastIndexOf("write")).isLessThan(storage.log.indexOf("sync"));
    }

    @Test
    void whateverCallFailsForEverTheFileIsWholeAndTheNextWriteSucceeds() {
        for (int failing = 1; failing <= 8; failing++) {
            ModelFile.write(file, OLD);
            FaultyStorage storage = new FaultyStorage(failing, true);
            assertThatThrownBy(() -> ModelFile.write(storage, file, new StoredModel(NEW, StateLabels.NONE)))
                    .isInstanceOf(ModelAccessException.class);
            assertThat(ModelFile.read(file).digest()).isEqualTo((storage.renamed ? NEW : OLD).digest());
            // The temporary file could not be removed; it is in nobody's way.
            ModelFile.write(file, NEW);
            assertThat(ModelFile.read(file).digest()).isEqualTo(NEW.digest());
        }
    }

    @Test
    void anErrorThatIsNotAboutFilesLeavesNothingEither() throws IOException {
        assertThatThrownBy(() -> AtomicFile.replace(Storage.DISK, file, channel -> {
                    throw new IllegalStateException("out of luck");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(files()).containsExactly(file);
        assertThat(ModelFile.read(file).digest()).isEqualTo(OLD.digest());
    }

    @Test
    void anExistingFileIsReplaced() throws IOException {
        ModelFile.write(file, NEW);
        assertThat(Files.readAllBytes(file)).isEqualTo(ModelFile.encode(NEW));
        assertThat(files()).containsExactly(file);
    }

    @Test
    void aNameAsLongAsTheFileSystemAllowsIsFine() {
        Path longest = directory.resolve("m".repeat(255));
        ModelFile.write(longest, NEW);
        assertThat(ModelFile.read(longest).digest()).isEqualTo(NEW.digest());
    }

    @Test
    void filesThatCannotBeReachedAreNamed() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> ModelFile.read(missing))
                .isInstanceOf(ModelAccessException.class)
                .hasMessage("cannot read model file " + missing + ": there is no such file; check the path");
        assertThatThrownBy(() -> ModelFile.read(directory))
                .isInstanceOf(ModelAccessException.class)
                .hasMessageContaining("it is a directory");
        assertThatThrownBy(() -> ModelFile.write(missing.resolve("model"), NEW))
                .isInstanceOf(ModelAccessException.class)
                .hasMessageContaining("its directory does not exist");
        Path folder = Files.createDirectory(directory.resolve("folder"));
        assertThatThrownBy(() -> ModelFile.write(folder, NEW)).isInstanceOf(ModelAccessException.class);
        assertThatThrownBy(() -> ModelFile.write(Path.of("/"), NEW)).isInstanceOf(ModelAccessException.class);
        assertThatThrownBy(() -> ModelFile.write(Path.of(""), NEW)).isInstanceOf(ModelAccessException.class);
        assertThat(files()).containsExactlyInAnyOrder(file, folder);
    }

    @Test
    void aDirectoryWithoutPermissionIsRefused() throws IOException {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path closed = Files.createDirectory(directory.resolve("closed"));
        Path inside = closed.resolve("model");
        ModelFile.write(inside, OLD);
        Files.setPosixFilePermissions(closed, Set.of());
        try {
            assumeTrue(!Files.isReadable(closed), "the user of this test may do everything");
            assertThatThrownBy(() -> ModelFile.write(inside, NEW))
                    .isInstanceOf(ModelAccessException.class)
                    .hasMessageContaining("permission denied");
            assertThatThrownBy(() -> ModelFile.read(inside)).isInstanceOf(ModelAccessException.class);
        } finally {
            Files.setPosixFilePermissions(closed, java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(ModelFile.read(inside).digest()).isEqualTo(OLD.digest());
    }

    @Test
    void readersBesideWritersSeeWholeModelsOnly() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> writers = IntStream.range(0, 2)
                    .<Future<?>>mapToObj(w -> threads.submit(() -> {
                        for (int i = 0; i < 40; i++) {
                            ModelFile.write(file, (i + w) % 2 == 0 ? OLD : NEW);
                        }
                    }))
                    .toList();
            List<Future<?>> readers = IntStream.range(0, 2)
                    .<Future<?>>mapToObj(r -> threads.submit(() -> {
                        for (int i = 0; i < 100; i++) {
                            assertThat(ModelFile.read(file).digest()).isIn(OLD.digest(), NEW.digest());
                        }
                    }))
                    .toList();
            for (Future<?> task :
                    Stream.concat(writers.stream(), readers.stream()).toList()) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(files()).containsExactly(file);
    }

    /** A Gaussian that says it is one, but is a class of the caller's own. */
    private record Disguised(Kernel kernel, String text) implements Kernel {
        @Override
        public double value(CoordinateView view, double[] x, double[] y) {
            return kernel.value(view, x, y);
        }

        @Override
        public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
            kernel.row(view, points, x, out, scratch);
        }

        @Override
        public double bound() {
            return kernel.bound();
        }
    }

    @Test
    void whatCouldNotBeReadAgainIsNotWritten() {
        Kernel gaussian = Kernels.gaussian(0.5);
        Kernel unknown = new Disguised(gaussian, "mine(sigma=0.5)");
        Kernel disguised = new Disguised(gaussian, gaussian.text());
        Kernel deep = gaussian;
        for (int i = 0; i < 80; i++) {
            deep = Kernels.scaled(deep, 1.0);
        }
        for (Kernel kernel : List.of(unknown, disguised, deep)) {
            refusedToWrite(SogdConfig.forState(1, kernel), Reason.UNKNOWN_KERNEL);
        }
        refusedToWrite(SogdConfig.forState(ModelFile.MAX_DIMENSION + 1, gaussian), Reason.TOO_LARGE);
        SogdState broken = ModelStates.ofSize(3);
        broken.matrix().set(1, 1, Double.NaN);
        refusedToWrite(broken, Reason.NOT_FINITE);
    }

    private void refusedToWrite(SogdConfig.Builder settings, Reason reason) {
        refusedToWrite(SogdLearner.koopman(settings.build()).state(), reason);
    }

    private void refusedToWrite(SogdState state, Reason reason) {
        assertThatThrownBy(() -> ModelFile.write(file, state))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageStartingWith("state to be stored: ");
        assertThat(ModelFile.read(file).digest()).isEqualTo(OLD.digest());
    }
}
