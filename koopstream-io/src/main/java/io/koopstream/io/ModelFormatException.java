package io.koopstream.io;

import io.koopstream.KoopstreamException;

/**
 * Bytes that are not a model this release reads, or a state that cannot be stored. The message is one line: where, what, what was
 * expected and found, and what to do.
 */
public final class ModelFormatException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private static final int MAX_QUOTE = 300;

    /** What is wrong. Listed in the order in which it is looked for. */
    public enum Reason {
        /** No bytes at all. */
        EMPTY("the file is empty", "the wrong file was named or a copy failed: use a backup"),
        /** More than this format, or this JVM, can hold. */
        TOO_LARGE("too large", "see the limits in docs/formats.md, or give the JVM more memory (-Xmx)"),
        /** Fewer bytes than the file itself announces. */
        TRUNCATED("the file is cut short", "copy it again or use a backup"),
        /** A file of another kind: an archive, a pickle, a serialized Java object, somebody else's tensors. */
        FOREIGN("not a Koopstream model", "name a file that was written by ModelFile.write"),
        /** The announced header is longer than any header may be. */
        HEADER_TOO_LONG("the announced header is too long", "the file is damaged or not a model: use a backup"),
        /** The header is not UTF-8. */
        NOT_UTF8("the header is not UTF-8", "the file is damaged: use a backup"),
        /** The header is not JSON. */
        NOT_JSON("the header is not JSON", "the file is damaged: use a backup"),
        /** The header is JSON, but not of the form that safetensors prescribes. */
        BAD_HEADER("the header is not a safetensors header", "the file is damaged: use a backup"),
        /** A key occurs twice. */
        DUPLICATE_KEY("a key occurs twice", "write the model again with ModelFile.write"),
        /** The version is not a version number. */
        BAD_VERSION("not a format version", "write the model again with ModelFile.write"),
        /** Written by a later release. */
        TOO_NEW("written by a later release", "read it with a release that knows this version"),
        /** Written in a version that is no longer read. */
        TOO_OLD("written in a retired version", "learn the model again from its data"),
        /** Bytes after the last tensor. */
        TRAILING_BYTES("bytes follow the last tensor", "the file was extended or joined with another: use a backup"),
        /** The bytes are not those that were written. */
        CHECKSUM("the checksum does not match", "the file is damaged: use a backup"),
        /** A metadata key or tensor that this version does not have. */
        UNKNOWN_SECTION("a section this version does not have", "write the model again with ModelFile.write"),
        /** A metadata key or tensor that this version must have. */
        MISSING_SECTION("a section is missing", "write the model again with ModelFile.write"),
        /** A tensor of another element type. */
        BAD_TYPE("a tensor has another element type", "write the model again with ModelFile.write"),
        /** A count or size that is negative, or does not fit the others. */
        BAD_COUNT("a count is wrong", "write the model again with ModelFile.write"),
        /** A count so large that arithmetic on it overflows. */
        OVERFLOW("a count overflows", "the file is damaged or hostile: do not use it"),
        /** Two tensors share bytes. */
        OVERLAP("two tensors overlap", "the file is damaged or hostile: do not use it"),
        /** Bytes between two tensors that belong to neither. */
        HOLE("a hole between two tensors", "the file is damaged or hostile: do not use it"),
        /** The right content in another arrangement than the one per model of this version has. */
        NOT_CANONICAL("not arranged as this version prescribes", "write the model again with ModelFile.write"),
        /** A learner or a feature that no version covers. */
        UNSUPPORTED("not supported by this release", "read it with the release that wrote it"),
        /** A kernel outside the list of those that have a name. */
        UNKNOWN_KERNEL("a kernel that cannot be named", "only kernels that Kernels.parse reads can be stored"),
        /** A setting that is out of range or cannot be read. */
        BAD_SETTING("a setting is not legal", "write the model again with legal settings"),
        /** A step size or budget of the caller's own, which the caller has to supply again. */
        MISSING_SCHEDULE("a custom schedule is needed", "its function is not in the file: pass it in CustomSchedules"),
        /** NaN or an infinity. */
        NOT_FINITE("a number is not finite", "learn the model again"),
        /** A kept sample that the kernel's space does not have. */
        BAD_POINT("a kept sample is outside the space", "learn the model again"),
        /** The statistics of least squares are not those of any samples. */
        BAD_STATISTICS("statistics that no samples could give", "restore it from a copy"),
        /** A factor that is not the factor of its points. */
        BAD_FACTOR("a factor does not belong to its points", "learn the model again");

        private final String what;
        private final String advice;

        Reason(String what, String advice) {
            this.what = what;
            this.advice = advice;
        }
    }

    private final Reason reason;
    private final long offset;
    private final String expected;
    private final String actual;

    /**
     * @param reason what is wrong
     * @param source what was read or written, e.g. the path
     * @param offset where in it, in bytes from the start, or -1
     * @param expected what should be there
     * @param actual what is there
     * @param cause the error behind it, or null
     */
    ModelFormatException(Reason reason, String source, long offset, String expected, String actual, Throwable cause) {
        super(
                printable(source) + ": " + reason.what + (offset < 0 ? "" : " (byte " + offset + ")") + ": expected "
                        + printable(expected) + ", found " + printable(actual) + "; " + reason.advice,
                cause);
        this.reason = reason;
        this.offset = offset;
        this.expected = printable(expected);
        this.actual = printable(actual);
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }

    /** Where, in bytes from the start of the file, or -1 when no single place is at fault. */
    public long offset() {
        return offset;
    }

    /** What should have been there, in words. */
    public String expected() {
        return expected;
    }

    /** What was there, in words. */
    public String actual() {
        return actual;
    }

    /** Text of a file may hold anything; a message is one short line that is safe to log. */
    private static String printable(String text) {
        StringBuilder line = new StringBuilder();
        int end = Math.min(text.length(), MAX_QUOTE);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean harmless = c >= ' ' && c != 0x7f && !Character.isISOControl(c) && !Character.isSurrogate(c);
            line.append(
                    harmless && Character.getType(c) != Character.FORMAT && c != '\u2028' && c != '\u2029' ? c : '?');
        }
        return end < text.length() ? line + "..." : line.toString();
    }
}
