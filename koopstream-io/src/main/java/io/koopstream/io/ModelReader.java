package io.koopstream.io;

import io.koopstream.InvalidStateException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.MethodConfig;
import io.koopstream.rows.Projection;
import java.util.Arrays;

/**
 * Reads a model in one pass. First the questions whose answers make a useful message (is it a model, is it whole, is it of a version
 * that is read here), then the checksum, then everything the file says; only then is a state built.
 *
 * <p>A header may be wrong because the file is damaged. So what the header gets wrong is held back until the checksum has been
 * compared, and reported only if the file is what was once written.
 */
final class ModelReader {

    private final ModelSource source;
    private final CustomSchedules schedules;

    ModelReader(ModelSource source, CustomSchedules schedules) {
        this.source = source;
        this.schedules = schedules;
    }

    StoredModel read() {
        SafetensorsFrame frame = SafetensorsFrame.open(source, "a safetensors file", ModelMetadata.KEYS);
        ModelMetadata metadata = new ModelMetadata(source, frame.header());
        metadata.requireFormat();
        TensorStream data = frame.data(metadata.text(ModelMetadata.CHECKSUM));

        ModelLayout layout = null;
        ModelFormatException heldBack = null;
        try {
            layout = requireLayout(metadata, frame);
        } catch (ModelFormatException e) {
            heldBack = e;
        }
        ModelTensors tensors = layout == null ? null : ModelTensors.allocate(source, layout);
        if (tensors != null) {
            tensors.readFrom(data, layout);
        }
        frame.requireChecksum();
        if (heldBack != null) {
            throw heldBack;
        }
        tensors.requireFinite(source);
        metadata.useForKernels(ModelKernels.read(layout.outline().scaleNames(), tensors), schedules);
        metadata.requireCanonicalKernels();
        LearnerState state = build(metadata, tensors, layout, frame.dataStart());
        StoredStream stream = metadata.streamBytes() == 0
                ? null
                : StoredStream.of(tensors.counts(ModelLayout.STREAM), metadata.streamBytes());
        StateLabels labels = LabelTexts.read(metadata);
        return new StoredModel(state, labels, stream, projection(metadata, tensors, layout, frame.dataStart(), labels));
    }

    /** The projection of the columns; null where there is none. */
    private Projection projection(
            ModelMetadata metadata, ModelTensors tensors, ModelLayout layout, long dataStart, StateLabels labels) {
        int columns = layout.outline().columns();
        if (columns == 0) {
            return null;
        }
        tensors.number(Projection.TOTAL, metadata.decimal(Projection.TOTAL));
        tensors.count(Projection.ROWS, metadata.count(Projection.ROWS));
        try {
            Projection projection = Projection.read(tensors, columns, layout.rank());
            InvalidStateException.require(
                    labels.areOf(projection), Projection.ENERGIES, "do not belong to coordinates " + labels.text());
            return projection;
        } catch (InvalidStateException e) {
            throw fault(e, metadata, layout, dataStart, "parts that make up a projection");
        }
    }

    private ModelFormatException fault(
            InvalidStateException e, ModelMetadata metadata, ModelLayout layout, long dataStart, String expected) {
        String part = e.part();
        boolean text = ModelMetadata.KEYS.contains(part);
        return source.fault(
                reason(part), text ? metadata.text(part).offset() : dataStart + layout.begin(part), expected, e);
    }

    private ModelLayout requireLayout(ModelMetadata metadata, SafetensorsFrame frame) {
        ModelMethod method = metadata.requireKeys();
        ModelLayout layout = ModelLayout.require(source, frame.header(), metadata.outline(method));
        byte[] canonical = SafetensorsHeader.encode(metadata.texts(), layout.tensors());
        int difference = Arrays.mismatch(frame.bytes(), canonical);
        if (difference >= 0) {
            throw source.fault(
                    Reason.NOT_CANONICAL,
                    SafetensorsFrame.PREFIX + difference,
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
            throw fault(e, metadata, layout, dataStart, "parts that make up a learner's state");
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
            case ModelLayout.S,
                    ModelLayout.T,
                    ModelLayout.V,
                    ModelLayout.SQUARES,
                    Projection.BASIS,
                    Projection.ENERGIES -> Reason.BAD_STATISTICS;
            default -> Reason.BAD_COUNT;
        };
    }
}
