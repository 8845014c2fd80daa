package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Text;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelText;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Averaging;
import io.koopstream.learner.BlockSize;
import io.koopstream.learner.Budget;
import io.koopstream.learner.Counters;
import io.koopstream.learner.Criterion;
import io.koopstream.learner.DictionaryCap;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.Schedules;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StepSize;
import java.util.List;
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

    private static final String BUDGET = "budget";
    private static final String CRITERION = "criterion";
    private static final String FORMAT = "format";
    private static final String INPUT_KERNEL = "input_kernel";
    private static final String LAMBDA = "lambda";
    private static final String METHOD = "method";
    private static final String OUTPUT_KERNEL = "output_kernel";
    private static final String STEP_SIZE = "step_size";
    private static final String VERSION = "version";
    private static final String EPSILON = "epsilon";
    private static final String FORGETTING = "forgetting";
    static final String WEIGHT = "weight";
    private static final String NAMES = "names";
    private static final String DELAYS = "delays";
    private static final String STRIDE = "stride";
    private static final String AVERAGING = "averaging";
    private static final String AVERAGE_LOSS = "average_loss";
    private static final String BLOCK_SIZE = "block_size";
    private static final String MAX_DICTIONARY = "max_dictionary";
    private static final String REMOVALS = "removals";
    private static final String REFUSALS = "refusals";
    private static final String LOSS = "loss";

    /** The keys of version 1 that every method has. */
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
    private static final Set<String> OPTIONAL_KEYS = Set.of(BLOCK_SIZE, DELAYS, NAMES, STRIDE);

    /** The keys that are there, all of them, exactly when the dictionary is limited. */
    private static final Set<String> CAP_KEYS = Set.of(LOSS, MAX_DICTIONARY, REFUSALS, REMOVALS);

    /** Every key of version 1, of whatever method. */
    static final Set<String> KEYS = union(union(SHARED_KEYS, OPTIONAL_KEYS), union(CAP_KEYS, ModelMethod.allKeys()));

    private static final String FORMAT_NAME = "koopstream-model";
    private static final int OLDEST_VERSION = 1;
    private static final int NEWEST_VERSION = 1;

    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]*");
    private static final Pattern DECIMAL = Pattern.compile("[0-9.E+-]{1,40}");
    private static final Pattern CUSTOM = Pattern.compile("custom\\(([A-Za-z0-9][A-Za-z0-9._-]{0,63})\\)");
    private static final Pattern PLAIN = Pattern.compile("[ !#-\\[\\]-~]*");

    private final ModelSource source;
    private final SafetensorsHeader header;

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
    static SortedMap<String, String> of(LearnerState state, StateLabels labels, String checksum) {
        SortedMap<String, String> texts = new TreeMap<>();
        texts.put(FORMAT, FORMAT_NAME);
        texts.put(VERSION, Integer.toString(NEWEST_VERSION));
        texts.put(CHECKSUM, checksum);
        texts.put(INPUT_KERNEL, state.input().kernel().text());
        texts.put(INPUT_DIMENSION, Integer.toString(state.input().dimension()));
        texts.put(OUTPUT_KERNEL, state.output().kernel().text());
        texts.put(OUTPUT_DIMENSION, Integer.toString(state.output().dimension()));
        texts.put(SAMPLES, Long.toString(state.samples()));
        Counters counters = state.counters();
        texts.put(DEPENDENTS, Long.toString(counters.dependents()));
        texts.put(METHOD, ModelMethod.of(state).text());
        int cap = DictionaryCap.NONE;
        int blockSize = BlockSize.ONE;
        if (state instanceof SogdState sogd) {
            SogdConfig config = sogd.config();
            cap = config.maxDictionary();
            blockSize = config.blockSize();
            texts.put(LAMBDA, KernelText.number(config.lambda()));
            texts.put(STEP_SIZE, config.stepSize().text());
            texts.put(BUDGET, config.budget().text());
            texts.put(CRITERION, config.criterion().name());
            if (config.averaging().isOn()) {
                texts.put(AVERAGING, config.averaging().text());
                texts.put(AVERAGE_LOSS, KernelText.number(sogd.averageLoss()));
            }
        } else if (state instanceof LeastSquaresState leastSquares) {
            LeastSquaresConfig config = leastSquares.config();
            cap = config.maxDictionary();
            blockSize = config.blockSize();
            texts.put(LAMBDA, KernelText.number(config.lambda()));
            texts.put(EPSILON, KernelText.number(config.epsilon()));
            texts.put(FORGETTING, KernelText.number(config.forgetting()));
            texts.put(WEIGHT, KernelText.number(leastSquares.weight()));
        }
        if (blockSize != BlockSize.ONE) {
            texts.put(BLOCK_SIZE, Integer.toString(blockSize));
        }
        if (!labels.names().isEmpty()) {
            texts.put(NAMES, labels.text());
        }
        if (labels.delays() > 0) {
            texts.put(DELAYS, Integer.toString(labels.delays()));
            texts.put(STRIDE, Integer.toString(labels.stride()));
        }
        if (cap != DictionaryCap.NONE) {
            texts.put(MAX_DICTIONARY, Integer.toString(cap));
            texts.put(REMOVALS, Long.toString(counters.removals()));
            texts.put(REFUSALS, Long.toString(counters.refusals()));
            texts.put(LOSS, KernelText.number(counters.loss()));
        }
        return texts;
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
        requireVersion(source, text(VERSION), OLDEST_VERSION, NEWEST_VERSION);
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
        if (header.metadata().containsKey(MAX_DICTIONARY)) {
            expected = union(expected, CAP_KEYS);
        }
        for (String key : new TreeSet<>(KEYS)) {
            if (expected.contains(key)
                    || (OPTIONAL_KEYS.contains(key) && header.metadata().containsKey(key))) {
                requirePlain(key, text(key));
            } else if (header.metadata().containsKey(key)) {
                throw strange(header.metadata().get(key).offset(), key);
            }
        }
        return method;
    }

    private ModelFormatException strange(long offset, String key) {
        return source.fault(Reason.UNKNOWN_SECTION, offset, "the metadata keys of version 1", "metadata key " + key);
    }

    private void requirePlain(String key, Text text) {
        if (!PLAIN.matcher(text.value()).matches()) {
            throw source.fault(
                    Reason.BAD_SETTING, text.offset(), key + " in printable ASCII without quotes", text.value());
        }
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

    /** What was counted. */
    Counters counters() {
        boolean capped = maxDictionary() != DictionaryCap.NONE;
        return new Counters(
                count(SAMPLES),
                count(DEPENDENTS),
                capped ? count(REMOVALS) : 0,
                capped ? count(REFUSALS) : 0,
                capped ? decimal(LOSS) : 0);
    }

    private int maxDictionary() {
        if (!header.metadata().containsKey(MAX_DICTIONARY)) {
            return DictionaryCap.NONE;
        }
        long cap = count(MAX_DICTIONARY);
        if (cap < 1 || cap >= DictionaryCap.NONE) {
            throw source.fault(
                    Reason.BAD_COUNT,
                    text(MAX_DICTIONARY).offset(),
                    MAX_DICTIONARY + " from 1 to " + (DictionaryCap.NONE - 1),
                    Long.toString(cap));
        }
        return (int) cap;
    }

    private int blockSize() {
        if (!header.metadata().containsKey(BLOCK_SIZE)) {
            return BlockSize.ONE;
        }
        long size = count(BLOCK_SIZE);
        // One is written by leaving the key out: there is one way to say each thing.
        if (size <= BlockSize.ONE || size > BlockSize.LARGEST) {
            throw source.fault(
                    Reason.BAD_COUNT,
                    text(BLOCK_SIZE).offset(),
                    BLOCK_SIZE + " from 2 to " + BlockSize.LARGEST,
                    Long.toString(size));
        }
        return (int) size;
    }

    /** What the cap has cost the average of the iterates. */
    double averageLoss() {
        return decimal(AVERAGE_LOSS);
    }

    /** A dimension, within the limit that keeps a small file from asking for much memory. */
    int dimension(String key) {
        long dimension = count(key);
        if (dimension < 1 || dimension > ModelFile.LARGEST_DIMENSION) {
            throw source.fault(
                    dimension < 1 ? Reason.BAD_COUNT : Reason.TOO_LARGE,
                    text(key).offset(),
                    key + " from 1 to " + ModelFile.LARGEST_DIMENSION,
                    Long.toString(dimension));
        }
        return (int) dimension;
    }

    /** The settings of Algorithm 1. */
    SogdConfig sogdConfig(CustomSchedules schedules) {
        Rkhs input = space(INPUT_KERNEL, INPUT_DIMENSION);
        Rkhs output = space(OUTPUT_KERNEL, OUTPUT_DIMENSION);
        double lambda = decimal(LAMBDA);
        StepSize stepSize = schedule(
                STEP_SIZE, Schedules::parseStepSize, schedules::stepSize, "with(StepSize.custom(\"%s\", function))");
        Budget budget =
                schedule(BUDGET, Schedules::parseBudget, schedules::budget, "with(Budget.custom(\"%s\", function))");
        Criterion criterion = setting(CRITERION, ModelMetadata::criterion);
        Averaging averaging =
                header.metadata().containsKey(AVERAGING) ? setting(AVERAGING, Averaging::parse) : Averaging.none();
        int cap = maxDictionary();
        int block = blockSize();
        return legal(
                STEP_SIZE,
                () -> new SogdConfig(input, output, lambda, stepSize, budget, criterion, cap, averaging, block));
    }

    /** The settings of online least squares. */
    LeastSquaresConfig leastSquaresConfig() {
        Rkhs input = space(INPUT_KERNEL, INPUT_DIMENSION);
        Rkhs output = space(OUTPUT_KERNEL, OUTPUT_DIMENSION);
        double lambda = decimal(LAMBDA);
        double epsilon = decimal(EPSILON);
        double forgetting = decimal(FORGETTING);
        int cap = maxDictionary();
        int block = blockSize();
        return legal(LAMBDA, () -> new LeastSquaresConfig(input, output, lambda, epsilon, forgetting, cap, block));
    }

    /** What the coordinates are called; nothing in files that do not say. */
    StateLabels labels() {
        boolean delayed = header.metadata().containsKey(DELAYS);
        int delays = delayed ? dimension(DELAYS) : 0;
        // A stride without delays means nothing, so it must not be there.
        int stride = delayed || header.metadata().containsKey(STRIDE) ? dimension(STRIDE) : 1;
        Text names = header.metadata().get(NAMES);
        Text text = names != null ? names : text(delayed ? DELAYS : INPUT_DIMENSION);
        StateLabels labels;
        try {
            labels = new StateLabels(names == null ? List.of() : StateLabels.parse(names.value()), delays, stride);
        } catch (IllegalArgumentException e) {
            throw source.fault(Reason.BAD_SETTING, text.offset(), "names of coordinates", e.getMessage());
        }
        if (!labels.fits(dimension(INPUT_DIMENSION)) || (!delayed && stride != 1)) {
            throw source.fault(
                    Reason.BAD_SETTING,
                    text.offset(),
                    "labels for " + dimension(INPUT_DIMENSION) + " coordinates",
                    labels.names().size() + " names with " + delays + " delays");
        }
        return labels;
    }

    /** Total weight of the samples of online least squares. */
    double weight() {
        return decimal(WEIGHT);
    }

    private Rkhs space(String kernelKey, String dimensionKey) {
        Text text = text(kernelKey);
        Kernel kernel;
        try {
            kernel = Kernels.parse(text.value());
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

    private <T> T schedule(
            String key, Function<String, T> parser, Function<String, Optional<T>> supplied, String hint) {
        Text text = text(key);
        Matcher custom = CUSTOM.matcher(text.value());
        if (!custom.matches()) {
            return setting(key, parser);
        }
        return supplied.apply(custom.group(1))
                .orElseThrow(() -> source.fault(
                        Reason.MISSING_SCHEDULE,
                        text.offset(),
                        "CustomSchedules.none()." + hint.formatted(custom.group(1)),
                        key + " " + text.value() + " without its function"));
    }

    private <T> T setting(String key, Function<String, T> parser) {
        String value = text(key).value();
        return legal(key, () -> parser.apply(value));
    }

    private <T> T legal(String key, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (InvalidConfigException e) {
            throw source.fault(Reason.BAD_SETTING, text(key).offset(), "a legal " + key, e);
        }
    }

    private double decimal(String key) {
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

    private static Criterion criterion(String text) {
        for (Criterion criterion : Criterion.values()) {
            if (criterion.name().equals(text)) {
                return criterion;
            }
        }
        throw new InvalidConfigException(CRITERION, text, "must be EXACT or PAPER");
    }
}
