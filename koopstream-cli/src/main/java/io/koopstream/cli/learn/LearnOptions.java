package io.koopstream.cli.learn;

import io.koopstream.InvalidConfigException;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.rows.Preparation;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The {@linkplain StreamOption options of a stream} as options of a command. */
public final class LearnOptions {

    /** Values of options that are written without one. */
    private static final Map<StreamOption<?>, String> WITHOUT_VALUE = Map.of(
            StreamOption.AVERAGE, "3",
            StreamOption.LOG, Preparation.ALL,
            StreamOption.DIFFERENCE, Preparation.ALL);

    /** Options whose values are columns. */
    private static final Set<StreamOption<?>> COLUMNS =
            Set.of(StreamOption.LOG, StreamOption.DIFFERENCE, StreamOption.INPUTS);

    /** The kernel that is as good as none: one is chosen. */
    private static final String CHOSEN = "chosen";

    /** Types that the command line parses; it refuses what is no number. */
    private static final Set<Class<?>> PARSED = Set.of(Integer.class, Double.class, Boolean.class);

    /** Numbers that may also be words. */
    private static final Set<StreamOption<?>> WORDS = Set.of(StreamOption.DT, StreamOption.MAX_DICTIONARY);

    private final Map<StreamOption<?>, OptionSpec> options = new LinkedHashMap<>();
    private boolean scores;

    /** All of them. */
    LearnOptions() {
        this(StreamOption.NAMES);
    }

    /** Those with these names. */
    LearnOptions(List<String> names) {
        for (StreamOption<?> option : StreamOption.ALL) {
            // Scores go to a file, which has an option of its own.
            if (names.contains(option.name()) && !option.equals(StreamOption.SCORES)) {
                options.put(option, spec(option));
            }
        }
    }

    private OptionSpec spec(StreamOption<?> option) {
        OptionSpec.Builder spec = OptionSpec.builder(option(option.name()))
                .paramLabel(option.label())
                .type(!WORDS.contains(option) && PARSED.contains(option.type()) ? option.type() : String.class)
                .negatable(option.equals(StreamOption.DRIFT))
                .userObject(this)
                .description(option.description());
        if (!option.choices().isEmpty()) {
            spec.completionCandidates(option.choices());
        }
        if (WITHOUT_VALUE.containsKey(option)) {
            spec.arity("0..1").fallbackValue(WITHOUT_VALUE.get(option));
        }
        return spec.build();
    }

    /** Adds these options to a command, which is to be their owner. */
    CommandLine addTo(CommandLine line) {
        options.values().forEach(line.getCommandSpec()::addOption);
        return line;
    }

    /**
     * The options given, by their names in the table.
     *
     * @param columns names of the coordinates of a row; null when they are not known yet
     */
    Map<String, String> words(List<String> columns) {
        Map<String, String> words = new LinkedHashMap<>();
        options.forEach((option, spec) -> {
            Object value = spec.getValue();
            if (value != null && !isChosen(option)) {
                words.put(
                        option.name(),
                        COLUMNS.contains(option) ? numbers(option, value.toString(), columns) : value.toString());
            }
        });
        if (scores) {
            words.put(StreamOption.SCORES.name(), "true");
        }
        return words;
    }

    /** Asks for single steps, each a line of a table; refuses what has none. */
    void learnStepByStep() {
        Map<String, String> words = words(null);
        if (!"sogd".equals(words.get(StreamOption.METHOD.name()))) {
            throw CommandFailure.usage("--trace is about the steps of the paper's method: add --method sogd");
        }
        OptionSpec block = options.get(StreamOption.BLOCK);
        if (block.getValue() == null) {
            block.setValue(1);
        } else if (!block.getValue().equals(1)) {
            throw CommandFailure.usage("--trace shows every step: leave out --block, or give 1");
        }
    }

    private boolean isChosen(StreamOption<?> option) {
        return option.equals(StreamOption.KERNEL)
                && CHOSEN.equals(options.get(option).getValue());
    }

    /** How many rows settings are chosen from at most. */
    int warmUp() {
        Integer given = options.get(StreamOption.WARM_UP).getValue();
        return given != null ? given : StreamConfig.parse(Map.of()).warmUp();
    }

    /** Whether logarithms are to be learned. */
    boolean takesLogarithms() {
        return options.get(StreamOption.LOG).getValue() != null;
    }

    /** Asks for scores. */
    void score() {
        scores = true;
    }

    /** Refuses options about scores where there are none. */
    void requireNoneOfScores() {
        for (StreamOption<?> option : List.of(StreamOption.ROBUST, StreamOption.ALARM_RATE)) {
            if (options.get(option).getValue() != null) {
                throw CommandFailure.usage(option(option.name()) + " is about scores: add --scores F.csv");
            }
        }
    }

    /** Whether pairs are held out; refuses at once what is wrong whatever the data is. */
    boolean keepsAside() {
        Map<String, String> words = words(null);
        COLUMNS.forEach(option -> words.remove(option.name()));
        return config(words).holdOut() > 0;
    }

    /** Names of the columns that drive the others. */
    List<String> inputs() {
        String names = options.get(StreamOption.INPUTS).getValue();
        return names == null
                ? List.of()
                : Arrays.stream(names.split(",", -1)).map(String::strip).toList();
    }

    /** The names of columns as numbers from 1. */
    private static String numbers(StreamOption<?> option, String names, List<String> columns) {
        if (names.equals(Preparation.ALL) || columns == null) {
            return names;
        }
        List<String> numbers = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            int place = columns.indexOf(name.strip());
            if (place < 0) {
                throw CommandFailure.data(option(option.name()) + " " + names + ": no column '" + name + "'; there are "
                        + String.join(", ", columns));
            }
            numbers.add(Integer.toString(place + 1));
        }
        return String.join(",", numbers);
    }

    /**
     * The configuration; refuses what is wrong.
     *
     * @param columns names of the coordinates of a row
     * @param linear what makes least squares linear where no kernel is asked for, from what was given
     */
    StreamConfig config(List<String> columns, Function<StreamConfig, Map<String, String>> linear) {
        Map<String, String> words = words(columns);
        StreamConfig given = config(words);
        if (options.get(StreamOption.KERNEL).getValue() == null
                && given.method() == StreamOption.Method.LEAST_SQUARES) {
            linear.apply(given).forEach(words::putIfAbsent);
        }
        return config(words);
    }

    /** The configuration without defaults of the command's own. */
    StreamConfig config(List<String> columns) {
        return config(columns, given -> Map.of());
    }

    /** The configuration of these words; refuses what is wrong in the words of the command. */
    static StreamConfig config(Map<String, String> words) {
        try {
            return StreamConfig.parse(words);
        } catch (InvalidConfigException e) {
            boolean known = StreamOption.NAMES.contains(e.field());
            String what = known ? option(e.field()) + " " + e.value() + ": " + e.rule() : e.getMessage();
            throw known && isMisspelled(e) ? CommandFailure.usage(what) : CommandFailure.data(what);
        }
    }

    /** True if the command was called in a wrong way; any other value out of its range is bad data. */
    private static boolean isMisspelled(InvalidConfigException e) {
        StreamOption<?> option = StreamOption.ALL.get(StreamOption.NAMES.indexOf(e.field()));
        return e.reason() == InvalidConfigException.Reason.NOT_APPLICABLE
                || !option.choices().isEmpty()
                || option.equals(StreamOption.DECAY);
    }

    /** The command's name of an option of the table. */
    static String option(String name) {
        return name.equals(StreamOption.DRIFT.name())
                ? "--watch-drift"
                : "--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
