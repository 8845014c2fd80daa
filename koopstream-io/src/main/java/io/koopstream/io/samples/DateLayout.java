package io.koopstream.io.samples;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates of numbers in one of the usual orders, with an optional clock and zone. Files are not strict about them, so neither is reading: a
 * field may have one digit or two, the clock, its seconds, their fraction and the zone may be there or not, whatever the pattern says.
 */
final class DateLayout {

    private static final Pattern PATTERN = Pattern.compile(
            "(?:(?<ymd>(?:yyyy|uuuu)(?<s1>[-/.])MM?(?<day>\\k<s1>dd?)?)"
                    + "|(?<dmy>dd?(?<s2>[-/. ])MM?M?\\k<s2>(?:yyyy|uuuu))"
                    + "|(?<mdy>MM?(?<s3>[-/. ])dd?\\k<s3>(?:yyyy|uuuu))"
                    + "|(?<compact>yyyyMMdd))?"
                    + "(?<gap>'T'| )?(?<clock>(?<hour>HH?|hh?):mm(?<seconds>:ss(?:\\.(?<fraction>S{1,9}))?)?(?<half> ?a)?)?(?<zone> ?(?:XX?X?|xx?x?)| 'UTC')?");
    /** A clock and a zone as files have them. */
    private static final String CLOCK = "(?<hour>\\d{1,2})(?<colon>[:.])(?<minute>\\d{2})"
            + "(?:\\k<colon>(?<second>\\d{2})(?:[.,](?<fraction>\\d+))?)?(?: ?(?<half>[AaPp])[Mm])?";

    private static final String ZONE = "(?: ?(?:Z|UTC|(?<sign>[+-])(?<ahead>\\d{2}):?(?<minutes>\\d{2})?))?";
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
    private static final int SECONDS_PER_DAY = 86_400;
    /** Characters of {@code yyyy-MM-dd HH:mm:ss}. */
    private static final int USUAL = 19;

    private enum Order {
        YEAR_FIRST,
        DAY_FIRST,
        MONTH_FIRST,
        COMPACT,
        /** A clock alone. */
        NONE
    }

    private final Order order;
    private final char separator;
    private final boolean named;
    /** The parts of the pattern; empty where it has none. */
    private final String date;

    private final String gap;
    private final String hour;
    private final String half;
    private final String zone;
    private final boolean hasSeconds;
    private final int fraction;
    private final String pattern;
    private final Pattern reading;
    /** Writes by the pattern as it is. */
    private final DateTimeFormatter formatter;

    private DateLayout(Matcher found, String pattern, Order order, String date) {
        this.order = order;
        this.date = date;
        separator = date.isEmpty() || order == Order.COMPACT
                ? '-'
                : date.replaceAll("[a-zA-Z]", "").charAt(0);
        named = date.contains("MMM");
        gap = date.isEmpty() ? "" : text(found, "gap").isEmpty() ? " " : found.group("gap");
        hour = text(found, "hour");
        hasSeconds = found.group("seconds") != null;
        fraction = text(found, "fraction").length();
        half = text(found, "half");
        zone = text(found, "zone");
        this.pattern = pattern;
        reading = Pattern.compile(
                (order == Order.NONE ? CLOCK : dates(order, separator, named) + "(?:[ T]" + CLOCK + ")?") + ZONE);
        formatter = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }

    private static String dates(Order order, char separator, boolean named) {
        String between = Pattern.quote(String.valueOf(separator));
        String year = "(?<year>\\d{4})";
        String month = named ? "(?<month>[A-Za-z]{3,})" : "(?<month>\\d{1,2})";
        String day = "(?<day>\\d{1,2})";
        return switch (order) {
            case YEAR_FIRST -> year + between + month + "(?:" + between + day + ")?";
            case DAY_FIRST -> day + between + month + between + year;
            case MONTH_FIRST -> month + between + day + between + year;
            default -> year + "(?<month>\\d{2})(?<day>\\d{2})";
        };
    }

    private static String text(Matcher found, String group) {
        return found.group(group) == null ? "" : found.group(group);
    }

    /** The layout of a pattern; null for a pattern that is none of these. */
    static DateLayout of(String pattern) {
        Matcher found = PATTERN.matcher(pattern);
        if (!found.matches() || pattern.isEmpty()) {
            return null;
        }
        Map<String, Order> orders = Map.of(
                "ymd", Order.YEAR_FIRST, "dmy", Order.DAY_FIRST, "mdy", Order.MONTH_FIRST, "compact", Order.COMPACT);
        String dated = orders.keySet().stream()
                .filter(group -> found.group(group) != null)
                .findFirst()
                .orElse(null);
        boolean clock = found.group("clock") != null;
        boolean joined = found.group("gap") != null;
        boolean halves = text(found, "hour").startsWith("h");
        boolean legal = (dated == null ? clock && !joined : clock == joined) && halves == (found.group("half") != null);
        return !legal
                ? null
                : new DateLayout(
                        found,
                        pattern,
                        dated == null ? Order.NONE : orders.get(dated),
                        dated == null ? "" : found.group(dated));
    }

    /** Seconds since 1970; NaN for what is no such date. */
    double parse(char[] text, int offset, int length) {
        boolean zoned = length == USUAL + 1 && text[offset + USUAL] == 'Z';
        double usual = order == Order.YEAR_FIRST && (length == USUAL || zoned) ? usual(text, offset) : Double.NaN;
        return Double.isNaN(usual) ? read(new String(text, offset, length).trim()) : usual;
    }

