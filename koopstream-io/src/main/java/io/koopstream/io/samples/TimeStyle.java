package io.koopstream.io.samples;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.koopstream.InvalidConfigException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.CharBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAccessor;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How times are written: plain numbers, numbers since the beginning of 1970, or dates by a pattern. Times that are not plain numbers are
 * seconds since 1970-01-01T00:00Z; those without a zone are taken as UTC. Immutable.
 */
public final class TimeStyle {

    /** Numbers without a unit. */
    public static final TimeStyle NUMBER = new TimeStyle("number", 0);

    /** Seconds since 1970. */
    public static final TimeStyle EPOCH_SECONDS = new TimeStyle("epoch s", 1);

    /** Milliseconds since 1970. */
    public static final TimeStyle EPOCH_MILLIS = new TimeStyle("epoch ms", 1e3);

    /** Microseconds since 1970. */
    public static final TimeStyle EPOCH_MICROS = new TimeStyle("epoch us", 1e6);

    /** Nanoseconds since 1970. */
    public static final TimeStyle EPOCH_NANOS = new TimeStyle("epoch ns", 1e9);

    private static final List<TimeStyle> NUMBERS =
            List.of(NUMBER, EPOCH_SECONDS, EPOCH_MILLIS, EPOCH_MICROS, EPOCH_NANOS);

    /** A pattern around a year of two digits that does not stand in quotes. */
    private static final Pattern SHORT_YEAR =
            Pattern.compile("((?:[^'yu]|'[^']*')*)(?:yy|uu)((?![yu])(?:[^'yu]|'[^']*')*)");

    private static final int FIRST_SHORT_YEAR = 1969;

    private static final String DATE = "date";
    private static final String NO_ZONE = "-";
    /** Printed after the word {@code date}: what must not stand in a text as it is. */
    private static final String ESCAPED = "'\"`,%~\\";

    /** What it is called: of numbers all there is to say. */
    private final String word;
    /** Units per second; 0 for numbers without a unit, NaN for dates. */
    private final double perSecond;
    /** Null for numbers. */
    private final String pattern;
    /** The zone in which dates are written; null when they have none. */
    private final ZoneOffset zone;
    /** Reads and writes the patterns that files usually have; null for others. */
    private final DateLayout layout;
    /** Reads and writes all other patterns. */
    private final DateTimeFormatter formatter;

    private TimeStyle(String word, double perSecond) {
        this.word = word;
        this.perSecond = perSecond;
        this.pattern = null;
        this.zone = null;
        this.layout = null;
        this.formatter = null;
    }

    private TimeStyle(String pattern, ZoneOffset zone) {
        this.word = DATE;
        this.perSecond = Double.NaN;
        this.pattern = pattern;
        this.zone = zone;
        this.layout = DateLayout.of(pattern);
        try {
            this.formatter = layout != null ? null : formatter(pattern);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigException(
                    "time format",
                    pattern,
                    "is no pattern of dates (" + e.getMessage() + "); write it such as yyyy-MM-dd HH:mm:ss");
        }
    }

    /** Years of two digits are those from 1969 to 2068, as POSIX has it. */
    private static DateTimeFormatter formatter(String pattern) {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
        Matcher year = SHORT_YEAR.matcher(pattern);
        if (year.matches()) {
            builder.appendPattern(year.group(1)).appendValueReduced(ChronoField.YEAR, 2, 2, FIRST_SHORT_YEAR);
        }
        return builder.appendPattern(year.matches() ? year.group(2) : pattern).toFormatter(Locale.ENGLISH);
    }

    /** Dates as a pattern of {@link DateTimeFormatter} says, with English names. */
    public static TimeStyle ofPattern(String pattern) {
        return new TimeStyle(pattern, null);
    }

    /** The same with the zone in which times are written where the pattern has a zone. */
    TimeStyle in(ZoneOffset other) {
        return new TimeStyle(pattern, other);
    }

    /** Whether times are points in time: everything but plain numbers. */
    public boolean isDated() {
        return perSecond != 0;
    }

    /** Whether times are dates by a pattern. */
    boolean isPattern() {
        return pattern != null;
    }

    /** The pattern of dates; null of numbers. */
    String pattern() {
        return pattern;
    }

    /** A time as a number; NaN for a text that is no such time. */
    public double read(CharSequence text) {
        char[] chars = text.toString().toCharArray();
        return read(chars, 0, chars.length);
    }

    /** The same for a piece of a buffer. */
    public double read(char[] buffer, int offset, int length) {
        if (layout != null) {
            return layout.parse(buffer, offset, length);
        }
        if (formatter != null) {
            return readSlowly(new String(buffer, offset, length).strip());
        }
        try {
            if (perSecond > 1 && isWhole(buffer, offset, length)) {
                return ofNumber(Long.parseLong(CharBuffer.wrap(buffer, offset, length), 0, length, 10));
            }
            return ofNumber(JavaDoubleParser.parseDouble(buffer, offset, length));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static boolean isWhole(char[] buffer, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffer[i] < '0' || buffer[i] > '9') {
                return false;
            }
        }
        return length > 0;
    }

