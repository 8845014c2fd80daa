package io.koopstream.io;

import io.koopstream.stream.LearningStreamState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

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

    /** Version 2 differs in the checksums of its models only. */
    private static final StateFormat FORMAT = new StateFormat("the state of a stream", 0x4b535452, 2, 5, 2);

    private StreamFile() {}

    /** The bytes of a state. */
    public static byte[] encode(LearningStreamState state) {
        long points = state.learner() == null ? 0 : state.learner().dictionarySize();
        // Two m × m matrices, a factor and a watched operator: about what is written, so that it is not copied again
        // and again.
        return FORMAT.encode((int) Math.min((1 << 16) + 48 * points * points, 1 << 30), state::save);
    }

    /** SHA-256 over every bit of a state, as 64 hexadecimal digits: equal exactly when two states are. */
    public static String digest(LearningStreamState state) {
        Checksum checksum = Checksum.sha256();
        checksum.update(encode(state));
        return checksum.digits();
    }

    /** The state in these bytes, and in nothing after them. */
    public static LearningStreamState decode(byte[] bytes) {
        return FORMAT.decode(bytes, LearningStreamState::read);
    }

    /** Writes a state. */
    public static void write(DataOutput out, LearningStreamState state) throws IOException {
        FORMAT.write(out, state::save);
    }

    /** Reads a state, and nothing of what follows it. */
    public static LearningStreamState read(DataInput in) throws IOException {
        return FORMAT.read(in, LearningStreamState::read);
    }
}
