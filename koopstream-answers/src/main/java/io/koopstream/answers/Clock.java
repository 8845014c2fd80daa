package io.koopstream.answers;

import io.koopstream.InvalidQueryException;
import io.koopstream.io.TimeAxis;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.rows.Durations;
import io.koopstream.rows.MaxGap;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Length of a step of a model, and the way its times are told: in steps, in the units of the data, or as dates and hours. */
public final class Clock {

    /** A step is the unit. */
    public static final Clock STEPS = new Clock(1, null, false);

    private final double dt;
    /** Null when rows have no times. */
    private final TimeStyle style;

    private final boolean told;

    private Clock(double dt, TimeStyle style, boolean told) {
        this.dt = dt;
        this.style = style;
        this.told = told;
    }

    /**
     * The clock of a model.
     *
     * @param given what the user says a step lasts, e.g. 0.1 or 15min; null: what the model knows, or one
     */
    public static Clock of(TimeAxis time, String given) {
        TimeStyle style = time.style().isEmpty() ? null : TimeStyle.parse(time.style());
        if (given == null) {
            return Double.isNaN(time.interval()) ? new Clock(1, style, false) : new Clock(time.interval(), style, true);
        }
        double dt = Durations.parse(given);
        if (!(dt > 0) || Double.isInfinite(dt)) {
            throw new InvalidQueryException("--dt " + given + ": must be a time > 0, e.g. 0.1, or 15min, 1h, 7d");
        }
        return new Clock(dt, style != null ? style : hasUnit(given) ? TimeStyle.EPOCH_SECONDS : null, true);
    }

    /** The clock of a system without dates. */
    public static Clock of(double dt) {
        return new Clock(dt, null, true);
    }

    /** The clock of rows as they are read, which are so far apart; NaN when that is not known. */
    public static Clock of(SampleReader reader, double interval) {
        String style = reader.timeStyle().map(TimeStyle::text).orElse("");
        return of(new TimeAxis(interval, MaxGap.NONE, style), null);
    }

    /** The clock of a model whose steps last as long as somebody says. */
    public Clock lasting(double step) {
        return step == dt ? this : new Clock(step, style, true);
    }

    private static boolean hasUnit(String text) {
        return Character.isLetter(text.charAt(text.length() - 1));
    }

    /** Length of a step: seconds where times are dated. */
    public double dt() {
        return dt;
    }

    /** True if times are points in time, told in hours, days and so on. */
    public boolean isDated() {
        return style != null && style.isDated();
    }

    /** Unit of times, for the axis of a picture. */
    public String unit() {
        return isDated() ? "time (" + Durations.unit(dt).name() + ")" : told ? "time" : "steps";
    }

    /** Unit of the times in a table, in brackets for its heading; empty where each has its unit. */
    public String heading() {
        return isDated() ? "" : told ? " (units of time)" : " (steps)";
    }

    /** True if the length of a step is known. */
    public boolean isTold() {
        return told;
    }

    /** Length of a step in the {@link #unit}. */
    public double dtInUnits() {
        return isDated() ? dt / Durations.unit(dt).seconds() : dt;
    }

    /** A duration as text; one without end has none. */
    public String duration(double time) {
        if (!isDated()) {
            return timescale(time);
        }
        return Double.isInfinite(time) || !(time > 0) || time > 1e5 * dt ? "-" : Durations.text(time, dt);
    }

    /** A time as the data writes it; a number to a millionth of a step, so that sums of steps do not show their rounding. */
    public String at(double time) {
        double shown = time;
        if (!isDated() && told && Double.isFinite(time)) {
            int decimals = 6 - (int) Math.floor(Math.log10(dt));
            shown = new BigDecimal(time)
                    .setScale(decimals, RoundingMode.HALF_EVEN)
                    .doubleValue();
        }
        return style == null ? String.format(Locale.ROOT, "%s", shown) : style.format(shown);
    }

    /** Length of a step; NaN when it is not known. */
    public double interval() {
        return told ? dt : Double.NaN;
    }

    /** A time as the data writes it; null when it is unknown. */
    String ifKnown(double time) {
        return Double.isNaN(time) ? null : at(time);
    }

    /** Unit of the times of an answer, for programs: {@code s}, {@code of the data} or {@code steps}. */
    public String timeUnit() {
        return isDated() ? "s" : told ? "of the data" : "steps";
    }

    /** A time scale with a sensible number of digits; a mode that does not decay has none. */
    public static String timescale(double value) {
        if (Double.isInfinite(value) || value < 0 || value > 1e5) {
            return "-";
        }
        return String.format(Locale.ROOT, value < 10 ? "%.3f" : "%.1f", value);
    }
}
