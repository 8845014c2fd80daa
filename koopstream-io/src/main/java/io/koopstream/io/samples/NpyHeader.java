package io.koopstream.io.samples;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of an NPY file, versions 1 to 3.
 *
 * @param shape the lengths of its dimensions
 * @param isFortran whether the first of them runs fastest
 * @param number what the numbers are
 * @param byteOrder the order of their bytes
 * @param dataStart where they begin
 */
record NpyHeader(List<Long> shape, boolean isFortran, NpyNumber number, ByteOrder byteOrder, int dataStart) {

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int LARGEST = 1 << 16;
    private static final Pattern DTYPE = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9,\\sL]*)\\)");

    static boolean isMagic(byte[] start) {
        return start.length >= MAGIC.length && Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Reads the header from the first bytes of a file. */
    static NpyHeader parse(String source, ByteBuffer start) {
        ByteBuffer bytes = start.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[MAGIC.length];
        if (bytes.remaining() < 10) {
            throw new SampleFormatException(source, "has " + bytes.remaining() + " bytes, too few for an NPY file");
        }
        bytes.get(magic);
        if (!isMagic(magic)) {
            throw new SampleFormatException(source, "does not begin as an NPY file does");
        }
        int version = bytes.get();
        bytes.get();
        if (version < 1 || version > 3) {
            throw new SampleFormatException(source, "NPY version " + version + ": known are 1, 2 and 3");
        }
        long length = version == 1
                ? Short.toUnsignedInt(bytes.getShort())
                : bytes.remaining() < 4 ? Long.MAX_VALUE : Integer.toUnsignedLong(bytes.getInt());
        if (length > LARGEST || length > bytes.remaining()) {
            throw new SampleFormatException(
                    source, "the NPY header says it has " + length + " bytes, the file is shorter");
        }
        byte[] text = new byte[(int) length];
        bytes.get(text);
        String dictionary = new String(text, version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        return parse(source, dictionary, bytes.position());
    }

    private static NpyHeader parse(String source, String dictionary, int dataStart) {
        Matcher dtype = DTYPE.matcher(dictionary);
        Matcher order = ORDER.matcher(dictionary);
        Matcher shape = SHAPE.matcher(dictionary);
        if (!order.find() || !shape.find()) {
            throw new SampleFormatException(source, "the NPY header cannot be understood: " + dictionary.strip());
        }
        NpyNumber number = dtype.find() ? NpyNumber.of(dtype.group(1)) : null;
        if (number == null) {
            throw new SampleFormatException(
                    source, "holds something else than numbers of 1 to 8 bytes; save it with .astype(numpy.float64)");
        }
        return new NpyHeader(
                Arrays.stream(shape.group(1).split(",", -1))
                        .map(part -> part.replace("L", "").strip())
                        .filter(part -> !part.isEmpty())
                        .map(part -> number(source, part))
                        .toList(),
                order.group(1).equals("True"),
                number,
                dtype.group(1).startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
                dataStart);
    }

    private static Long number(String source, String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new SampleFormatException(
                    source, "the NPY header has the length " + text + ", more than a file can hold");
        }
    }
}
