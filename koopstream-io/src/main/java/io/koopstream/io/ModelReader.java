package io.koopstream.io;

import io.koopstream.InvalidStateException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Tensor;
import io.koopstream.io.SafetensorsHeader.Text;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.MethodConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Reads a model in one pass. First the questions whose answers make a useful message (is it a model, is it whole, is it of a version
 * that is read here), then the checksum, then everything the file says; only then is a state built.
 *
 * <p>A header may be wrong because the file is damaged. So what the header gets wrong is held back until the checksum has been
 * compared, and reported only if the file is what was once written.
 */
final class ModelReader {

    private static final int PREFIX = Long.BYTES;
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final ModelSource source;
    private final CustomSchedules schedules;

    ModelReader(ModelSource source, CustomSchedules schedules) {
        this.source = source;
        this.schedules = schedules;
    }

    StoredModel read() {
        byte[] prefix = new byte[PREFIX];
        byte[] header = readHeader(prefix);
        long dataStart = (long) PREFIX + header.length;
        SafetensorsHeader parsed = HeaderParser.parse(source, header, PREFIX, ModelMetadata.KEYS);
        ModelMetadata metadata = new ModelMetadata(source, parsed);
        metadata.requireFormat();
        requireWhole(parsed, dataStart);
        Checksum checksum = source.isFramed() ? Checksum.crc32c() : Checksum.sha256();
        checksum.update(prefix);
        digestHeader(checksum, header, metadata.text(ModelMetadata.CHECKSUM));

        ModelLayout layout = null;
        ModelFormatException heldBack = null;
        try {
            layout = requireLayout(metadata, parsed, header);
        } catch (ModelFormatException e) {
            heldBack = e;
        }
        ModelTensors tensors = layout == null ? null : ModelTensors.allocate(source, layout);
        TensorStream data = new TensorStream(source, checksum, dataStart);
        if (tensors != null) {
            tensors.readFrom(data, layout);
        }
        data.skipRest();
        requireChecksum(checksum, metadata.text(ModelMetadata.CHECKSUM));
        if (heldBack != null) {
            throw heldBack;
        }
        tensors.requireFinite(source);
        metadata.useScales(ModelKernels.read(layout.outline().scaleNames(), tensors));
        metadata.requireCanonicalKernels();
        LearnerState state = build(metadata, tensors, layout, dataStart);
        StoredStream stream = metadata.streamBytes() == 0
                ? null
                : StoredStream.of(tensors.counts(ModelLayout.STREAM), metadata.streamBytes());
        return new StoredModel(state, LabelTexts.read(metadata), stream);
    }

    /** Reads the header's length and the header, once it is plausible that there is one. */
    private byte[] readHeader(byte[] prefix) {
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
                throw source.fault(Reason.FOREIGN, 0, "a safetensors file", format);
            });
        }
        if (start.length <= PREFIX) {
            throw source.fault(Reason.TRUNCATED, size, "the 8 bytes of a header length and a header", size + " bytes");
        }
        if (!opensObject) {
            throw source.fault(Reason.FOREIGN, PREFIX, "a safetensors file with '{' here", hex(start[PREFIX]));
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
    private void requireWhole(SafetensorsHeader header, long dataStart) {
        long announced = header.tensors().stream().mapToLong(Tensor::end).max().orElse(0);
        long present = source.size() - dataStart;
        if (announced != present) {
            boolean cut = announced > present;
            throw source.fault(
                    cut ? Reason.TRUNCATED : Reason.TRAILING_BYTES,
                    cut ? source.size() : dataStart + Math.max(0, announced),
                    announced + " bytes of tensors",
                    present + " bytes");
        }
    }

    /** The digest covers the header with zeros in the place of the digits that hold the digest itself. */
    private void digestHeader(Checksum checksum, byte[] header, Text digits) {
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
            if (i >= header.length || header[i] != digits.value().charAt(i - at)) {
                throw source.fault(Reason.NOT_CANONICAL, digits.offset(), "plain digits", "escaped characters");
            }
        }
        byte[] kept = Arrays.copyOfRange(header, at, end);
        Arrays.fill(header, at, end, (byte) '0');
        checksum.update(header);
        System.arraycopy(kept, 0, header, at, kept.length);
    }

    private void requireChecksum(Checksum checksum, Text digits) {
        boolean framed = source.isFramed();
        String written = framed ? Integer.toHexString(source.crc()) : digits.value();
        String computed = framed ? Integer.toHexString(checksum.crc()) : checksum.digits();
        if (!computed.equals(written)) {
            throw source.fault(Reason.CHECKSUM, digits.offset(), written + " (written)", computed + " (computed)");
        }
    }

    private ModelLayout requireLayout(ModelMetadata metadata, SafetensorsHeader parsed, byte[] header) {
        ModelMethod method = metadata.requireKeys();
        ModelLayout layout = ModelLayout.require(source, parsed, metadata.outline(method));
        byte[] canonical = SafetensorsHeader.encode(metadata.texts(), layout.tensors());
        int difference = Arrays.mismatch(header, canonical);
        if (difference >= 0) {
            throw source.fault(
                    Reason.NOT_CANONICAL,
                    PREFIX + difference,
                    "keys and tensors in their order, no blanks between, blanks at the end up to a multiple of "
                            + SafetensorsHeader.ALIGNMENT,
                    "another arrangement");
        }
        return layout;
    }

    private LearnerState build(ModelMetadata metadata, ModelTensors tensors, ModelLayout layout, long dataStart) {
        long samples = metadata.counters().samples();
        // A sample that goes into one dictionary brings up to two points.
        int kept = layout.outline().oneBasis() ? (tensors.kept() + 1) / 2 : tensors.kept();
        if (kept > samples) {
            throw source.fault(
                    Reason.BAD_COUNT,
                    metadata.text(ModelMetadata.SAMPLES).offset(),
                    "at least the " + kept + " samples that brought what is kept",
                    samples + " samples");
        }
        try {
            ModelSection section = layout.outline().method().section();
            MethodConfig config = section.config(metadata, schedules);
            metadata.counters().save(tensors);
            section.putCounts(metadata, tensors);
            return section.read(config, tensors);
        } catch (InvalidStateException e) {
            String part = e.part();
            boolean text = ModelMetadata.KEYS.contains(part);
            throw source.fault(
                    reason(part),
                    text ? metadata.text(part).offset() : dataStart + layout.begin(part),
                    "parts that make up a learner's state",
                    e);
        }
    }

    /** Which error a part that the core refuses stands for. */
    static Reason reason(String part) {
        return switch (part) {
            case ModelLayout.X,
                    ModelLayout.X_NEXT,
                    ModelLayout.PENDING_X,
                    ModelLayout.PENDING_X_NEXT,
                    ModelLayout.FIRST_X,
                    ModelLayout.FIRST_X_NEXT,
                    ModelLayout.HELD_X,
                    ModelLayout.HELD_X_NEXT,
                    ModelLayout.HELD_AFTER -> Reason.BAD_POINT;
            case ModelLayout.L_X, ModelLayout.L_X_NEXT -> Reason.BAD_FACTOR;
            case ModelLayout.M, ModelLayout.M_AVERAGE -> Reason.NOT_FINITE;
            case ModelLayout.S, ModelLayout.T, ModelLayout.V, ModelLayout.SQUARES -> Reason.BAD_STATISTICS;
            default -> Reason.BAD_COUNT;
        };
    }
}
