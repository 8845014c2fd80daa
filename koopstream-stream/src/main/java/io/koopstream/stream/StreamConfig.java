package io.koopstream.stream;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.change.Watch;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Preparation;
import io.koopstream.stream.StreamOption.Method;
import io.koopstream.stream.StreamOption.OnDrift;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.Proposal;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Configuration of a {@link LearningStream}, every {@linkplain StreamOption option} optional, checked when it is made. Without a kernel, options that
 * are not given are chosen from the first observations.
 *
 * <pre>{@code
 * StreamConfig config = StreamConfig.builder()
 *         .set(StreamOption.KERNEL, Kernels.gaussian(1))
 *         .set(StreamOption.DELAYS, 3)
 *         .build();
 * }</pre>
 *
 * <p>Immutable; equal if the same options are given, spelled alike. The spelling is kept because models store it.
 */
public final class StreamConfig {

    /** Weight of the past after a change with {@code onDrift = discount}, where none is given. */
    public static final double DEFAULT_DISCOUNT = 0.01;

    /** Weight of a forgotten past: so little that it decides nothing once there are a few new pairs. */
    private static final double FORGOTTEN = 1e-9;

    private final Map<String, String> given = new LinkedHashMap<>();
    private final Map<String, Object> values = new HashMap<>();
    private final Preparation preparation;
    private final double driftDiscount;

    private StreamConfig(Map<String, String> words) {
        Map<String, String> named = new HashMap<>();
        words.forEach((written, value) -> {
            String name = StreamOption.name(written);
            if (!StreamOption.NAMES.contains(name)) {
                throw new InvalidConfigException(
                        Reason.UNKNOWN_NAME,
                        written,
                        value,
                        "no such setting; there are " + String.join(", ", StreamOption.NAMES));
            }
            if (value == null) {
                throw new InvalidConfigException(name, null, "has no value; leave the setting out, or give one");
            }
            named.put(name, value.strip());
        });
        for (StreamOption<?> option : StreamOption.ALL) {
            String text = named.get(option.name());
            if (text != null) {
                values.put(option.name(), option.parser().apply(text));
                given.put(option.name(), text);
            }
        }
        preparation = Preparation.of(given);
        driftDiscount = discount();
        for (StreamOption<?> option : StreamOption.ALL) {
            if (has(option) && !option.isApplicable(this)) {
                throw new InvalidConfigException(
                        Reason.NOT_APPLICABLE, option.name(), given.get(option.name()), "needs " + option.needs());
            }
        }
        if (driftDiscount < 1 && !isLeastSquares()) {
            throw new InvalidConfigException(
                    Reason.NOT_APPLICABLE,
                    "onDrift",
                    given.get("onDrift"),
                    "needs method = least-squares, or to be ignore");
        }
        // Any dimension shows what is wrong whatever the data is, unless the kernel takes only one.
        int dimension =
                choosesKernel() ? 1 : Math.max(1, get(StreamOption.KERNEL).requiredDimension());
        choose(dimension, dimension, null);
    }

    private double discount() {
        Double factor = get(StreamOption.DRIFT_DISCOUNT);
        OnDrift action = get(StreamOption.ON_DRIFT);
        if (action == null || action == OnDrift.DISCOUNT) {
            return factor != null ? factor : action == null ? 1 : DEFAULT_DISCOUNT;
        }
        return action == OnDrift.FORGET ? FORGOTTEN : 1;
    }

    /**
     * Configuration from text, as typed by a user or stored in a model.
     *
     * @param words option names to values; {@code warmUp} may be written {@code warm-up}
     * @throws InvalidConfigException on an unknown name, an illegal value, or an option without the one it needs
     */
    public static StreamConfig parse(Map<String, String> words) {
        return new StreamConfig(words);
    }

    /** No options given: everything is chosen from the first observations. */
    public static StreamConfig defaults() {
        return parse(Map.of());
    }

    /** A builder without options. */
    public static Builder builder() {
        return new Builder(Map.of());
    }

    /** A builder with the options given here. */
    public Builder toBuilder() {
        return new Builder(given);
    }

    /** The options given, as they were spelled, in the order of the table; {@link #parse} makes an equal configuration of them. */
    public Map<String, String> given() {
        return Collections.unmodifiableMap(given);
    }

    /** The options given that are not at their default, each value in one spelling: equal for configurations that mean the same. */
    public Map<String, String> meaning() {
        Map<String, String> meant = new LinkedHashMap<>();
        for (StreamOption<?> option : StreamOption.ALL) {
            Object value = values.get(option.name());
            if (value != null && !Objects.deepEquals(value, option.fallback())) {
                boolean array = value.getClass().isArray();
                meant.put(option.name(), array ? Arrays.deepToString(new Object[] {value}) : StreamOption.text(value));
            }
        }
        return meant;
    }

