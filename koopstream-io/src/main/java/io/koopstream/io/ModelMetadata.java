package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.BlockSize;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.text.Decimals;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Text;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelOutline;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.Projection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The texts of a model file: what they are called, how settings become texts, and how texts become settings again. */
final class ModelMetadata {

    static final String CHECKSUM = "checksum";
    static final String DEPENDENTS = "dependents";
    static final String INPUT_DIMENSION = "input_dimension";
    static final String OUTPUT_DIMENSION = "output_dimension";
    static final String SAMPLES = "samples";

    private static final String FORMAT = "format";
    private static final String INPUT_KERNEL = "input_kernel";
    static final String HELD_AFTER = "held_after";
    static final String HOLD_OUT = "hold_out";
    static final String TARGETS = "targets";
    static final String LAMBDA = "lambda";
    private static final String METHOD = "method";
    private static final String OUTPUT_KERNEL = "output_kernel";
    private static final String VERSION = "version";
    /** How many bytes of the tensor of that name are the state of the stream that learned the model. */
    static final String STREAM = "stream";

    /** How many columns are projected to the coordinates of an observation. */
    private static final String PROJECTION_COLUMNS = "projection_columns";

    private static final String BLOCK_SIZE = "block_size";
    private static final String MAX_DICTIONARY = "max_dictionary";
    private static final String REMOVALS = "removals";
    private static final String REFUSALS = "refusals";
    private static final String LOSS = "loss";

    /** The keys that every method has. */
    private static final Set<String> SHARED_KEYS = Set.of(
            CHECKSUM,
            DEPENDENTS,
            FORMAT,
            INPUT_DIMENSION,
            INPUT_KERNEL,
            LAMBDA,
            METHOD,
            OUTPUT_DIMENSION,
            OUTPUT_KERNEL,
            SAMPLES,
            VERSION);

    /** Keys that a file has only when there is something to say. */
    private static final Set<String> OPTIONAL_KEYS = union(LabelTexts.KEYS, Set.of(BLOCK_SIZE, HELD_AFTER, STREAM));

    /** The keys that are there, all of them, exactly when the dictionary is limited. */
    private static final Set<String> CAP_KEYS = Set.of(LOSS, MAX_DICTIONARY, REFUSALS, REMOVALS);

    /** The keys that are there, all of them, exactly when rows are projected. */
    private static final Set<String> PROJECTION_KEYS = Set.of(PROJECTION_COLUMNS, Projection.ROWS, Projection.TOTAL);

    /** Every key, of whatever method. */
    static final Set<String> KEYS =
            union(union(SHARED_KEYS, OPTIONAL_KEYS), union(PROJECTION_KEYS, union(CAP_KEYS, ModelMethod.allKeys())));

    private static final String FORMAT_NAME = "koopstream-model";
    private static final int OLDEST_VERSION = 1;
    /** Of a model whose kernels are texts. */
    private static final int PLAIN_VERSION = 2;
    /** Of a model with scales in tensors, and only of such. */
    private static final int SCALES_VERSION = 3;

    /** Of a model of projected rows, and only of such. */
    private static final int PROJECTED_VERSION = 4;