    /** Most rows of most files: every field of {@code yyyy-MM-dd HH:mm:ss} in its place; NaN for everything else. */
    private double usual(char[] text, int at) {
        int year = 100 * two(text, at) + two(text, at + 2);
        int month = two(text, at + 5);
        int day = two(text, at + 8);
        int hour = two(text, at + 11);
        int minute = two(text, at + 14);
        int second = two(text, at + 17);
        boolean digits = (year | month | day | hour | minute | second) >= 0;
        boolean between = text[at + 4] == separator
                && text[at + 7] == separator
                && (text[at + 10] == ' ' || text[at + 10] == 'T')
                && text[at + 13] == ':'
                && text[at + 16] == ':';
        return digits && between && hour < 24 && minute < 60 && second < 60 && isDay(year, month, day)
                ? LocalDate.of(year, month, day).toEpochDay() * SECONDS_PER_DAY + (hour * 3600 + minute * 60 + second)
                : Double.NaN;
    }

    /** Two digits; less than zero by far where there is none. */
    private static int two(char[] text, int at) {
        int tens = text[at] - '0';
        int ones = text[at + 1] - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? Short.MIN_VALUE : 10 * tens + ones;
    }

    private double read(String text) {
        Matcher found = reading.matcher(text);
        if (!found.matches()) {
            return Double.NaN;
        }
        long days = 0;
        if (order != Order.NONE) {
            int year = number(found, "year", 0);
            int month = named ? month(found.group("month")) : number(found, "month", 0);
            int day = number(found, "day", 1);
            if (!isDay(year, month, day)) {
                return Double.NaN;
            }
            days = LocalDate.of(year, month, day).toEpochDay();
        }
        int hour = number(found, "hour", 0);
        int minute = number(found, "minute", 0);
        double second = number(found, "second", 0) + fraction(found.group("fraction"));
        String half = found.group("half");
        int ahead = 3600 * number(found, "ahead", 0) + 60 * number(found, "minutes", 0);
        boolean legal = minute <= 59
                && second < 61
                && (hour < 24 || (hour == 24 && minute + second == 0))
                && (half == null || (hour >= 1 && hour <= 12))
                && number(found, "ahead", 0) <= 18
                && number(found, "minutes", 0) <= 59;
        int shift = half == null ? 0 : (hour == 12 ? -12 : 0) + (half.equalsIgnoreCase("p") ? 12 : 0);
        double time = days * SECONDS_PER_DAY + ((hour + shift) * 3600.0 + minute * 60.0 + second);
        return legal ? time - ("-".equals(found.group("sign")) ? -ahead : ahead) : Double.NaN;
    }

    private static int number(Matcher found, String group, int absent) {
        return found.group(group) == null ? absent : Integer.parseInt(found.group(group));
    }

    /** More digits than a double has say nothing. */
    private static double fraction(String digits) {
        if (digits == null) {
            return 0;
        }
        String used = digits.substring(0, Math.min(15, digits.length()));
        return Long.parseLong(used) / Math.pow(10, used.length());
    }

    /** A month by the first three letters of its English name; 0 for none. */
    private static int month(String name) {
        int place = MONTHS.indexOf(name.substring(0, 3).toLowerCase(Locale.ROOT));
        return place % 3 == 0 ? place / 3 + 1 : 0;
    }

    private static boolean isDay(int year, int month, int day) {
        return month >= 1 && month <= 12 && day >= 1 && day <= Month.of(month).length(Year.isLeap(year));
    }

    /** Writes a time with all that is needed to read it back to the millisecond, or to as many digits as the pattern has. */
    String format(double time, ZoneOffset offset) {
        long perSecond = fraction > 3 ? 1_000_000 : 1_000;
        double local = time + offset.getTotalSeconds();
        long whole = (long) Math.floor(local);
        long parts = Math.round((local - whole) * perSecond);
        LocalDateTime at = LocalDateTime.ofEpochSecond(
                whole + parts / perSecond, (int) (parts % perSecond * (1_000_000_000 / perSecond)), ZoneOffset.UTC);
        long nanos = at.toLocalTime().toNanoOfDay();
        boolean withClock = !hour.isEmpty() || nanos > 0;
        StringBuilder needed = new StringBuilder(date);
        if (order == Order.YEAR_FIRST && !date.contains("d") && (withClock || at.getDayOfMonth() > 1)) {
            needed.append(separator).append(date.contains("MM") ? "dd" : "d");
        }
        if (withClock) {
            needed.append(gap).append(hour.isEmpty() ? "HH" : hour).append(":mm");
            if (hasSeconds || hour.isEmpty() || nanos % 60_000_000_000L > 0) {
                String digits =
                        Long.toString(1_000_000_000L + nanos % 1_000_000_000L).replaceFirst("0+$", "");
                int shown = Math.max(digits.length() - 1, fraction);
                needed.append(":ss").append(shown > 0 ? "." + "S".repeat(shown) : "");
            }
        }
        String all = needed.append(half).append(zone).toString();
        return (all.equals(pattern) ? formatter : DateTimeFormatter.ofPattern(all, Locale.ENGLISH))
                .format(at.atOffset(offset));
    }
}