    /** The options given that configure the learning method. */
    public Map<String, String> givenForMethod() {
        Map<String, String> ofMethod = new LinkedHashMap<>(given);
        ofMethod.keySet().retainAll(StreamOption.OF_METHOD);
        return ofMethod;
    }

    /** Horizons at which forecasts are judged beside the usual ones. */
    public List<Integer> horizons() {
        int[] given = get(StreamOption.HORIZONS);
        return given == null ? List.of() : Arrays.stream(given).boxed().toList();
    }

    /** True if the option is given. */
    public boolean has(StreamOption<?> option) {
        return values.containsKey(option.name());
    }

    /** Value of an option, or its default; null where neither is there. */
    @SuppressWarnings("unchecked") // Every option put its own value there.
    public <T> T get(StreamOption<T> option) {
        return (T) values.getOrDefault(option.name(), option.fallback());
    }

    /** The learning method. */
    public Method method() {
        return get(StreamOption.METHOD);
    }

    /** True if the method is least squares. */
    public boolean isLeastSquares() {
        return method() == Method.LEAST_SQUARES;
    }

    /** True if no kernel is given, so that it is chosen from the first observations with all that is left open. */
    public boolean choosesKernel() {
        return !has(StreamOption.KERNEL);
    }

    boolean choosesDelays() {
        return !has(StreamOption.DELAYS) && stride() == 1 && choosesKernel() && isLeastSquares();
    }

    boolean choosesMaxGap() {
        return !has(StreamOption.MAX_GAP) && choosesKernel();
    }

    boolean choosesCalendar() {
        return !has(StreamOption.CALENDAR) && choosesKernel() && isLeastSquares();
    }

    /** Share of the pairs that is held out; 0 for sogd, which learns every sample as the paper does. */
    public double holdOut() {
        return isLeastSquares() ? get(StreamOption.HOLDOUT) : 0;
    }

    /** Number of earlier observations in a state, where it is given. */
    public OptionalInt delays() {
        return has(StreamOption.DELAYS) ? OptionalInt.of(get(StreamOption.DELAYS)) : OptionalInt.empty();
    }

    /** Steps between the observations of a state. */
    public int stride() {
        return get(StreamOption.STRIDE);
    }

    /** Usual time between two observations; NaN where it is not given. */
    public double interval() {
        return has(StreamOption.DT) ? get(StreamOption.DT) : Double.NaN;
    }

    /** Largest gap between observations that follow each other. */
    public MaxGap maxGap() {
        return has(StreamOption.MAX_GAP) ? get(StreamOption.MAX_GAP) : MaxGap.NONE;
    }

    /** Transformation of observations before they are learned. */
    public Preparation preparation() {
        return preparation;
    }

    /** Observations seen before settings are chosen. */
    public int warmUp() {
        return get(StreamOption.WARM_UP);
    }

    /** Trajectories followed at once. */
    public int openTrajectories() {
        return get(StreamOption.OPEN_TRAJECTORIES);
    }

    /** True if changes of the dynamics are looked for. */
    public boolean drift() {
        return get(StreamOption.DRIFT);
    }

    /** Factor on the weight of the past at every change; 1 leaves it. */
    public double driftDiscount() {
        return driftDiscount;
    }

    /** True if lasting changes are reported with their kinds. */
    public boolean tellsChanges() {
        return has(StreamOption.ON_DRIFT);
    }

    /** True if observations are scored before they are learned. */
    public boolean scores() {
        return get(StreamOption.SCORES);
    }

    /** Alarms per observation while nothing changes. */
    public double alarmRate() {
        return get(StreamOption.ALARM_RATE);
    }

    /** A watch over changes that has seen nothing. */
    public Watch newWatch() {
        return new Watch(drift(), tellsChanges());
    }

    /**
     * Configuration of the learner.
     *
     * @param dimension coordinates of a state, delays included
     * @param targets coordinates of an observation, which come first
     * @param proposal for options that are not given; null for their defaults
     */
    public ChosenSettings choose(int dimension, int targets, Proposal proposal) {
        return new LearnerChoice(this, proposal).choose(dimension, targets);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamConfig config && given.equals(config.given);
    }

    @Override
    public int hashCode() {
        return given.hashCode();
    }

    @Override
    public String toString() {
        return given.toString();
    }

    /** A configuration under way. */
    public static final class Builder {

        private final Map<String, String> words;

        private Builder(Map<String, String> words) {
            this.words = new LinkedHashMap<>(words);
        }

        /** Gives an option its value. */
        public <T> Builder set(StreamOption<T> option, T value) {
            words.put(option.name(), StreamOption.text(value));
            return this;
        }

        /**
         * The configuration.
         *
         * @throws InvalidConfigException on an illegal value, or an option without the one it needs
         */
        public StreamConfig build() {
            return parse(words);
        }
    }
}
