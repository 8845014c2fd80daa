package io.koopstream.io.samples;

import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells from some values of a column how times are written in it. */
final class TimeFinder {

    private static final Pattern DATED = Pattern.compile(
            "(?:\\d{4}(?<s1>[-/.])(?<m1>\\d{1,2})(?:\\k<s1>(?<d1>\\d{1,2}))?|(?<a>\\d{1,2})(?<s2>[-/.])(?<b>\\d{1,2})\\k<s2>\\d{4}"
                    + "|(?<d3>\\d{1,2})(?<s3>[- ])[A-Za-z]{3,9}\\k<s3>\\d{4}|[A-Za-z]{3}(?<s4>[- ])(?<d4>\\d{1,2})(?<s5>-|,? )\\d{4}|(?<compact>\\d{8}))"
                    + "(?:(?<gap>[T ])(?<hour>\\d{1,2}):\\d{2}(?<seconds>:\\d{2}(?:[.,](?<fraction>\\d{1,9}))?)?(?<half> ?[AaPp][Mm])?"
                    + "(?<zone>(?<space> ?)(?:Z|[+-]\\d{2}(?::?\\d{2})?)| UTC)?)?");
    /** A month, a quarter or a year without a day: 1960Q1, 1980M01, Jan-80, Q1 1960, 1980 January, 1700.0. */
    private static final Pattern PERIOD = Pattern.compile(
            "(?<y>\\d{4})(?:(?<s>[-:/ ]?(?<l>[QqMm]))(?<n>\\d{1,2})|(?<sn>[-:/ ]?)(?<name>[A-Za-z]{3,9}))"
                    + "|(?:(?<l2>[Qq])[1-4]|(?<name2>[A-Za-z]{3,9}))(?<s2>[-:/ ]?)(?<y2>\\d{4}|\\d{2})");

    private static final Pattern YEAR = Pattern.compile("\\d{4}(?<zeros>\\.0+)?");
    private static final double DAY = 86_400;

    private static final Pattern CLOCK =
            Pattern.compile("\\d{1,2}(?::\\d{2}(?::\\d{2}(?:\\.\\d+)?)?|\\.\\d{2}\\.\\d{2})");

    /** The beginnings of the years 2000 and 2100 in seconds since 1970. */
    private static final double FROM = 946_684_800;

    private static final double TO = 4_102_444_800.0;

    private static final List<TimeStyle> EPOCHS =
            List.of(TimeStyle.EPOCH_SECONDS, TimeStyle.EPOCH_MILLIS, TimeStyle.EPOCH_MICROS, TimeStyle.EPOCH_NANOS);

    /** One reading of dates is that many times as irregular as the other where it is wrong: months differ by less. */
    private static final double MUCH = 2;

    private TimeFinder() {}

    /**
     * How dates are written.
     *
     * @param style null when day and month cannot be told apart
     */
    record Found(TimeStyle style) {}

    /** How values are written that are dates, with or without a clock; null when most of them are none. */
    static Found dates(List<String> all) {
        Shape shape = new Shape();
        List<String> values =
                all.stream().filter(value -> shape.add(value.strip())).toList();
        if (values.isEmpty() || 2 * values.size() < all.size()) {
            TimeStyle periods = periods(all);
            return periods == null ? null : new Found(periods);
        }
        TimeStyle style = shape.style(shape.dayFirst);
        boolean fits = style != null && fits(style, values);
        if (!shape.ambiguous) {
            return fits ? new Found(style) : null;
        }
        TimeStyle rival = shape.style(false);
        boolean rivalFits = fits(rival, values);
        if (fits && rivalFits) {
            double ours = irregularity(style, values);
            double rivals = irregularity(rival, values);
            boolean same = values.stream().allMatch(value -> style.read(value) == rival.read(value));
            return new Found(same || rivals > MUCH * ours ? style : ours > MUCH * rivals ? rival : null);
        }
        return fits ? new Found(style) : rivalFits ? new Found(rival) : null;
    }

    private static boolean fits(TimeStyle style, List<String> values) {
        return values.stream().noneMatch(value -> Double.isNaN(style.read(value)));
    }

    /** The longest step by the usual one, or by a day where that is longer: the reading of dates that is right has steps of about one length. */
    private static double irregularity(TimeStyle style, List<String> values) {
        double[] steps = new double[values.size() - 1];
        Arrays.setAll(steps, i -> Math.abs(style.read(values.get(i + 1)) - style.read(values.get(i))));
        Arrays.sort(steps);
        return steps.length == 0 ? 0 : steps[steps.length - 1] / Math.max(DAY, steps[steps.length / 2]);
    }

    /** How values are written that are months or quarters; null when one of them is none. */
    private static TimeStyle periods(List<String> values) {
        boolean longNames = false;
        boolean oneDigit = false;
        Matcher found = null;
        for (String value : values) {
            found = PERIOD.matcher(value.strip());
            if (!found.matches()) {
                return null;
            }
            String name = found.group("name") != null ? found.group("name") : found.group("name2");
            longNames |= name != null && name.length() > 3;
            oneDigit |= found.group("n") != null && found.group("n").length() == 1;
        }
        if (found == null) {
            return null;
        }
        boolean yearFirst = found.group("y") != null;
        String letter = found.group(yearFirst ? "l" : "l2");
        boolean quarters = "q".equalsIgnoreCase(letter);
        String part = quarters ? "q" : letter != null ? oneDigit ? "M" : "MM" : longNames ? "MMMM" : "MMM";
        TimeStyle style = TimeStyle.ofPattern(
                yearFirst
                        ? "yyyy" + quoted(found.group(letter == null ? "sn" : "s")) + part
                        : quoted(quarters ? letter : "")
                                + part
                                + found.group("s2")
                                + "y".repeat(found.group("y2").length()));
        return fits(style, values) ? style : null;
    }

