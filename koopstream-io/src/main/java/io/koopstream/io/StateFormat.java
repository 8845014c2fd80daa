package io.koopstream.io;

import io.koopstream.KoopstreamException;
import io.koopstream.io.ModelFormatException.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * A format of states: what stands before the parts that {@link StateOutput} writes, and which errors of reading mean what. Immutable.
 *
 * @param what the state is, for messages
 * @param magic the number it begins with
 * @param oldest version that is read
 * @param newest version, which is written
 * @param unframed the last version whose models have the SHA-256 of a file instead of a CRC
 */
record StateFormat(String what, int magic, int oldest, int newest, int unframed) {

    /** Reads the parts of a state of some version. */
    interface Contents<T> {
        T read(StateInput source, int version) throws IOException;
    }

    /** Writes a state. */
    void write(DataOutput out, Consumer<StateOutput> save) throws IOException {
        out.writeInt(magic);
        out.writeInt(newest);
        try {
            save.accept(new StateOutput(out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** @param size about how many bytes there will be */
    byte[] encode(int size, Consumer<StateOutput> save) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
        try {
            write(new DataOutputStream(bytes), save);
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
        return bytes.toByteArray();
    }

    /** Reads a state, and nothing of what follows it. */
    <T> T read(DataInput in, Contents<T> contents) throws IOException {
        try {
            int found = in.readInt();
            if (found != magic) {
                throw fault(Reason.FOREIGN, what, "bytes that begin with " + Integer.toHexString(found), null);
            }
            int version = in.readInt();
            if (version < oldest || version > newest) {
                throw fault(
                        version > newest ? Reason.TOO_NEW : Reason.TOO_OLD,
                        "version " + oldest + " to " + newest,
                        "version " + version,
                        null);
            }
            return contents.read(new StateInput(what, in, version > unframed), version);
        } catch (IOException | UncheckedIOException e) {
            IOException cause = e instanceof UncheckedIOException unchecked ? unchecked.getCause() : (IOException) e;
            if (cause instanceof EOFException) {
                throw fault(Reason.TRUNCATED, "more bytes", "the end", e);
            }
            throw cause;
        } catch (ModelFormatException e) {
            throw e;
        } catch (KoopstreamException e) {
            throw fault(Reason.BAD_SETTING, "parts that make up " + what, e.getMessage(), e);
        }
    }

    /** The state in these bytes, and in nothing after them. */
    <T> T decode(byte[] bytes, Contents<T> contents) {
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        try {
            T state = read(new DataInputStream(source), contents);
            if (source.available() > 0) {
                throw fault(Reason.TRAILING_BYTES, "the end", source.available() + " more bytes", null);
            }
            return state;
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
    }

    ModelFormatException fault(Reason reason, String expected, String actual, Throwable cause) {
        return new ModelFormatException(reason, what, -1, expected, actual, cause);
    }
}
