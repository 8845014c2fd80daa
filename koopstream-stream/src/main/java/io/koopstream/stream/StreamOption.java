package io.koopstream.stream;

import io.koopstream.InvalidConfigException;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.rows.Durations;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.MissingValues.Fill;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One option of a stream. There is one table of all options: the command, the server, the Flink job, their help and the documents take names,
 * ranges, defaults and texts from here, and values are checked against it. A row is {@code name LABEL | legal values | default | needs | meaning}; a
 * default after {@code =} is a value, any other is words.
 *
 * @param <T> type of its values
 * @param name in the builder, in settings of the server and of jobs, and in stored models
 * @param label placeholder of the value in a synopsis; empty for a flag
 * @param type of its values
 * @param parser reads a value; throws {@link InvalidConfigException} if it is not legal
 * @param range legal values, in words
 * @param fallback value where none is given; null where it is chosen or depends on other options
 * @param otherwise default, in words
 * @param needs values of other options without which this one has no meaning; empty where it stands alone
 * @param help meaning, in one line
 */
public record StreamOption<T>(
        String name,
        String label,
        Class<T> type,
        Function<String, T> parser,
        String range,
        T fallback,
        String otherwise,
        String needs,
        String help) {

    /** Learning methods. */
    public enum Method {
        /** Least squares on the dictionary. */
        LEAST_SQUARES,
        /** Algorithm 1 of the paper. */
        SOGD;

        @Override
        public String toString() {
            return word(this);
        }
    }

    /** Actions on what was learned before a lasting change. */
    public enum OnDrift {
        /** It counts no more. */
        FORGET,
        /** It counts {@link #DRIFT_DISCOUNT} times as much. */
        DISCOUNT,
        /** The change is only reported. */
        IGNORE
    }

    /** Instead of a number of kept samples. */
    private static final String NO_LIMIT = "none";

    private static final Pattern DASH = Pattern.compile("-([a-z])");
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.e-]*");
    private static final Pattern PARTNER = Pattern.compile("(\\w+) = ([\\w-]+)");
    private static final List<StreamOption<?>> LISTED = new ArrayList<>();

    private static final String TABLE = """
            method NAME | least-squares or sogd | = least-squares | | learning method: least squares (no step size to tune) or Algorithm 1 of the paper
            kernel SPEC | e.g. gaussian(sigma=0.5) or 0.4*gaussian(0.4)+0.6*gaussian(0.7) | chosen from the first rows, together with lambda, epsilon and eta unless given | | kernel
            lambda L | > 0 | chosen on held-out pairs at query time (sogd: from the first rows, or 1e-3 with a kernel) | | regularisation
            epsilon EPS | >= 0 | chosen, or 0.1 (sogd 0.03) with a kernel | | novelty threshold; smaller keeps more samples
            eta E | > 0 | chosen, or 0.3 / sup k(x,x) with a kernel | method = sogd | step size
            decay A,R | exponent and offset, e.g. 0.75,200 | constant steps | method = sogd | step sizes eta*(R/(t+R))^A
            budget RULE | constant(0.02), or proportional(0.3), also written eta-squared(0.3), for 0.3 times the square of the step size | constant, epsilon | method = sogd | largest change of the operator that a sample left out may cost
            criterion RULE | exact or paper | = exact | method = sogd | residual that is compared with the budget: the true one, or the paper's, which leaves out the input side
            delta HOW | norm or squared | = norm | method = sogd | compare the norm of the residual with the budget, or its square
            forgetting F | in (0, 1] | = 1 | method = least-squares | forgetting factor per sample
            maxDictionary N | >= 1, or none | = 2000 | | maximum number of kept samples; a full dictionary replaces its least useful ones
            block N | from 1 to 1024 | = 64 | | samples learned per block; larger is faster, with the same model up to rounding
            average G | >= 0 | no averaging | method = sogd | average the iterates, the k-th weighted by k^G, e.g. 3, which fluctuates less
            holdout SHARE | from 0 to 0.5 | = 0.1 | method = least-squares | share of the pairs held out, in runs, to choose lambda and to validate the model; 0 for none
            delays K | from 0 to 1000 | chosen from the first rows, 0 with a kernel | | a state is a row and the K rows before it, for partially observed systems
            stride S | from 1 to 10000 | = 1 | | distance in rows between those of delays
            dt T | a time > 0: a number in the units of the time column, or e.g. 15min, 1h, 7d | detected | | usual time between rows
            maxGap T | e.g. 2h, or weekends: Monday follows Friday | weekends if dated rows are daily and never on a Saturday or Sunday, else 1.5 times the usual time | | largest time between successive rows
            fill HOW | none, linear or previous | = none | | filling of missing values; with none they are gaps
            fillMax N | from 1 to 1000 | = 3 | fill = linear or fill = previous | longest run of missing rows that is filled; longer runs are gaps
            log A,B | all, or numbers of coordinates from 1, e.g. 1,3 (koop: names) | none | | learn the logarithm of these coordinates; forecasts undo it
            difference A,B | all, or numbers of coordinates from 1, e.g. 1,3 (koop: names) | none | | learn the differences from row to row of these coordinates; forecasts add them up again
            calendar C | hour (of the day), weekday, season, separated by commas, or none | season if dated rows span two years and follow it | | calendar inputs, known in advance
            inputs A,B | numbers of coordinates from 1, the last ones (koop: names) | none | method = least-squares | columns that drive the others, as weather, prices or set points do: they are not forecast, and forecasts use their coming values where they are given
            warmUp N | from 3 to 1000000 | = 2000 | | rows to collect before settings are chosen; none with a kernel
            openTrajectories N | >= 1 | = 10000 | | trajectories followed at once; the longest silent one makes room
            drift | true or false | = true | | watch for changes of the dynamics and report them
            driftDiscount F | in (0, 1] | 1, or 0.01 with onDrift = discount | drift = true, method = least-squares, onDrift = discount if given | weight of what was learned before a change
            onDrift DO | forget, discount or ignore | changes are reported without kind, and ignored | drift = true | report lasting changes with kind (slow drift, level shift, variance change, changed spectrum) and onset, and then forget the past, discount it or ignore the change
            horizons H,I | whole numbers from 1 to 1000, separated by commas | none | | rows ahead at which forecasts are judged, beside 1, 2, 3, 4, 6, 8, ... 128
            scores | true or false | = false | | score every row before it is learned
            alarmRate R | from 1e-9 to 0.1 | = 2e-4 | scores = true | false alarms per row in normal operation
            robust | true or false | = false | scores = true | do not learn rows rarer than one in a thousand, unless they persist
            """;

    public static final StreamOption<Method> METHOD = listed("method", row -> choice(Method.class, row));
    public static final StreamOption<Kernel> KERNEL =
            listed("kernel", row -> of(Kernel.class, "", (range, text) -> Kernels.parse(text), row));
    public static final StreamOption<Double> LAMBDA = listed("lambda", StreamOption::real);
    public static final StreamOption<Double> EPSILON = listed("epsilon", StreamOption::real);
    public static final StreamOption<Double> ETA = listed("eta", StreamOption::real);
    public static final StreamOption<double[]> DECAY =
            listed("decay", row -> of(double[].class, "", StreamOption::decay, row));
    public static final StreamOption<Budget> BUDGET =
            listed("budget", row -> of(Budget.class, "", (range, text) -> Budget.parse(text), row));
    public static final StreamOption<Criterion> CRITERION = listed("criterion", row -> choice(Criterion.class, row));
    public static final StreamOption<Criterion.Delta> DELTA =
            listed("delta", row -> choice(Criterion.Delta.class, row));
    public static final StreamOption<Double> FORGETTING = listed("forgetting", StreamOption::real);
    public static final StreamOption<Integer> MAX_DICTIONARY = listed("maxDictionary", StreamOption::whole);
    public static final StreamOption<Integer> BLOCK = listed("block", StreamOption::whole);
    public static final StreamOption<Double> AVERAGE = listed("average", StreamOption::real);
    public static final StreamOption<Double> HOLDOUT = listed("holdout", StreamOption::real);
    public static final StreamOption<Integer> DELAYS = listed("delays", StreamOption::whole);
    public static final StreamOption<Integer> STRIDE = listed("stride", StreamOption::whole);
    public static final StreamOption<Double> DT = listed("dt", row -> of(Double.class, "", StreamOption::time, row));
    public static final StreamOption<MaxGap> MAX_GAP =
            listed("maxGap", row -> of(MaxGap.class, "", (range, text) -> MaxGap.parse(text), row));
    public static final StreamOption<Fill> FILL = listed("fill", row -> choice(Fill.class, row));
    public static final StreamOption<Integer> FILL_MAX = listed("fillMax", StreamOption::whole);
    public static final StreamOption<String> LOG = listed("log", StreamOption::words);
    public static final StreamOption<String> DIFFERENCE = listed("difference", StreamOption::words);
    public static final StreamOption<String> CALENDAR = listed("calendar", StreamOption::words);
    public static final StreamOption<String> INPUTS = listed("inputs", StreamOption::words);
    public static final StreamOption<Integer> WARM_UP = listed("warmUp", StreamOption::whole);
    public static final StreamOption<Integer> OPEN_TRAJECTORIES = listed("openTrajectories", StreamOption::whole);
    public static final StreamOption<Boolean> DRIFT = listed("drift", StreamOption::flag);
    public static final StreamOption<Double> DRIFT_DISCOUNT = listed("driftDiscount", StreamOption::real);
    public static final StreamOption<OnDrift> ON_DRIFT = listed("onDrift", row -> choice(OnDrift.class, row));
    public static final StreamOption<int[]> HORIZONS =
            listed("horizons", row -> of(int[].class, "", StreamOption::horizons, row));
    public static final StreamOption<Boolean> SCORES = listed("scores", StreamOption::flag);
    public static final StreamOption<Double> ALARM_RATE = listed("alarmRate", StreamOption::real);
    public static final StreamOption<Boolean> ROBUST = listed("robust", StreamOption::flag);

    /** All options, in the order in which they are stored and explained. */
    public static final List<StreamOption<?>> ALL = List.copyOf(LISTED);

    /** Their names. */
    public static final List<String> NAMES =
            ALL.stream().map(StreamOption::name).toList();

    /** Names of the options of the learning method, which a stored model brings along; the others are about rows and watching. */
    public static final List<String> OF_METHOD = NAMES.subList(0, NAMES.indexOf(DELAYS.name));

    private static <T> StreamOption<T> listed(String name, Function<String, StreamOption<T>> reader) {
        StreamOption<T> option = reader.apply(TABLE.lines()
                .filter(row -> row.startsWith(name + " "))
                .findFirst()
                .orElseThrow());
        LISTED.add(option);
        return option;
    }

    /**
     * @param kind what a value is, before the legal values
     * @param reader value of a text, given the legal values; null if it is none of them
     */
    private static <T> StreamOption<T> of(
            Class<T> type, String kind, BiFunction<String, String, T> reader, String row) {
        String[] cells = Arrays.stream(row.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        String[] names = (cells[0] + " ").split(" ", -1);
        Function<String, T> parser = text -> {
            try {
                T value = reader.apply(cells[1], text);
                if (value != null) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Refused below, like a number out of range.
            }
            throw new InvalidConfigException(names[0], text, "must be " + kind + cells[1]);
        };
        boolean isValue = cells[2].startsWith("= ");
        String otherwise = isValue ? cells[2].substring(2) : cells[2];
        return new StreamOption<>(
                names[0],
                names[1],
                type,
                parser,
                cells[1],
                isValue ? parser.apply(otherwise) : null,
                otherwise,
                cells[3],
                cells[4]);
    }

    private static StreamOption<String> words(String row) {
        return of(String.class, "", (range, text) -> text, row);
    }

    /** An option that takes whole numbers, from its row of the table; none is the largest, where it is legal. */
    public static StreamOption<Integer> whole(String row) {
        return of(
                Integer.class,
                "a whole number ",
                (range, text) -> {
                    boolean unlimited = range.endsWith(NO_LIMIT) && text.equals(NO_LIMIT);
                    int value = unlimited ? DictionaryCap.NONE : Integer.parseInt(text);
                    return isWithin(range, value) ? value : null;
                },
                row);
    }

    private static StreamOption<Double> real(String row) {
        return of(
                Double.class,
                "a number ",
                (range, text) -> {
                    double value = Double.parseDouble(text);
                    return isWithin(range, value) ? value : null;
                },
                row);
    }

    /** An option that is true or false, from its row of the table. */
    public static StreamOption<Boolean> flag(String row) {
        return of(
                Boolean.class,
                "",
                (range, text) -> List.of("true", "false").contains(text) ? Boolean.valueOf(text) : null,
                row);
    }

    private static <E extends Enum<E>> StreamOption<E> choice(Class<E> type, String row) {
        return of(
                type,
                "",
                (range, text) -> Arrays.stream(type.getEnumConstants())
                        .filter(value -> word(value).equals(text.toLowerCase(Locale.ROOT)))
                        .findFirst()
                        .orElse(null),
                row);
    }

    private static Double time(String range, String text) {
        double time = Durations.parse(text);
        return time > 0 && time <= Double.MAX_VALUE ? time : null;
    }

    private static double[] decay(String range, String text) {
        double[] parts = Arrays.stream(text.split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        return parts.length == 2 ? parts : null;
    }

    private static int[] horizons(String range, String text) {
        int[] parts = Arrays.stream(text.split(",", -1))
                .mapToInt(part -> Integer.parseInt(part.strip()))
                .toArray();
        return Arrays.stream(parts).allMatch(h -> h >= 1 && h <= ForecastRecord.MAX_HORIZON) ? parts : null;
    }

    /** True if a number lies in {@code > a}, {@code >= a}, {@code from a to b} or {@code in (a, b]}. */
    private static boolean isWithin(String range, double value) {
        double[] bounds = NUMBER.matcher(range)
                .results()
                .mapToDouble(number -> Double.parseDouble(number.group()))
                .toArray();
        boolean open = range.startsWith("> ") || range.startsWith("in (");
        return (open ? value > bounds[0] : value >= bounds[0])
                && value <= (bounds.length > 1 ? bounds[1] : Double.MAX_VALUE);
    }

    /** True if the configuration has one of the values that this option needs of every other; one that is neither given nor has a default may be anything. */
    boolean isApplicable(StreamConfig config) {
        Map<String, Boolean> met = new HashMap<>();
        Matcher partners = PARTNER.matcher(needs);
        while (partners.find()) {
            Object value = config.get(ALL.get(NAMES.indexOf(partners.group(1))));
            met.merge(partners.group(1), value == null || text(value).equals(partners.group(2)), Boolean::logicalOr);
        }
        return !met.containsValue(false);
    }

    /** The words that may be written; empty where values are not from a list. */
    public List<String> choices() {
        return type.isEnum()
                ? Arrays.stream(type.getEnumConstants()).map(StreamOption::text).toList()
                : List.of();
    }

    /** The name of an option that may be written like one of a command: {@code warm-up} is {@code warmUp}. */
    public static String name(String written) {
        return DASH.matcher(written).replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A value as its parser reads it. */
    static String text(Object value) {
        if (value instanceof Enum<?> choice) {
            return word(choice);
        }
        if (value instanceof double[] numbers) {
            return Arrays.stream(numbers).mapToObj(Decimals::text).collect(Collectors.joining(","));
        }
        if (value instanceof int[] numbers) {
            return Arrays.stream(numbers).mapToObj(Integer::toString).collect(Collectors.joining(","));
        }
        if (value instanceof Double number) {
            return Decimals.text(number);
        }
        if (value instanceof Kernel kernel) {
            return kernel.text();
        }
        if (value instanceof Budget budget) {
            return budget.text();
        }
        return value instanceof MaxGap gap
                ? gap.text()
                : value.equals(DictionaryCap.NONE) ? NO_LIMIT : String.valueOf(value);
    }

    /** Meaning, legal values, needs and default, in one line. */
    public String description() {
        return help
                + (type == Boolean.class ? "" : "; " + range)
                + (needs.isEmpty() ? "" : "; needs " + needs)
                + "; default: " + otherwise;
    }

    @Override
    public String toString() {
        return name;
    }
}