    private static String quoted(String text) {
        return text.isBlank() || text.equals("-") ? text : "'" + text + "'";
    }

    /** How values are written that are years, as whole numbers or as those with a point that pandas makes of them; null when one of them is none. */
    static TimeStyle years(List<String> values) {
        Matcher first = YEAR.matcher(values.get(0).strip());
        if (!first.matches()) {
            return null;
        }
        TimeStyle style =
                TimeStyle.ofPattern("yyyy" + (first.group("zeros") == null ? "" : quoted(first.group("zeros"))));
        return fits(style, values) ? style : null;
    }

    /** How values are written that are times of a day without a date; null when one of them is none. */
    static TimeStyle clocks(List<String> values) {
        boolean seconds = false;
        for (String value : values) {
            if (!CLOCK.matcher(value.strip()).matches()) {
                return null;
            }
            seconds |= value.strip().length() > 5;
        }
        TimeStyle style = TimeStyle.ofPattern(seconds ? "HH:mm:ss" : "HH:mm");
        return fits(style, values) ? style : null;
    }

    /** The unit in which numbers may count since 1970; null when the first is not in the years 2000 to 2100, or the second is less. */
    static TimeStyle epoch(List<String> values) {
        for (TimeStyle style : EPOCHS) {
            double first = style.read(values.get(0));
            if (first >= FROM && first < TO) {
                return values.size() < 2 || style.read(values.get(1)) >= first ? style : null;
            }
        }
        return null;
    }

    /** What the values have in common. */
    private static final class Shape {
        private Matcher first;
        private boolean ambiguous;
        private boolean dayFirst;
        private boolean short1;
        private boolean shortHour;
        private boolean zeroHour;
        private boolean clock;
        private boolean seconds;
        private int fraction;
        private boolean halves;
        private String gap = " ";
        private String halfGap = "";
        private String zone = "";
        private ZoneOffset offset;

        boolean add(String value) {
            Matcher found = DATED.matcher(value);
            if (!found.matches()
                    || (found.group("s1") != null
                            && found.group("d1") == null
                            && found.group("s1").equals("."))) {
                return false;
            }
            first = first == null ? found : first;
            short1 |= isShort(found, "m1")
                    || isShort(found, "d1")
                    || isShort(found, "a")
                    || isShort(found, "b")
                    || isShort(found, "d3")
                    || isShort(found, "d4");
            if (found.group("a") != null) {
                // Points are written where days come first.
                ambiguous = !found.group("s2").equals(".");
                dayFirst = true;
            }
            if (found.group("hour") != null) {
                addClock(found);
            }
            return true;
        }

        private void addClock(Matcher found) {
            if (!clock) {
                gap = found.group("gap").equals("T") ? "'T'" : " ";
            }
            clock = true;
            shortHour |= isShort(found, "hour");
            zeroHour |= found.group("hour").startsWith("0");
            seconds |= found.group("seconds") != null;
            fraction = Math.max(
                    fraction,
                    found.group("fraction") == null
                            ? 0
                            : found.group("fraction").length());
            if (found.group("half") != null) {
                halves = true;
                halfGap = found.group("half").startsWith(" ") ? " " : "";
            }
            if (found.group("zone") != null && zone.isEmpty()) {
                String written = found.group("zone").strip();
                if (written.equals("UTC")) {
                    zone = " 'UTC'";
                } else {
                    offset = ZoneOffset.of(written);
                    int letters = written.length() == 6 || written.equals("Z") ? 3 : written.length() == 5 ? 2 : 1;
                    zone = found.group("space") + (written.equals("Z") ? "X" : "x").repeat(letters);
                }
            }
        }

        private static boolean isShort(Matcher found, String group) {
            return found.group(group) != null && found.group(group).length() == 1;
        }

        TimeStyle style(boolean daysFirst) {
            String month = short1 ? "M" : "MM";
            String day = short1 ? "d" : "dd";
            StringBuilder pattern = new StringBuilder();
            if (first.group("s1") != null) {
                String s = first.group("s1");
                pattern.append("yyyy").append(s).append(month).append(first.group("d1") == null ? "" : s + day);
            } else if (first.group("a") != null) {
                String s = first.group("s2");
                pattern.append(daysFirst ? day + s + month : month + s + day)
                        .append(s)
                        .append("yyyy");
            } else if (first.group("d3") != null) {
                String s = first.group("s3");
                pattern.append(day).append(s).append("MMM").append(s).append("yyyy");
            } else if (first.group("d4") != null) {
                pattern.append("MMM").append(first.group("s4")).append(day);
                pattern.append(first.group("s5")).append("yyyy");
            } else {
                pattern.append("yyyyMMdd");
            }
            if (clock) {
                pattern.append(gap)
                        .append((halves ? "h" : "H").repeat(shortHour || (halves && !zeroHour) ? 1 : 2))
                        .append(":mm");
                pattern.append(seconds ? ":ss" : "").append(fraction > 0 ? "." + "S".repeat(fraction) : "");
                pattern.append(halves ? halfGap + "a" : "").append(zone);
            }
            TimeStyle style = TimeStyle.ofPattern(pattern.toString());
            return offset == null ? style : style.in(offset);
        }
    }

    /** Whether a column's name speaks of time. */
    static boolean speaksOfTime(String name) {
        for (String word : name.toLowerCase(Locale.ROOT).split("[^a-z]+", -1)) {
            if (word.endsWith("time")
                    || word.endsWith("date")
                    || word.endsWith("timestamp")
                    || List.of("day", "days", "ts", "epoch", "unix", "utc", "times", "dates", "timestamps")
                            .contains(word)) {
                return true;
            }
        }
        return false;
    }
}
