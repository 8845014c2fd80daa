package io.koopstream.flink.state;

import io.koopstream.io.EncodableText;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Texts and counts in stored state. */
public final class Wire {

    private static final int MAX_TEXT = 1 << 24;

    private Wire() {}

    /** A text of any length up to 16 MB of UTF-8. */
    public static void writeText(DataOutput target, String text) throws IOException {
        byte[] bytes = EncodableText.utf8(text);
        target.writeInt(bytes.length);
        target.write(bytes);
    }

    /** A text that {@link #writeText} wrote. */
    public static String readText(DataInput source) throws IOException {
        byte[] bytes = new byte[readCount(source, "bytes of a text", 0, MAX_TEXT)];
        source.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A count, refused outside its range before anything is made of it. */
    public static int readCount(DataInput source, String what, int least, int most) throws IOException {
        return require(source.readInt(), what, least, most);
    }

    /** A count that was read, refused outside its range. */
    public static int require(int count, String what, int least, int most) {
        if (count < least || count > most) {
            throw new IncompatibleStateException(
                    IncompatibleStateException.Reason.DAMAGED,
                    "stored state: " + count + " " + what + ", expected " + least + " to " + most
                            + "; restore from another checkpoint or savepoint");
        }
        return count;
    }
}
