package io.koopstream.io;

import io.koopstream.KoopstreamException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.stream.LearningStreamState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The one codec of a {@link LearningStreamState}: what the command keeps in a model file, the server in its snapshots and a job in its savepoints.
 * One state has one sequence of bytes, so equal bytes are equal states; whatever bytes are read, the result is a state that was checked or a
 * {@link ModelFormatException}. docs/formats.md has the layout.
 */
public final class StreamFile {

    /**
     * A target that keeps what it is given in sections, so that one that did not change need not be stored again. A section begins where what changes
     * rarely (a dictionary) and what changes with every record (statistics) meet; one behind the other they are the bytes that any target gets.
     */
    public interface SectionedOutput extends DataOutput {

        /** What follows belongs to another section than what came before. */
        void section() throws IOException;
    }

    private static final int MAGIC = 0x4b535452;
    private static final int VERSION = 5;
    /** Differs in the checksums of its models only. */
    private static final int VERSION_SHA = 2;

    private StreamFile() {}

    /** The bytes of a state. */
    public static byte[] encode(LearningStreamState state) {
        long points = state.learner() == null ? 0 : state.learner().dictionarySize();
        // Two m × m matrices, a factor and a watched operator: about what is written, so that it is not copied again
        // and again.
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream((int) Math.min((1 << 16) + 48 * points * points, 1 << 30));
        try {
            write(new DataOutputStream(bytes), state);
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
        return bytes.toByteArray();
    }

    /** SHA-256 over every bit of a state, as 64 hexadecimal digits: equal exactly when two states are. */
    public static String digest(LearningStreamState state) {
        Checksum checksum = Checksum.sha256();
        checksum.update(encode(state));
        return checksum.digits();
    }

    /** The state in these bytes, and in nothing after them. */
    public static LearningStreamState decode(byte[] bytes) {
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        try {
            LearningStreamState state = read(new DataInputStream(source));
            if (source.available() > 0) {
                throw fault(Reason.TRAILING_BYTES, "the end", source.available() + " more bytes", null);
            }
            return state;
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
    }

    /** Writes a state. */
    public static void write(DataOutput out, LearningStreamState state) throws IOException {
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        try {
            state.save(new StateOutput(out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Reads a state, and nothing of what follows it. */
    public static LearningStreamState read(DataInput in) throws IOException {
        try {
            int version = version(in);
            return LearningStreamState.read(new StateInput("state of a stream", in, version > VERSION_SHA), version);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof EOFException) {
                throw truncated(e);
            }
            throw e.getCause();
        } catch (EOFException e) {
            throw truncated(e);
        } catch (ModelFormatException e) {
            throw e;
        } catch (KoopstreamException e) {
            throw fault(Reason.BAD_SETTING, "parts that make up the state of a stream", e.getMessage(), e);
        }
    }

    private static int version(DataInput in) throws IOException {
        int magic = in.readInt();
        if (magic != MAGIC) {
            throw fault(
                    Reason.FOREIGN,
                    "the state of a stream",
                    "bytes that begin with " + Integer.toHexString(magic),
                    null);
        }
        int version = in.readInt();
        if (version < VERSION_SHA || version > VERSION) {
            throw fault(
                    version > VERSION ? Reason.TOO_NEW : Reason.TOO_OLD,
                    "version " + VERSION_SHA + " to " + VERSION,
                    "version " + version,
                    null);
        }
        return version;
    }

    private static ModelFormatException truncated(Exception cause) {
        return fault(Reason.TRUNCATED, "more bytes", "the end", cause);
    }

    private static ModelFormatException fault(Reason reason, String expected, String actual, Throwable cause) {
        return new ModelFormatException(reason, "state of a stream", -1, expected, actual, cause);
    }
}
