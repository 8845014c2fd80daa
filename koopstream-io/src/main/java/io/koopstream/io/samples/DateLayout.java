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
        formatter = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
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
        double usual = order == Order.YEAR_FIRST && length == USUAL ? usual(text, offset) : Double.NaN;
        return Double.isNaN(usual) ? new Cursor(text, offset, length).time() : usual;
    }

    /** Most rows of most files: every field of {@code yyyy-MM-dd HH:mm:ss} in its place; NaN for everything else, which a cursor reads. */
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

    /** Walks through one date. */
    private final class Cursor {
        private final char[] text;
        private int at;
        private int end;
        private boolean broken;

        Cursor(char[] text, int offset, int length) {
            this.text = text;
            this.at = offset;
            this.end = offset + length;
            while (at < end && text[at] <= ' ') {
                at++;
            }
            while (end > at && text[end - 1] <= ' ') {
                end--;
            }
        }

        double time() {
            long days = order == Order.NONE ? 0 : days();
            double seconds = 0;
            if (!broken && order == Order.NONE) {
                seconds = clock();
            } else if (!broken && at < end && (text[at] == ' ' || text[at] == 'T') && isDigit(at + 1)) {
                at++;
                seconds = clock();
            }
            double shift = broken ? 0 : zone();
            return broken || at != end ? Double.NaN : days * SECONDS_PER_DAY + seconds - shift;
        }

        private long days() {
            int first = order == Order.COMPACT ? number(8, 8) : order == Order.YEAR_FIRST ? number(4, 4) : number(1, 2);
            if (order == Order.COMPACT) {
                return day(first / 10_000, first / 100 % 100, first % 100);
            }
            skip(separator);
            int second = named ? month() : number(1, 2);
            if (order == Order.YEAR_FIRST) {
                boolean more = at < end && text[at] == separator;
                if (more) {
                    at++;
                }
                return day(first, second, more ? number(1, 2) : 1);
            }
            skip(separator);
            int year = number(4, 4);
            return order == Order.DAY_FIRST ? day(year, second, first) : day(year, first, second);
        }

        private long day(int year, int month, int day) {
            broken |= !isDay(year, month, day);
            return broken ? 0 : LocalDate.of(year, month, day).toEpochDay();
        }

        private double clock() {
            int hour = number(1, 2);
            char colon = at < end ? text[at] : 0;
            broken |= colon != ':' && colon != '.';
            at++;
            int minute = number(2, 2);
            double second = 0;
            if (at < end && text[at] == colon) {
                at++;
                second = number(2, 2);
                if (at < end && (text[at] == '.' || text[at] == ',')) {
                    at++;
                    second += fraction();
                }
            }
            int shift = half(hour);
            broken |= minute > 59 || second >= 61 || hour > 24 || (hour == 24 && minute + second > 0);
            return (hour + shift) * 3600.0 + minute * 60.0 + second;
        }

        /** Hours to add for AM or PM where they stand. */
        private int half(int hour) {
            int from = at < end && text[at] == ' ' ? at + 1 : at;
            if (from + 2 > end || (text[from + 1] | 0x20) != 'm') {
                return 0;
            }
            int kind = text[from] | 0x20;
            if (kind != 'a' && kind != 'p') {
                return 0;
            }
            at = from + 2;
            broken |= hour < 1 || hour > 12;
            return (hour == 12 ? -12 : 0) + (kind == 'p' ? 12 : 0);
        }

        private double fraction() {
            long digits = 0;
            double scale = 1;
            int from = at;
            for (; at < end && isDigit(at); at++) {
                if (at - from < 15) {
                    digits = 10 * digits + text[at] - '0';
                    scale *= 10;
                }
            }
            broken |= at == from;
            return digits / scale;
        }

        /** Seconds that the zone is ahead of UTC. */
        private int zone() {
            int from = at < end && text[at] == ' ' ? at + 1 : at;
            if (from == end) {
                return 0;
            }
            char sign = text[from];
            if (sign == 'Z' && from + 1 == end) {
                at = end;
                return 0;
            }
            if (end - from == 3 && "UTC".contentEquals(new String(text, from, 3))) {
                at = end;
                return 0;
            }
            if (sign != '+' && sign != '-') {
                broken = true;
                return 0;
            }
            at = from + 1;
            int hours = number(2, 2);
            if (at < end && text[at] == ':') {
                at++;
            }
            int minutes = at < end ? number(2, 2) : 0;
            broken |= hours > 18 || minutes > 59;
            return (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
        }

        private int number(int least, int most) {
            int from = at;
            int value = 0;
            while (at < end && at - from < most && isDigit(at)) {
                value = 10 * value + text[at++] - '0';
            }
            broken |= at - from < least;
            return value;
        }

        /** A month by the first three letters of its English name. */
        private int month() {
            int from = at;
            while (at < end && Character.isLetter(text[at])) {
                at++;
            }
            if (at - from < 3) {
                broken = true;
                return 0;
            }
            int place = MONTHS.indexOf(new String(text, from, 3).toLowerCase(Locale.ROOT));
            return place % 3 == 0 ? place / 3 + 1 : 0;
        }

        private void skip(char expected) {
            broken |= at >= end || text[at] != expected;
            at++;
        }

        private boolean isDigit(int place) {
            return place < end && text[place] >= '0' && text[place] <= '9';
        }
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
