package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Texts and matrices by name in a safetensors file with a checksum: the frame of files other than models, such as policies. What is
 * between the lines is the business of whoever writes and reads it; that it is whole and undamaged is that of this class.
 *
 * <p>Written like a model file: in one step, in one arrangement, with a SHA-256 over everything ({@link ModelFile}). Immutable.
 */
public final class TensorFile {

    private static final String CHECKSUM = "checksum";
    private static final String FORMAT = "format";
    private static final int PREFIX = Long.BYTES;

    private final Map<String, String> texts;
    private final Map<String, double[][]> matrices;

    /**
     * @param texts by key; printable ASCII without quotes and backslashes; {@code format} and {@code checksum} are this class's
     * @param matrices by name, rows of equal length, every number finite; not copied
     */
    public TensorFile(Map<String, String> texts, Map<String, double[][]> matrices) {
        this.texts = new LinkedHashMap<>(texts);
        this.matrices = new LinkedHashMap<>(matrices);
    }

    /** The texts by key, without {@code format} and {@code checksum}. */
    public Map<String, String> texts() {
        return Map.copyOf(texts);
    }

    /** A matrix by name, or null; shared, not a copy. */
    public double[][] matrix(String name) {
        return matrices.get(name);
    }

    /** The names of the matrices. */
    public Set<String> names() {
        return Set.copyOf(matrices.keySet());
    }

    /**
     * Writes the file, and replaces it if it exists.
     *
     * @param format what the file is, e.g. {@code koopstream-policy}
     * @throws ModelFormatException if a text or a number cannot be stored; nothing has been written then
     * @throws ModelAccessException if the file cannot be written; an old file is then as it was
     */
    public void write(Path path, String format) {
        byte[] bytes = encode(format);
        try {
            AtomicFile.replace(Storage.DISK, path, file -> file.write(ByteBuffer.wrap(bytes)));
        } catch (IOException e) {
            throw new ModelAccessException("write", path, e);
        }
    }

    private byte[] encode(String format) {
        TreeMap<String, String> metadata = new TreeMap<>(texts);
        metadata.put(FORMAT, format);
        metadata.put(CHECKSUM, "0".repeat(Checksum.DIGITS));
        metadata.forEach(TensorFile::requireStorable);
        List<Tensor> tensors = new ArrayList<>();
        long length = 0;
        for (Map.Entry<String, double[][]> entry : matrices.entrySet()) {
            long rows = entry.getValue().length;
            long columns = rows == 0 ? 0 : entry.getValue()[0].length;
            long end = length + rows * columns * Double.BYTES;
            tensors.add(new Tensor(entry.getKey(), "F64", List.of(rows, columns), length, end, -1));
            length = end;
        }
        if (length > ModelFile.MAX_FILE - ModelFile.MAX_HEADER) {
            throw fault(Reason.TOO_LARGE, "at most " + ModelFile.MAX_FILE + " bytes", length + " bytes");
        }
        byte[] header = SafetensorsHeader.encode(metadata, tensors);
        ByteBuffer bytes = ByteBuffer.allocate(PREFIX + header.length + (int) length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header);
        matrices.forEach((name, rows) -> {
            for (double[] row : rows) {
                for (double number : row) {
                    if (!Double.isFinite(number) || row.length != rows[0].length) {
                        throw fault(Reason.NOT_FINITE, "finite numbers in equal rows of " + name, number + "");
                    }
                    bytes.putDouble(number);
                }
            }
        });
        Checksum checksum = Checksum.sha256();
        checksum.update(bytes.array());
        metadata.put(CHECKSUM, checksum.digits());
        byte[] signed = SafetensorsHeader.encode(metadata, tensors);
        System.arraycopy(signed, 0, bytes.array(), PREFIX, signed.length);
        return bytes.array();
    }

