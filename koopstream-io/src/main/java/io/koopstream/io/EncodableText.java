package io.koopstream.io;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Text that is the same after it was written in UTF-8 and read again. Half a surrogate pair is written as a question mark by most encoders, and bytes
 * that are no UTF-8 are read as one replacement character: two names would become one, in silence.
 */
public final class EncodableText {

    private static final char REPLACEMENT = '\ufffd';

    private EncodableText() {}

    /** What keeps a text from being a name, in words that go on after it; null when nothing does. */
    public static String objection(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == REPLACEMENT) {
                return "has bytes that are not UTF-8";
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return "has half a surrogate pair, which cannot be stored";
            }
        }
        return null;
    }

    /**
     * The bytes of a text.
     *
     * @throws IllegalArgumentException if they would be those of another text: whoever let it in should have refused it
     */
    public static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] array = new byte[bytes.remaining()];
            bytes.get(array);
            return array;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text with half a surrogate pair, which cannot be stored", e);
        }
    }
}
