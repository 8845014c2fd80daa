package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A learner's state as a file: a safetensors file of format {@code koopstream-model}, version 2, 3 or 4 (docs/formats.md has every byte of it).
 *
 * <p>Guarantees:
 *
 * <ol>
 *   <li>a state that was written and read is the same state bit for bit, so {@code read(path).resumeKoopman()} goes on as the
 *       learner would have; one state has one file, byte for byte;
 *   <li>a write replaces the file in one step: after a failure, a crash or a loss of power it is the old one or the new one, whole;
 *   <li>whatever bytes are read, the result is a state that was checked or a {@link ModelFormatException}; no code in the file is run,
 *       and no more memory is taken than about the file's size and a constant.
 * </ol>
 *
 * <p>Thread-safe. Two threads that write one path at once leave one of the two models there.
 *
 * <pre>{@code
 * SogdLearner<KoopmanOperator> learner =
 *         SogdLearner.koopman(SogdConfig.forState(2, Kernels.gaussian(0.5)).build());
 * learner.fitTrajectory(states, 1);
 * ModelFile.write(folder.resolve("model.safetensors"), learner.state());
 * Learner<KoopmanOperator> resumed = ModelFile.read(folder.resolve("model.safetensors")).resumeKoopman();
 * }</pre>
 */
public final class ModelFile {

    /** The most bytes per model file may have. */
    public static final long MAX_FILE = 0x7fff_fff0L;

    /** The most bytes its header may have. */
    public static final int MAX_HEADER = 1 << 20;

    /** The most coordinates a state or an action may have in a model file. */
    public static final int MAX_DIMENSION = 1 << 17;

    private ModelFile() {}

    /**
     * Writes a state, and replaces the file if it exists. A symbolic link is replaced, not followed.
     *
     * @throws ModelFormatException if the state cannot be stored; nothing has been written then
     * @throws ModelAccessException if the file cannot be written; an old file is then as it was
     */
    public static void write(Path path, LearnerState state) {
        write(path, new StoredModel(state, StateLabels.NONE));
    }

    /** Writes a state with the names of its coordinates; see {@link #write(Path, LearnerState)}. */
    public static void write(Path path, StoredModel model) {
        write(Storage.DISK, path, model);
    }

    static void write(Storage storage, Path path, StoredModel model) {
        ModelWriter writer = ModelWriter.ofFile(model);
        try {
            AtomicFile.replace(storage, path, file -> writer.writeTo(file::write));
        } catch (IOException e) {
            throw new ModelAccessException("write", path, e);
        }
    }

    /**
     * Reads a state whose schedules are built-in ones.
     *
     * @throws ModelFormatException if the file is not a model that can be read
     * @throws ModelAccessException if the file cannot be reached
     */
    public static LearnerState read(Path path) {
        return read(path, CustomSchedules.none());
    }

    /**
     * Reads a state.
     *
     * @param path the file
     * @param schedules the step sizes and budgets that the file may name but cannot hold
     * @throws ModelFormatException if the file is not a model that can be read
     * @throws ModelAccessException if the file cannot be reached
     */
    public static LearnerState read(Path path, CustomSchedules schedules) {
        return load(path, schedules).state();
    }

    /** Reads a state whose schedules are built-in ones, and what its coordinates are called; see {@link #read(Path)}. */
    public static StoredModel load(Path path) {
        return load(path, CustomSchedules.none());
    }

    private static StoredModel load(Path path, CustomSchedules schedules) {
        return ModelSource.open(path, source -> new ModelReader(source, schedules).read());
    }

    /**
     * The bytes that {@link #write} would write.
     *
     * @throws ModelFormatException if the state cannot be stored
     */
    public static byte[] encode(LearnerState state) {
        return encode(new StoredModel(state, StateLabels.NONE));
    }

    /** The bytes that {@link #write(Path, StoredModel)} would write; see {@link #encode(LearnerState)}. */
    public static byte[] encode(StoredModel model) {
        try {
            return ModelWriter.ofFile(model).encode();
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
    }

    /** The state in these bytes; see {@link #read(Path)}. */
    public static LearnerState decode(byte[] bytes) {
        return decode(bytes, CustomSchedules.none());
    }

    /** The state in these bytes; see {@link #read(Path, CustomSchedules)}. */
    public static LearnerState decode(byte[] bytes, CustomSchedules schedules) {
        return decode(ByteBuffer.wrap(bytes), schedules);
    }

    /** The state between the buffer's position and its limit, which stay as they are; see {@link #read(Path)}. */
    public static LearnerState decode(ByteBuffer bytes) {
        return decode(bytes, CustomSchedules.none());
    }

    /** The state between the buffer's position and its limit, which stay as they are; see {@link #read(Path, CustomSchedules)}. */
    public static LearnerState decode(ByteBuffer bytes, CustomSchedules schedules) {
        return new ModelReader(ModelSource.of(bytes), schedules).read().state();
    }

    /**
     * Writes a model into a stream of data: its length in eight bytes, the bytes that {@link #encode} gives with zeros for their checksum, and the
     * CRC-32C of those in four; piece by piece, so that they are never in memory all at once.
     *
     * @throws ModelFormatException if the state cannot be stored
     */
    static void writeFramed(DataOutput target, StoredModel model) throws IOException {
        ModelWriter.ofFrame(model).writeFramed(target);
    }

    /**
     * Writes the bytes that {@link #encode} gives into a stream of bytes, piece by piece.
     *
     * @throws ModelFormatException if the state cannot be stored; nothing has been written then
     */
    public static void write(OutputStream target, StoredModel model) throws IOException {
        ModelWriter.ofFile(model).writeTo(bytes -> {
            target.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
        });
    }

    /**
     * Reads a model that {@link #writeFramed} wrote, and nothing of what follows it.
     *
     * @param framed whether it has a CRC; older ones have the SHA-256 of a file instead
     * @throws ModelFormatException if it is not a model that can be read, or ends too early
     * @throws IOException if the source cannot be read
     */
    static StoredModel readFramed(DataInput source, boolean framed) throws IOException {
        try {
            return new ModelReader(ModelSource.of(source, framed), CustomSchedules.none()).read();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Reads a model of a known number of bytes from a stream, and nothing of what follows it.
     *
     * @throws ModelFormatException if it is not a model that can be read, or ends too early
     * @throws IOException if the source cannot be read
     */
    public static StoredModel read(InputStream source, long length, CustomSchedules schedules) throws IOException {
        try {
            return new ModelReader(ModelSource.of(source, length), schedules).read();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
