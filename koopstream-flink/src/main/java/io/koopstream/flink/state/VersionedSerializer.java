package io.koopstream.flink.state;

import io.koopstream.KoopstreamException;
import io.koopstream.flink.state.IncompatibleStateException.Reason;
import io.koopstream.io.ModelFormatException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What the serializers of mutable state have in common: every value begins with one byte, the version of its format, wherever it lies; what cannot
 * be read is an {@link IncompatibleStateException}.
 *
 * @param <T> the state
 */
public abstract class VersionedSerializer<T> extends TypeSerializer<T> {

    private static final long serialVersionUID = 1L;

    /** What the state is, for messages. */
    protected abstract String what();

    /** The version of the format that is written. */
    protected abstract int format();

    /** The oldest version of the format that is read. */
    protected abstract int oldestFormat();

    /** Refuses a format that cannot be read. */
    final void requireReadable(int format) {
        if (format > format()) {
            throw new IncompatibleStateException(
                    Reason.TOO_NEW,
                    what() + " in format " + format + ", this release reads up to " + format()
                            + "; use the release that wrote it, or a later one");
        }
        if (format < 1) {
            throw new IncompatibleStateException(
                    Reason.DAMAGED, what() + " in format " + format + "; restore from another checkpoint or savepoint");
        }
        if (format < oldestFormat()) {
            throw new IncompatibleStateException(
                    Reason.TOO_OLD,
                    what() + " in format " + format + ", which an older release wrote; this one reads from "
                            + oldestFormat()
                            + " on. Start the job without this checkpoint or savepoint, with nothing or"
                            + " with a published model as warmStart, or keep using the release that wrote it");
        }
    }

    /** Writes a value in the present format. */
    protected abstract void write(T value, DataOutput target) throws IOException;

    /** Reads a value in the present format. */
    protected abstract T read(DataInput source) throws IOException;

    @Override
    public final boolean isImmutableType() {
        return false;
    }

    @Override
    public final TypeSerializer<T> duplicate() {
        // Holds nothing that a thread could disturb for another.
        return this;
    }

    @Override
    public final T copy(T from, T reuse) {
        return copy(from);
    }

    @Override
    public final int getLength() {
        return -1;
    }

    @Override
    public final void serialize(T value, DataOutputView target) throws IOException {
        target.writeByte(format());
        write(value, target);
    }

    @Override
    public final T deserialize(DataInputView source) throws IOException {
        requireReadable(source.readByte());
        try {
            return read(source);
        } catch (IncompatibleStateException e) {
            throw e;
        } catch (ModelFormatException e) {
            throw e.reason() == ModelFormatException.Reason.TOO_OLD
                    ? new IncompatibleStateException(
                            Reason.TOO_OLD,
                            what() + " cannot be continued: " + e.getMessage()
                                    + "; start the job without this checkpoint or savepoint, or keep using the release that wrote it",
                            e)
                    : damaged(e, e.getMessage());
        } catch (EOFException e) {
            throw damaged(e, "it is cut short");
        } catch (KoopstreamException e) {
            throw damaged(e, e.getMessage());
        }
    }

    private IncompatibleStateException damaged(Exception cause, String why) {
        return new IncompatibleStateException(
                Reason.DAMAGED,
                what() + " cannot be restored: " + why + "; restore from another checkpoint or savepoint",
                cause);
    }

    @Override
    public final T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public final void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }
}
