package io.koopstream.cli.learn;

import io.koopstream.InvalidConfigException;
import io.koopstream.cli.shell.Choices;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.rows.Preparation;
import io.koopstream.stream.StreamSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say how to learn. What is not given is chosen from the first rows when the kernel is not given either. */
public final class StreamOptions {

    /** Whether rows are scored. */
    private boolean scores;

    /** What is wrong with these is the way the command was called; any other setting out of its range is bad data. */
    private static final Set<String> WORDS = Set.of("method", "criterion", "decay", "onDrift");

    @Option(
            names = "--method",
            paramLabel = "NAME",
            completionCandidates = Choices.Methods.class,
            description =
                    "least-squares (no step size to tune) or sogd (Algorithm 1 of the paper); default: least-squares")
    private String method;

    @Option(
            names = "--kernel",
            paramLabel = "SPEC",
            description =
                    "e.g. gaussian(sigma=0.5) or 0.4*gaussian(0.4)+0.6*gaussian(0.7); default: chosen from the first samples, "
                            + "together with lambda, epsilon and eta unless given")
    private String kernel;

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description =
                    "regularisation; default: chosen on held-out pairs at query time (sogd: from the first samples, or 1e-3 with --kernel)")
    private Double lambda;

    @Option(
            names = "--epsilon",
            paramLabel = "EPS",
            description =
                    "novelty threshold; smaller keeps more samples; default: chosen, or 0.1 (sogd 0.03) with --kernel")
    private Double epsilon;

    @Option(
            names = "--eta",
            paramLabel = "E",
            description = "sogd: step size; default: chosen, or 0.3 / sup k(x,x) with --kernel")
    private Double eta;

    @Option(
            names = "--decay",
            paramLabel = "A,R",
            description = "sogd: step sizes eta*(R/(t+R))^A instead of a constant one")
    private String decay;

    @Option(
            names = "--criterion",
            paramLabel = "NAME",
            description = "sogd: novelty criterion, exact or paper; default: exact")
    private String criterion;

    @Option(
            names = "--forgetting",
            paramLabel = "F",
            description = "least-squares: forgetting factor in (0,1], applied per sample; default: 1")
    private Double forgetting;

    @Option(
            names = "--max-dictionary",
            paramLabel = "N",
            description =
                    "maximum number of kept samples; a full dictionary replaces its least useful ones; default: 2000")
    private Integer maxDictionary;

    @Option(
            names = "--block",
            paramLabel = "N",
            description =
                    "samples learned per block, 1 to 1024; larger is faster, with the same model up to rounding; default: 64")
    private Integer block;

    @Option(
            names = "--average",
            paramLabel = "G",
            arity = "0..1",
            fallbackValue = "3",
            description = "sogd: average the iterates, the k-th weighted by k^G (default 3), which fluctuates less")
    private Double average;

    @Option(
            names = "--holdout",
            paramLabel = "SHARE",
            description =
                    "least-squares: share of the pairs held out, in runs, to choose lambda and to validate the model; 0 for none; default: 0.1")
    private Double holdout;

    @Option(
            names = "--delays",
            paramLabel = "K",
            description =
                    "a state is a row and the K rows before it, for partially observed systems; default: chosen from the first rows, 0 with --kernel")
    private Integer delays;

    @Option(
            names = "--stride",
            paramLabel = "S",
            description = "distance in rows between those of --delays; default: 1")
    private Integer stride;

    @Option(
            names = "--dt",
            paramLabel = "T",
            description =
                    "usual time between rows, e.g. 0.1 in units of the time column, or 15min, 1h, 7d for dated rows; default: detected")
    private String dt;

    @Option(
            names = "--max-gap",
            paramLabel = "T",
            description =
                    "largest time between successive rows, e.g. 2h, or weekends: Monday follows Friday; default: weekends if dated rows are daily and never on a Saturday or Sunday, else 1.5 times the usual time")
    private String maxGap;

    @Option(
            names = "--fill",
            paramLabel = "HOW",
            description =
                    "how to fill missing values: linear, previous or none; default: none (a missing value is a gap)")
    private String fill;

    @Option(
            names = "--fill-max",
            paramLabel = "N",
            description = "longest run of missing rows that is filled; longer runs are gaps; default: 3")
    private Integer fillMax;

    @Option(
            names = "--log",
            paramLabel = "A,B",
            arity = "0..1",
            fallbackValue = Preparation.ALL,
            description = "learn the logarithm of these columns (all if none is named); forecasts undo it")
    private String log;

    @Option(
            names = "--difference",
            paramLabel = "A,B",
            arity = "0..1",
            fallbackValue = Preparation.ALL,
            description =
                    "learn the differences from row to row of these columns (all if none is named); forecasts add them up again")
    private String difference;

    @Option(
            names = "--calendar",
            paramLabel = "C",
            description =
                    "calendar inputs, known in advance: hour (of the day), weekday, season, separated by commas, or none; default: season if dated rows span two years and follow it")
    private String calendar;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "rows to collect before settings are chosen; default: 2000, none with --kernel")
    private Integer warmUp;

    @Option(
            names = "--watch-drift",
            negatable = true,
            description = "watch for changes of the dynamics and report them; default: yes")
    private Boolean watchDrift;

    @Option(
            names = "--drift-discount",
            paramLabel = "F",
            description = "least-squares: after a change, weight what was learned before by F, e.g. 0.01")
    private Double driftDiscount;

    @Option(
            names = "--on-drift",
            paramLabel = "DO",
            description =
                    "report lasting changes with kind (slow drift, level shift, variance change, changed spectrum) and onset, and then forget the past,"
                            + " discount it (see --drift-discount; default 0.01) or ignore the change")
    private String onDrift;

    @Option(
            names = "--alarm-rate",
            paramLabel = "R",
            description = "with scores: false alarms per row in normal operation; default: 1e-4")
    private Double alarmRate;

    @Option(
            names = "--robust",
            description = "with scores: do not learn rows rarer than one in a thousand, unless they persist")
    private boolean robust;

    /**
     * What was said, by the words of {@link StreamSettings}.
     *
     * @param columns names of the coordinates of a row; null when they are not known yet
     */
    Map<String, String> words(List<String> columns) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("method", method);
        options.put("kernel", kernel);
        options.put("lambda", lambda);
        options.put("epsilon", epsilon);
        options.put("eta", eta);
        options.put("decay", decay);
        options.put("criterion", criterion);
        options.put("forgetting", forgetting);
        options.put("maxDictionary", maxDictionary);
        options.put("block", block);
        options.put("average", average);
        options.put("holdout", holdout);
        options.put("delays", delays);
        options.put("stride", stride);
        options.put("dt", dt);
        options.put("maxGap", maxGap);
        options.put("fill", fill);
        options.put("fillMax", fillMax);
        options.put("log", numbers("--log", log, columns));
        options.put("difference", numbers("--difference", difference, columns));
        options.put("calendar", calendar);
        options.put("warmUp", warmUp);
        options.put("drift", watchDrift);
        options.put("driftDiscount", driftDiscount);
        options.put("onDrift", onDrift);
        options.put("scores", scores ? true : null);
        options.put("alarmRate", alarmRate);
        options.put("robust", robust ? true : null);
        options.values().removeIf(Objects::isNull);
        Map<String, String> said = new LinkedHashMap<>();
        options.forEach((name, value) -> said.put(name, value.toString()));
        return said;
    }

    /** Asks for scores. */
    void score() {
        scores = true;
    }

    /** Refuses options about scores where there are none. */
    void requireNoneOfScores() {
        if (robust || alarmRate != null) {
            throw CommandFailure.usage((robust ? "--robust" : "--alarm-rate") + " is about scores: add --scores F.csv");
        }
    }

    /** Whether pairs are held out; refuses at once what is wrong whatever the data is. */
    boolean keepsAside() {
        Map<String, String> words = words(null);
        words.keySet().removeAll(List.of("log", "difference"));
        return settings(words).method().holdOut() > 0;
    }

    /** The names of columns as numbers from 1. */
    private static String numbers(String option, String names, List<String> columns) {
        if (names == null || names.equals(Preparation.ALL) || columns == null) {
            return names;
        }
        List<String> numbers = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            int place = columns.indexOf(name.strip());
            if (place < 0) {
                throw CommandFailure.data(
                        option + " " + names + ": no column '" + name + "'; there are " + String.join(", ", columns));
            }
            numbers.add(Integer.toString(place + 1));
        }
        return String.join(",", numbers);
    }

    /**
     * The settings; refuses what is wrong.
     *
     * @param columns names of the coordinates of a row
     */
    StreamSettings settings(List<String> columns) {
        return settings(words(columns));
    }

    private static StreamSettings settings(Map<String, String> words) {
        try {
            return StreamSettings.of(words);
        } catch (InvalidConfigException e) {
            String what = StreamSettings.ALL_NAMES.contains(e.field())
                    ? option(e.field()) + " " + e.value() + ": " + e.rule()
                    : e.getMessage();
            throw WORDS.contains(e.field()) || e.reason() == InvalidConfigException.Reason.NOT_APPLICABLE
                    ? CommandFailure.usage(what)
                    : CommandFailure.data(what);
        }
    }

    /** The option of a word. */
    static String option(String word) {
        return word.equals("drift")
                ? "--watch-drift"
                : "--" + word.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
