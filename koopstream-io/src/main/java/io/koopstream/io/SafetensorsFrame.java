package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Tensor;
import io.koopstream.io.SafetensorsHeader.Text;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A safetensors file with a checksum among its texts, read in one pass: the header, the numbers, and then whether all of it is as it was written. The questions whose
 * answers make a useful message come first: is it such a file, is it whole.
 */
final class SafetensorsFrame {

    /** Bytes before the header: its length. */
    static final int PREFIX = Long.BYTES;

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final ModelSource source;
    private final byte[] bytes;
    private final SafetensorsHeader header;
    private final Checksum checksum;
    private Text digits;
    private TensorStream data;

    private SafetensorsFrame(ModelSource source, byte[] bytes, SafetensorsHeader header, Checksum checksum) {
        this.source = source;
        this.bytes = bytes;
        this.header = header;
        this.checksum = checksum;
    }

    /**
     * Reads the header.
     *
     * @param what the file should be, for messages
     * @param known the metadata keys whose texts are wanted
     */
    static SafetensorsFrame open(ModelSource source, String what, Set<String> known) {
        byte[] prefix = new byte[PREFIX];
        byte[] bytes = readHeader(source, what, prefix);
        Checksum checksum = source.isFramed() ? Checksum.crc32c() : Checksum.sha256();
        checksum.update(prefix);
        return new SafetensorsFrame(source, bytes, HeaderParser.parse(source, bytes, PREFIX, known), checksum);
    }

    SafetensorsHeader header() {
        return header;
    }

    /** The header as it stands in the file. */
    byte[] bytes() {
        return bytes;
    }

    /** Place in the file at which the numbers begin. */
    long dataStart() {
        return (long) PREFIX + bytes.length;
    }

    /**
     * The numbers, of a file that is whole.
     *
     * @param written the checksum among the texts
     */
    TensorStream data(Text written) {
        digits = written;
        requireWhole();
        digestHeader();
        data = new TensorStream(source, checksum, dataStart());
        return data;
    }

    /** Reads the header's length and the header, once it is plausible that there is one. */
    private static byte[] readHeader(ModelSource source, String what, byte[] prefix) {
        long size = source.size();
        if (size == 0) {
            throw source.fault(Reason.EMPTY, 0, "a model", "0 bytes");
        }
        if (size > ModelFile.MAX_FILE) {
            throw source.fault(Reason.TOO_LARGE, -1, "at most " + ModelFile.MAX_FILE + " bytes", size + " bytes");
        }
        byte[] start = new byte[(int) Math.min(size, PREFIX + 1)];
        source.fill(ByteBuffer.wrap(start));
        boolean opensObject = start.length > PREFIX && start[PREFIX] == '{';
        long length = start.length < PREFIX
                ? -1
                : ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
        boolean tooLong = Long.compareUnsigned(length, ModelFile.MAX_HEADER) > 0;
        if (!opensObject || tooLong) {
            ForeignFormats.recognise(start).ifPresent(format -> {
                throw source.fault(Reason.FOREIGN, 0, what, format);
            });
        }
        if (start.length <= PREFIX) {
            throw source.fault(Reason.TRUNCATED, size, "the 8 bytes of a header length and a header", size + " bytes");
        }
        if (!opensObject) {
            throw source.fault(Reason.FOREIGN, PREFIX, what + " with '{' here", hex(start[PREFIX]));
        }
        if (tooLong) {
            throw source.fault(
                    Reason.HEADER_TOO_LONG,
                    0,
                    "at most " + ModelFile.MAX_HEADER + " bytes",
                    Long.toUnsignedString(length) + " bytes");
        }
        if (length > size - PREFIX) {
            throw source.fault(Reason.TRUNCATED, size, "a header of " + length + " bytes", (size - PREFIX) + " bytes");
        }
        if (length == 0) {
            throw source.fault(Reason.NOT_JSON, PREFIX, "a JSON object", "a header of 0 bytes");
        }
        System.arraycopy(start, 0, prefix, 0, PREFIX);
        byte[] header = new byte[(int) length];
        header[0] = start[PREFIX];
        source.fill(ByteBuffer.wrap(header, 1, header.length - 1));
        return header;
    }

    private static String hex(byte value) {
        return "byte 0x" + Integer.toHexString(value & 0xff);
    }

    /** The last tensor must end where the file ends; checked early because cut-off files are the most frequent ones. */
    private void requireWhole() {
        long announced = header.tensors().stream().mapToLong(Tensor::end).max().orElse(0);
        long present = source.size() - dataStart();
        if (announced != present) {
            boolean cut = announced > present;
            throw source.fault(
                    cut ? Reason.TRUNCATED : Reason.TRAILING_BYTES,
                    cut ? source.size() : dataStart() + Math.max(0, announced),
                    announced + " bytes of tensors",
                    present + " bytes");
        }
    }

    /** The digest covers the header with zeros in the place of the digits that hold the digest itself. */
    private void digestHeader() {
        if (!SHA_256.matcher(digits.value()).matches()) {
            throw source.fault(
                    Reason.CHECKSUM, digits.offset(), Checksum.DIGITS + " hexadecimal digits", digits.value());
        }
        if (source.isFramed() && !digits.value().equals("0".repeat(Checksum.DIGITS))) {
            throw source.fault(Reason.NOT_CANONICAL, digits.offset(), "zeros for a checksum", digits.value());
        }
        int at = (int) (digits.offset() - PREFIX);
        int end = at + Checksum.DIGITS;
        for (int i = at; i < end; i++) {
            if (i >= bytes.length || bytes[i] != digits.value().charAt(i - at)) {
                throw source.fault(Reason.NOT_CANONICAL, digits.offset(), "plain digits", "escaped characters");
            }
        }
        byte[] unsigned = bytes.clone();
        Arrays.fill(unsigned, at, end, (byte) '0');
        checksum.update(unsigned);
    }

    /** Reads what is left of the data, and compares. */
    void requireChecksum() {
        data.skipRest();
        boolean framed = source.isFramed();
        String written = framed ? Integer.toHexString(source.crc()) : digits.value();
        String computed = framed ? Integer.toHexString(checksum.crc()) : checksum.digits();
        if (!computed.equals(written)) {
            throw source.fault(Reason.CHECKSUM, digits.offset(), written + " (written)", computed + " (computed)");
        }
    }
}