    private static void requireStorable(String key, String text) {
        if (!text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '"' && c != '\\')) {
            throw fault(Reason.BAD_SETTING, key + " in printable ASCII without quotes and backslashes", text);
        }
    }

    private static ModelFormatException fault(Reason reason, String expected, String actual) {
        return new ModelFormatException(reason, "file to be written", -1, expected, actual, null);
    }

    /**
     * Reads a file.
     *
     * @param format what it must be
     * @param keys the texts it must have
     * @throws ModelFormatException if the file is something else, or damaged
     * @throws ModelAccessException if the file cannot be reached
     */
    public static TensorFile read(Path path, String format, Set<String> keys) {
        return ModelSource.open(path, source -> decode(source, format, keys));
    }

    /**
     * The same from the bytes of a file.
     *
     * @throws ModelFormatException if they are something else, or damaged
     */
    public static TensorFile of(byte[] bytes, String format, Set<String> keys) {
        return decode(ModelSource.of(ByteBuffer.wrap(bytes)), format, keys);
    }

    private static TensorFile decode(ModelSource source, String format, Set<String> keys) {
        if (source.size() > ModelFile.MAX_FILE) {
            throw source.fault(
                    Reason.TOO_LARGE, -1, "at most " + ModelFile.MAX_FILE + " bytes", source.size() + " bytes");
        }
        if (source.size() <= PREFIX) {
            throw source.fault(Reason.TRUNCATED, 0, "a " + format + " file", source.size() + " bytes");
        }
        byte[] start = new byte[PREFIX + 1];
        source.fill(ByteBuffer.wrap(start));
        long headerLength =
                ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (start[PREFIX] != '{' || headerLength < 2 || headerLength > ModelFile.MAX_HEADER) {
            throw source.fault(
                    Reason.FOREIGN,
                    0,
                    "a safetensors file of format " + format,
                    ForeignFormats.recognise(start).orElse("something else"));
        }
        if (headerLength > source.size() - PREFIX) {
            throw source.fault(Reason.TRUNCATED, source.size(), "a header of " + headerLength + " bytes", "fewer");
        }
        byte[] bytes = Arrays.copyOf(start, (int) source.size());
        source.fill(ByteBuffer.wrap(bytes, start.length, bytes.length - start.length));
        byte[] headerBytes = Arrays.copyOfRange(bytes, PREFIX, PREFIX + (int) headerLength);
        Set<String> known = new java.util.HashSet<>(keys);
        known.addAll(Set.of(FORMAT, CHECKSUM));
        SafetensorsHeader header = HeaderParser.parse(source, headerBytes, PREFIX, known);
        SafetensorsHeader.Text found = header.metadata().get(FORMAT);
        if (found == null || !found.value().equals(format)) {
            throw source.fault(
                    Reason.FOREIGN, PREFIX, "a file of format " + format, found == null ? "none" : found.value());
        }
        requireChecksum(source, header, bytes);
        return new TensorFile(texts(source, header, known), matrices(source, header, bytes, PREFIX + headerLength));
    }

    private static void requireChecksum(ModelSource source, SafetensorsHeader header, byte[] bytes) {
        SafetensorsHeader.Text digits = header.metadata().get(CHECKSUM);
        String written = digits == null ? "" : digits.value();
        int at = digits == null ? 0 : (int) digits.offset();
        boolean plain = written.length() == Checksum.DIGITS
                && at + Checksum.DIGITS <= bytes.length
                && new String(bytes, at, Checksum.DIGITS, StandardCharsets.ISO_8859_1).equals(written);
        Checksum checksum = Checksum.sha256();
        if (plain) {
            byte[] unsigned = bytes.clone();
            Arrays.fill(unsigned, at, at + Checksum.DIGITS, (byte) '0');
            checksum.update(unsigned);
        }
        String computed = checksum.digits();
        if (!plain || !computed.equals(written)) {
            throw source.fault(Reason.CHECKSUM, at, written + " (written)", computed + " (computed)");
        }
    }

    private static Map<String, String> texts(ModelSource source, SafetensorsHeader header, Set<String> known) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String key : known) {
            SafetensorsHeader.Text text = header.metadata().get(key);
            if (text == null) {
                throw source.fault(Reason.MISSING_SECTION, PREFIX, "metadata " + key, "nothing");
            }
            texts.put(key, text.value());
        }
        texts.remove(FORMAT);
        texts.remove(CHECKSUM);
        return texts;
    }

    private static Map<String, double[][]> matrices(
            ModelSource source, SafetensorsHeader header, byte[] bytes, long dataStart) {
        Map<String, double[][]> matrices = new LinkedHashMap<>();
        ByteBuffer data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position((int) dataStart);
        long expected = 0;
        for (Tensor tensor : header.tensors()) {
            boolean matrix = tensor.dtype().equals("F64") && tensor.shape().size() == 2;
            long rows = matrix ? tensor.shape().get(0) : -1;
            long columns = matrix ? tensor.shape().get(1) : -1;
            if (rows < 0 || columns < 0 || rows > Integer.MAX_VALUE || columns > Integer.MAX_VALUE) {
                throw source.fault(
                        Reason.BAD_TYPE, tensor.offset(), "a matrix of doubles", tensor.dtype() + tensor.shape());
            }
            if (tensor.begin() != expected
                    || tensor.end() - tensor.begin() != rows * columns * Double.BYTES
                    || tensor.end() > data.limit() - dataStart) {
                throw source.fault(
                        Reason.BAD_COUNT, tensor.offset(), "bytes for its shape, after the one before", tensor.name());
            }
            expected = tensor.end();
            double[][] numbers = new double[columns == 0 ? 0 : (int) rows][(int) columns];
            for (double[] row : numbers) {
                for (int c = 0; c < row.length; c++) {
                    row[c] = data.getDouble();
                    if (!Double.isFinite(row[c])) {
                        throw source.fault(
                                Reason.NOT_FINITE,
                                data.position() - 8L,
                                "finite numbers in " + tensor.name(),
                                "" + row[c]);
                    }
                }
            }
            matrices.put(tensor.name(), numbers);
        }
        if (data.hasRemaining()) {
            throw source.fault(Reason.TRAILING_BYTES, data.position(), "the end", data.remaining() + " bytes");
        }
        return matrices;
    }
}
