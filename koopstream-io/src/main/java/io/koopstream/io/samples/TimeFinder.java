package io.koopstream.io.samples;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells from some values of a column how times are written in it. */
final class TimeFinder {

    private static final Pattern DATED = Pattern.compile(
            "(?:\\d{4}(?<s1>[-/.])(?<m1>\\d{1,2})(?:\\k<s1>(?<d1>\\d{1,2}))?|(?<a>\\d{1,2})(?<s2>[-/.])(?<b>\\d{1,2})\\k<s2>\\d{4}"
                    + "|(?<d3>\\d{1,2})(?<s3>[- ])[A-Za-z]{3,9}\\k<s3>\\d{4}|(?<compact>\\d{8}))"
                    + "(?:(?<gap>[T ])(?<hour>\\d{1,2}):\\d{2}(?<seconds>:\\d{2}(?:[.,](?<fraction>\\d{1,9}))?)?(?<half> ?[AaPp][Mm])?"
                    + "(?<zone>(?<space> ?)(?:Z|[+-]\\d{2}(?::?\\d{2})?)| UTC)?)?");
    private static final Pattern CLOCK =
            Pattern.compile("\\d{1,2}(?::\\d{2}(?::\\d{2}(?:\\.\\d+)?)?|\\.\\d{2}\\.\\d{2})");

    /** The beginnings of the years 2000 and 2100 in seconds since 1970. */
    private static final double FROM = 946_684_800;

    private static final double TO = 4_102_444_800.0;

    private static final List<TimeStyle> EPOCHS =
            List.of(TimeStyle.EPOCH_SECONDS, TimeStyle.EPOCH_MILLIS, TimeStyle.EPOCH_MICROS, TimeStyle.EPOCH_NANOS);

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
            return null;
        }
        TimeStyle style = shape.style(shape.dayFirst);
        boolean fits = style != null && fits(style, values);
        if (!shape.ambiguous) {
            return fits ? new Found(style) : null;
        }
        TimeStyle rival = shape.style(false);
        boolean rivalFits = fits(rival, values);
        if (fits && rivalFits) {
            // A day that goes by is no month: where the one reading has no step longer than a day, the other is wrong.
            double longest = longestStep(style, values);
            double rivals = longestStep(rival, values);
            boolean told = Math.min(longest, rivals) <= 86_400 && Math.max(longest, rivals) > 86_400;
            return new Found(!told ? null : longest < rivals ? style : rival);
        }
        return fits ? new Found(style) : rivalFits ? new Found(rival) : null;
    }

    private static boolean fits(TimeStyle style, List<String> values) {
        return values.stream().noneMatch(value -> Double.isNaN(style.read(value)));
    }

    private static double longestStep(TimeStyle style, List<String> values) {
        double longest = 0;
        for (int i = 1; i < values.size(); i++) {
            longest = Math.max(longest, Math.abs(style.read(values.get(i)) - style.read(values.get(i - 1))));
        }
        return longest;
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
                    || isShort(found, "d3");
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