    /** A time that is written as this number. */
    double ofNumber(double number) {
        return perSecond > 1 ? number / perSecond : number;
    }

    /** The same without loss: nanoseconds of our days have more digits than a double. */
    double ofNumber(long number) {
        return perSecond > 1
                ? Math.floorDiv(number, (long) perSecond) + Math.floorMod(number, (long) perSecond) / perSecond
                : number;
    }

    private double readSlowly(String text) {
        TemporalAccessor found;
        try {
            found = formatter.parseBest(
                    text,
                    ZonedDateTime::from,
                    LocalDateTime::from,
                    LocalDate::from,
                    YearMonth::from,
                    TimeStyle::quarter,
                    Year::from,
                    LocalTime::from);
        } catch (DateTimeException e) {
            return Double.NaN;
        }
        if (found instanceof ZonedDateTime zoned) {
            return seconds(zoned.toInstant());
        }
        if (found instanceof LocalTime clock) {
            return clock.toNanoOfDay() * 1e-9;
        }
        LocalDateTime local = found instanceof LocalDateTime time
                ? time
                : found instanceof LocalDate day
                        ? day.atStartOfDay()
                        : found instanceof YearMonth month
                                ? month.atDay(1).atStartOfDay()
                                : ((Year) found).atDay(1).atStartOfDay();
        return seconds(local.toInstant(ZoneOffset.UTC));
    }

    /** The first month of a quarter. */
    private static YearMonth quarter(TemporalAccessor found) {
        return YearMonth.of(found.get(ChronoField.YEAR), 3 * (int) found.getLong(IsoFields.QUARTER_OF_YEAR) - 2);
    }

    private static double seconds(Instant instant) {
        return instant.getEpochSecond() + instant.getNano() * 1e-9;
    }

    /** A time as it would be written; it has more digits than those it was made from where it does not fall on such a time. */
    public String format(double time) {
        if (Double.isNaN(time) || Double.isInfinite(time)) {
            return Double.toString(time);
        }
        if (perSecond == 0) {
            return time == Math.rint(time) && Math.abs(time) < 1e15
                    ? Long.toString((long) time)
                    : Double.toString(time);
        }
        if (pattern == null) {
            // Doubles tell times of our days to a quarter of a microsecond.
            return perSecond > 1
                    ? Long.toString(Math.round(time * perSecond))
                    : new BigDecimal(time)
                            .setScale(6, RoundingMode.HALF_EVEN)
                            .stripTrailingZeros()
                            .toPlainString();
        }
        ZoneOffset used = zone == null ? ZoneOffset.UTC : zone;
        if (layout != null) {
            return layout.format(time, used);
        }
        long nanos = Math.round((time - Math.floor(time)) * 1e6) * 1000;
        return formatter.format(
                Instant.ofEpochSecond((long) Math.floor(time), nanos).atOffset(used));
    }

    /** All of it in one line that {@link #parse(String)} reads: printable ASCII without quotes, comma and percent sign. */
    public String text() {
        if (pattern == null) {
            return word;
        }
        StringBuilder text = new StringBuilder(DATE)
                .append(' ')
                .append(zone == null ? NO_ZONE : zone.getId())
                .append(' ');
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c < ' ' || c > '~' || ESCAPED.indexOf(c) >= 0) {
                text.append('~').append(HexFormat.of().toHexDigits(c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Reads what {@link #text} wrote. */
    public static TimeStyle parse(String text) {
        for (TimeStyle style : NUMBERS) {
            if (style.word.equals(text)) {
                return style;
            }
        }
        String[] parts = text.split(" ", 3);
        try {
            if (parts.length == 3 && parts[0].equals(DATE)) {
                return new TimeStyle(unescape(parts[2]), parts[1].equals(NO_ZONE) ? null : ZoneOffset.of(parts[1]));
            }
        } catch (DateTimeException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new InvalidConfigException("time style", text, "cannot be understood: " + e.getMessage());
        }
        throw new InvalidConfigException("time style", text, "is not known");
    }

    private static String unescape(String text) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '~') {
                pattern.append((char) HexFormat.fromHexDigits(text, i + 1, i + 5));
                i += 4;
            } else {
                pattern.append(text.charAt(i));
            }
        }
        return pattern.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TimeStyle style
                && style.word.equals(word)
                && Objects.equals(style.pattern, pattern)
                && Objects.equals(style.zone, zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(word, pattern, zone);
    }

    /** For people: the pattern, or the unit. */
    @Override
    public String toString() {
        return pattern != null
                ? pattern
                : switch (word) {
                    case "number" -> "numbers without a unit";
                    case "epoch s" -> "seconds since 1970";
                    case "epoch ms" -> "milliseconds since 1970";
                    case "epoch us" -> "microseconds since 1970";
                    default -> "nanoseconds since 1970";
                };
    }
}
