package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
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
    private static final int PREFIX = SafetensorsFrame.PREFIX;

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
        Set<String> known = new HashSet<>(keys);
        known.addAll(Set.of(FORMAT, CHECKSUM));
        SafetensorsFrame frame = SafetensorsFrame.open(source, "a safetensors file of format " + format, known);
        SafetensorsHeader header = frame.header();
        SafetensorsHeader.Text found = header.metadata().get(FORMAT);
        if (found == null || !found.value().equals(format)) {
            throw source.fault(
                    Reason.FOREIGN, PREFIX, "a file of format " + format, found == null ? "none" : found.value());
        }
        for (String key : known) {
            if (!header.metadata().containsKey(key)) {
                throw source.fault(Reason.MISSING_SECTION, PREFIX, "metadata " + key, "nothing");
            }
        }
        TensorStream data = frame.data(header.metadata().get(CHECKSUM));
        Map<String, double[][]> matrices = new LinkedHashMap<>();
        String strange = null;
        ModelLayout.requireContiguous(source, header.tensors());
        List<Tensor> tensors = new ArrayList<>(header.tensors());
        tensors.sort(Comparator.comparingLong(Tensor::begin).thenComparingLong(Tensor::end));
        for (Tensor tensor : tensors) {
            ModelLayout.requireForm(source, tensor, new Tensor(tensor.name(), "F64", List.of(0L, 0L), 0, 0, -1));
            int columns = tensor.shape().get(1).intValue();
            double[][] rows =
                    new double[columns == 0 ? 0 : tensor.shape().get(0).intValue()][columns];
            for (double[] row : rows) {
                data.next(row, columns);
                strange = ModelTensors.isFinite(row, columns) ? strange : tensor.name();
            }
            matrices.put(tensor.name(), rows);
        }
        frame.requireChecksum();
        if (strange != null) {
            throw source.fault(Reason.NOT_FINITE, -1, "finite numbers in " + strange, "others");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        keys.forEach(key -> texts.put(key, header.metadata().get(key).value()));
        return new TensorFile(texts, matrices);
    }
}