    private static final int NEWEST_VERSION = PROJECTED_VERSION;

    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]*");
    private static final Pattern DECIMAL = Pattern.compile("[0-9.E+-]{1,40}");
    static final Pattern CUSTOM = Pattern.compile("custom\\(([A-Za-z0-9][A-Za-z0-9._-]{0,63})\\)");
    private static final Pattern PLAIN = Pattern.compile("[ !#-\\[\\]-~]*");

    private final ModelSource source;
    private final SafetensorsHeader header;
    /** Those that kernels refer to, once they have been read. */
    private Map<String, List<Double>> scales = Map.of();

    private CustomSchedules functions = CustomSchedules.none();

    /** The texts of a header that was read from the source. */
    ModelMetadata(ModelSource source, SafetensorsHeader header) {
        this.source = source;
        this.header = header;
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> all = new TreeSet<>(first);
        all.addAll(second);
        return Set.copyOf(all);
    }

    /** The texts of a state, keys in order. */
    static SortedMap<String, String> of(StoredModel model, ModelKernels kernels, String checksum) {
        LearnerState state = model.state();
        SortedMap<String, String> texts = new TreeMap<>();
        texts.put(FORMAT, FORMAT_NAME);
        Projection projection = model.projection();
        texts.put(
                VERSION,
                Integer.toString(
                        projection != null ? PROJECTED_VERSION : kernels.hasArrays() ? SCALES_VERSION : PLAIN_VERSION));
        texts.put(CHECKSUM, checksum);
        texts.put(INPUT_KERNEL, kernels.input().text());
        texts.put(INPUT_DIMENSION, Integer.toString(state.input().dimension()));
        texts.put(OUTPUT_KERNEL, kernels.output().text());
        texts.put(OUTPUT_DIMENSION, Integer.toString(state.output().dimension()));
        texts.put(SAMPLES, Long.toString(state.samples()));
        texts.put(DEPENDENTS, Long.toString(state.counters().dependents()));
        texts.put(METHOD, ModelMethod.of(state).text());
        ModelMethod.of(state).section().putTexts(state, texts);
        putBlockSize(texts, state.config().blockSize());
        putCap(texts, state.config().maxDictionary(), state.counters());
        LabelTexts.put(model.labels(), texts);
        if (model.resumable() != null) {
            texts.put(STREAM, Integer.toString(model.resumable().length()));
        }
        if (projection != null) {
            texts.put(PROJECTION_COLUMNS, Integer.toString(projection.dimension()));
            texts.put(Projection.ROWS, Long.toString(projection.rows()));
            texts.put(Projection.TOTAL, Decimals.text(projection.total()));
        }
        return texts;
    }

    /** Says how many samples are learned at once, if it is more than one. */
    private static void putBlockSize(Map<String, String> texts, int blockSize) {
        if (blockSize != BlockSize.ONE) {
            texts.put(BLOCK_SIZE, Integer.toString(blockSize));
        }
    }

    /** Says how many points may be kept, if there is a limit, and what exchanges of points have cost, if there can be or were any. */
    private static void putCap(Map<String, String> texts, int cap, Counters counters) {
        if (cap != DictionaryCap.NONE) {
            texts.put(MAX_DICTIONARY, Integer.toString(cap));
        }
        if (cap != DictionaryCap.NONE || counters.removals() > 0) {
            texts.put(REMOVALS, Long.toString(counters.removals()));
            texts.put(REFUSALS, Long.toString(counters.refusals()));
            texts.put(LOSS, Decimals.text(counters.loss()));
        }
    }

    /** The texts as read, keys in order. */
    SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        header.metadata().forEach((key, text) -> texts.put(key, text.value()));
        return texts;
    }

    /** Refuses a file that is not a model, or of a version that is not read here. */
    void requireFormat() {
        Text format = header.metadata().get(FORMAT);
        if (format == null || !format.value().equals(FORMAT_NAME)) {
            throw source.fault(
                    Reason.FOREIGN,
                    format == null ? -1 : format.offset(),
                    "metadata format " + FORMAT_NAME,
                    format == null ? "a safetensors file without it" : format.value());
        }
        Text version = text(VERSION);
        requireVersion(source, version, OLDEST_VERSION, NEWEST_VERSION);
        Text method = header.metadata().get(METHOD);
        String leastSquares = ModelMethod.LEAST_SQUARES.text();
        // The other methods are the same in versions 1 and 2.
        if (version.value().equals("1") && method != null && method.value().equals(leastSquares)) {
            throw source.fault(
                    Reason.TOO_OLD,
                    version.offset(),
                    "a " + leastSquares + " model of version 2",
                    "one of version 1, whose statistics cannot be carried over");
        }
    }

    /** Refuses a version outside the range that is read. */
    static void requireVersion(ModelSource source, Text version, int oldest, int newest) {
        String known = oldest == newest ? "version " + newest : "version " + oldest + " to " + newest;
        if (!WHOLE.matcher(version.value()).matches() || version.value().equals("0")) {
            throw source.fault(Reason.BAD_VERSION, version.offset(), known, "'" + version.value() + "'");
        }
        // More digits than an int has are newer than anything.
        long number = version.value().length() > 9 ? Long.MAX_VALUE : Long.parseLong(version.value());
        if (number < oldest || number > newest) {
            throw source.fault(
                    number > newest ? Reason.TOO_NEW : Reason.TOO_OLD,
                    version.offset(),
                    known,
                    "version " + version.value());
        }
    }

    /** Refuses keys that are missing, unknown, or of another method; returns the method. */
    ModelMethod requireKeys() {
        if (header.stranger().isPresent()) {
            throw strange(
                    header.stranger().get().offset(), header.stranger().get().value());
        }
        Text text = text(METHOD);
        ModelMethod method = ModelMethod.of(text.value())
                .orElseThrow(() ->
                        source.fault(Reason.UNSUPPORTED, text.offset(), "method " + ModelMethod.names(), text.value()));
        Set<String> expected = union(SHARED_KEYS, method.keys());
        if (has(MAX_DICTIONARY)) {
            expected = union(expected, CAP_KEYS);
        }
        if (isVersion(PROJECTED_VERSION)) {
            expected = union(expected, PROJECTION_KEYS);
        }
        if (method == ModelMethod.LEAST_SQUARES && has(HOLD_OUT)) {
            expected = union(expected, ModelMethod.HOLD_OUT_KEYS);
        }
        if (method != ModelMethod.LEAST_SQUARES && has(SogdSection.DELTA)) {
            expected = union(expected, Set.of(SogdSection.DELTA));
        }
        for (String key : new TreeSet<>(KEYS)) {
            if (expected.contains(key) || (OPTIONAL_KEYS.contains(key) && has(key))) {
                requirePlain(key, text(key));
            } else if (has(key)) {
                throw strange(header.metadata().get(key).offset(), key);
            }
        }
        return method;
    }

    private ModelFormatException strange(long offset, String key) {
        return source.fault(
                Reason.UNKNOWN_SECTION,
                offset,
                "the metadata keys of version " + text(VERSION).value(),
                "metadata key " + key);
    }

    private void requirePlain(String key, Text text) {
        if (!PLAIN.matcher(text.value()).matches()) {
            throw source.fault(
                    Reason.BAD_SETTING, text.offset(), key + " in printable ASCII without quotes", text.value());
        }
    }

    /** What decides which tensors there are, and their dimensions. */
    ModelLayout.Outline outline(ModelMethod method) {
        int inputDimension = dimension(INPUT_DIMENSION);
        int outputDimension = dimension(OUTPUT_DIMENSION);
        List<String> scaleNames = scaleNames();
        boolean oneBasis = method == ModelMethod.LEAST_SQUARES
                && (scaleNames.isEmpty() ? input().equals(output()) : sameTexts(inputDimension == outputDimension));
        int targets = method == ModelMethod.LEAST_SQUARES ? dimension(TARGETS) : outputDimension;
        return new ModelLayout.Outline(
                method,
                oneBasis,
                has(HOLD_OUT),
                inputDimension,
                outputDimension,
                targets,
                has(HOLD_OUT) && has(HELD_AFTER) ? count(HELD_AFTER, 1, Integer.MAX_VALUE) : 0,
                streamBytes(),
                scaleNames,
                isVersion(PROJECTED_VERSION) ? count(PROJECTION_COLUMNS, 1, Integer.MAX_VALUE) : 0);
    }

    private boolean isVersion(int version) {
        return text(VERSION).value().equals(Integer.toString(version));
    }

    private boolean sameTexts(boolean sameDimensions) {
        return sameDimensions
                && text(INPUT_KERNEL).value().equals(text(OUTPUT_KERNEL).value());
    }

    /** The tensors of scales that the kernels refer to: all of the input, then those that only the output has. */
    private List<String> scaleNames() {
        if (!isVersion(SCALES_VERSION) && !isVersion(PROJECTED_VERSION)) {
            return List.of();
        }
        List<String> names = new ArrayList<>(references(INPUT_KERNEL, ModelKernels.INPUT_SCALES));
        if (!text(INPUT_KERNEL).value().equals(text(OUTPUT_KERNEL).value())) {
            names.addAll(references(OUTPUT_KERNEL, ModelKernels.OUTPUT_SCALES));
        }
        if (names.isEmpty() && isVersion(SCALES_VERSION)) {
            throw source.fault(
                    Reason.NOT_CANONICAL,
                    text(VERSION).offset(),
                    "version " + PLAIN_VERSION + " for kernels without references",
                    "version " + SCALES_VERSION);
        }
        return names;
    }

    private List<String> references(String key, String prefix) {
        Text text = text(key);
        List<String> names = KernelOutline.references(text.value());
        for (int i = 0; i < names.size(); i++) {
            String expected = prefix + (i + 1);
            if (!names.get(i).equals(expected)) {
                throw source.fault(
                        Reason.BAD_SETTING,
                        text.offset(),
                        key + " to refer to " + expected,
                        "a reference to '" + names.get(i) + "'");
            }
        }
        return names;
    }

    /** Takes what the kernels refer to, scales and functions of the caller's own; before that, such a kernel cannot be told. */
    void useForKernels(Map<String, List<Double>> read, CustomSchedules supplied) {
        scales = read;
        functions = supplied;
    }

    /** Refuses kernels that would be written in another way, if there are scales in tensors. */
    void requireCanonicalKernels() {
        if (scales.isEmpty()) {
            return;
        }
        ModelKernels written = ModelKernels.of(input(), output());
        requireSame(INPUT_KERNEL, written.input().text());
        requireSame(OUTPUT_KERNEL, written.output().text());
    }

    private void requireSame(String key, String written) {
        Text text = text(key);
        if (!text.value().equals(written)) {
            throw source.fault(Reason.NOT_CANONICAL, text.offset(), written, text.value());
        }
    }

    /** How many bytes the state of the stream has; 0 when there is none. */
    int streamBytes() {
        return has(STREAM) ? count(STREAM, 1, Integer.MAX_VALUE) : 0;
    }

    boolean has(String key) {
        return header.metadata().containsKey(key);
    }

    /** The text of a key that must be there. */
    Text text(String key) {
        Text text = header.metadata().get(key);
        if (text == null) {
            throw source.fault(Reason.MISSING_SECTION, -1, "metadata key " + key, "none");
        }
        return text;
    }

    /** A number of things. */
    long count(String key) {
        Text text = text(key);
        if (!WHOLE.matcher(text.value()).matches()) {
            throw source.fault(Reason.BAD_COUNT, text.offset(), key + " as a whole number >= 0", text.value());
        }
        try {
            return Long.parseLong(text.value());
        } catch (NumberFormatException e) {
            throw source.fault(Reason.OVERFLOW, text.offset(), key + " as a 64-bit number", text.value());
        }
    }

    /** A number of things within a range. */
    int count(String key, int least, int most) {
        long count = count(key);
        if (count < least || count > most) {
            throw source.fault(
                    Reason.BAD_COUNT, text(key).offset(), key + " from " + least + " to " + most, Long.toString(count));
        }
        return (int) count;
    }

    /** What was counted. */
    Counters counters() {
        boolean exchanges = maxDictionary() != DictionaryCap.NONE || has(REMOVALS);
        return new Counters(
                count(SAMPLES),
                count(DEPENDENTS),
                exchanges ? count(REMOVALS) : 0,
                exchanges ? count(REFUSALS) : 0,
                exchanges ? decimal(LOSS) : 0);
    }

    int maxDictionary() {
        if (!has(MAX_DICTIONARY)) {
            return DictionaryCap.NONE;
        }
        return count(MAX_DICTIONARY, 1, DictionaryCap.NONE - 1);
    }

    int blockSize() {
        if (!has(BLOCK_SIZE)) {
            return BlockSize.ONE;
        }
        // One is written by leaving the key out: there is one way to say each thing.
        return count(BLOCK_SIZE, BlockSize.ONE + 1, BlockSize.MAX);
    }

    /** A dimension, within the limit that keeps a small file from asking for much memory. */
    int dimension(String key) {
        long dimension = count(key);
        if (dimension < 1 || dimension > ModelFile.MAX_DIMENSION) {
            throw source.fault(
                    dimension < 1 ? Reason.BAD_COUNT : Reason.TOO_LARGE,
                    text(key).offset(),
                    key + " from 1 to " + ModelFile.MAX_DIMENSION,
                    Long.toString(dimension));
        }
        return (int) dimension;
    }

    /** The space of the inputs. */
    Rkhs input() {
        return space(INPUT_KERNEL, INPUT_DIMENSION);
    }

    /** The space of the outputs. */
    Rkhs output() {
        return space(OUTPUT_KERNEL, OUTPUT_DIMENSION);
    }

    /** The place of a key's text in the source, for an error there. */
    ModelFormatException fault(String key, String expected, String actual) {
        return source.fault(Reason.BAD_SETTING, text(key).offset(), expected, actual);
    }

    private Rkhs space(String kernelKey, String dimensionKey) {
        Text text = text(kernelKey);
        Kernel kernel;
        try {
            kernel = new KernelOutline(text.value(), scales)
                    .kernel(name -> functions
                            .kernel(name)
                            .orElseThrow(() -> missingFunction(
                                    kernelKey, "with(Kernel.of(\"%s\", bound, function))".formatted(name))));
        } catch (InvalidConfigException e) {
            // The parser blames "kernel" for names and grammar, and a parameter by its own name for its value.
            throw source.fault(
                    e.field().equals("kernel") ? Reason.UNKNOWN_KERNEL : Reason.BAD_SETTING,
                    text.offset(),
                    "a kernel that Kernels.parse reads",
                    e);
        }
        int dimension = dimension(dimensionKey);
        return legal(kernelKey, () -> new Rkhs(kernel, dimension));
    }

    /** The name of a schedule of the caller's own; empty for one that is built in. */
    Optional<String> customName(String key) {
        Matcher custom = CUSTOM.matcher(text(key).value());
        return custom.matches() ? Optional.of(custom.group(1)) : Optional.empty();
    }

    /** The error for a function that has to be supplied. */
    ModelFormatException missingFunction(String key, String hint) {
        Text text = text(key);
        return source.fault(
                Reason.MISSING_SCHEDULE,
                text.offset(),
                "CustomSchedules.none()." + hint,
                key + " " + text.value() + " without its function");
    }

    /** A text in the grammar of a parser. */
    <T> T setting(String key, Function<String, T> parser) {
        String value = text(key).value();
        return legal(key, () -> parser.apply(value));
    }

    /** Settings whose constructor may refuse them; that is told as an error at a key. */
    <T> T legal(String key, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (InvalidConfigException e) {
            throw source.fault(Reason.BAD_SETTING, text(key).offset(), "a legal " + key, e);
        }
    }

    /** A decimal number. */
    double decimal(String key) {
        return setting(key, text -> {
            if (DECIMAL.matcher(text).matches()) {
                try {
                    return Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    // Reported below.
                }
            }
            throw new InvalidConfigException(key, text, "must be a decimal number");
        });
    }
}
