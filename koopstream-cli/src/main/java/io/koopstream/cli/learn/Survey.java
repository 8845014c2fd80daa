package io.koopstream.cli.learn;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is in some data, found in one pass with bounded memory. */
final class Survey {

    /** More steps than this many intervals are a gap. */
    private static final double GAP = 1.5;

    /** Intervals this near to whole numbers of the usual one are missing rows, farther ones irregular. */
    private static final double WHOLE = 0.05;

    /** Share of all differences from which on the most frequent one is the interval of a clock, not a coincidence. */
    private static final double FREQUENT = 0.2;

    private static final double MAX_IRREGULAR = 0.05;

    private final List<ColumnSurvey> columns = new ArrayList<>();
    /** The time of the last row of each trajectory, those not seen for longest first. */
    private final Map<String, Double> last = new LinkedHashMap<>(16, 0.75f, true);
    /** How often times differ by about so much: to three digits, so that there are not many. */
    private final TreeMap<Double, Difference> differences = new TreeMap<>();
    /** Tells which rows follow each other, as in learning. */
    private final Trajectories scout =
            new Trajectories(Preparation.NONE, 1, null, 0, 1, Double.NaN, MaxGap.NONE, Trajectories.DEFAULT_OPEN);

    private final Set<String> trajectories = new HashSet<>();
    private long rows;
    private long bad;
    private String firstBad;
    private double firstTime = Double.NaN;
    private double lastTime = Double.NaN;
    private long falls;
    private boolean weekends;
    private boolean dated;
    private long repeats;

    /** Times that differ by about so much. */
    private static final class Difference {
        private final double first;
        private long count;
        /** Those after which a row follows the one before. */
        private long followed;

        Difference(double first) {
            this.first = first;
        }

        /** Number of rows that do not follow the one before; with less than two intervals between them they may, since clocks jitter. */
        private long gaps(double interval) {
            double steps = first / interval;
            return steps > 0.5 && steps < GAP ? 0 : steps < 2 ? count - followed : count;
        }
    }

    /** Reads all rows. */
    static Survey of(SampleReader reader) throws IOException {
        Survey survey = new Survey();
        survey.dated = reader.timeStyle().map(TimeStyle::isDated).orElse(false);
        int stretches =
                reader.names().size() < ProjectOption.WIDE ? ColumnSurvey.STRETCHES : ColumnSurvey.FEW_STRETCHES;
        reader.names().forEach(name -> survey.columns.add(new ColumnSurvey(name, stretches)));
        Sample sample = new Sample();
        while (true) {
            try {
                if (!reader.read(sample)) {
                    return survey;
                }
                survey.add(sample);
            } catch (BadRowException e) {
                survey.bad++;
                survey.firstBad = survey.firstBad == null ? e.getMessage() : survey.firstBad;
            }
        }
    }

    private void add(Sample sample) {
        rows++;
        double[] state = sample.state();
        for (int c = 0; c < state.length; c++) {
            columns.get(c).add(state[c]);
        }
        if (sample.trajectory() != null && trajectories.size() <= Trajectories.DEFAULT_OPEN) {
            trajectories.add(sample.trajectory());
        }
        double time = sample.time();
        if (Double.isNaN(time)) {
            return;
        }
        weekends |= MaxGap.isWeekend(time);
        firstTime = Double.isNaN(firstTime) ? time : Math.min(firstTime, time);
        lastTime = Double.isNaN(lastTime) ? time : Math.max(lastTime, time);
        boolean follows = scout.next(Observation.at(sample.trajectory(), Double.NaN, time, 0))
                .isPair();
        Double before = last.put(sample.trajectory(), time);
        if (last.size() > Trajectories.DEFAULT_OPEN) {
            last.remove(last.keySet().iterator().next());
        }
        if (before != null) {
            double difference = dated ? MaxGap.between(before, time) : time - before;
            falls += difference < 0 ? 1 : 0;
            repeats += difference == 0 ? 1 : 0;
            if (difference > 0) {
                Difference like =
                        differences.computeIfAbsent(threeDigits(difference), key -> new Difference(difference));
                like.count++;
                like.followed += follows ? 1 : 0;
            }
        }
    }

    private static double threeDigits(double value) {
        double scale = Math.pow(10, Math.floor(Math.log10(value)) - 2);
        return Math.rint(value / scale) * scale;
    }

    List<ColumnSurvey> columns() {
        return columns;
    }

    long rows() {
        return rows;
    }

    /** Rows that could not be read. */
    long bad() {
        return bad;
    }

    /** What was wrong with the first of them; null when there is none. */
    String firstBad() {
        return firstBad;
    }

    /** How many trajectories have a name; at most one more than are followed at a time. */
    int trajectories() {
        return trajectories.size();
    }

    /** The earliest time; NaN without times. */
    double firstTime() {
        return firstTime;
    }

    /** The latest time; NaN without times. */
    double lastTime() {
        return lastTime;
    }

    /** The usual difference of times: the most frequent one, or the median where none is frequent; NaN without times that rise. */
    double interval() {
        return differences.values().stream()
                .max(Comparator.comparingLong(difference -> difference.count))
                .map(usual -> usual.count >= FREQUENT * rises() ? usual.first : within(0.5))
                .orElse(Double.NaN);
    }

    private long rises() {
        return differences.values().stream()
                .mapToLong(difference -> difference.count)
                .sum();
    }

    /** The difference of times that a share of the rows does not exceed. */
    double within(double share) {
        double left = share * rises();
        for (Difference difference : differences.values()) {
            left -= difference.count;
            if (left <= 0) {
                return difference.first;
            }
        }
        return Double.NaN;
    }

    /** Number of rows that neither follow the row before nor come whole intervals later. */
    long irregular() {
        double interval = interval();
        return differences.values().stream()
                .filter(difference -> {
                    double steps = difference.first / interval;
                    return steps < 1 || Math.abs(steps - Math.rint(steps)) > WHOLE;
                })
                .mapToLong(difference -> difference.gaps(interval))
                .sum();
    }

    /** True if so many rows are irregular that only resampling makes use of them. */
    boolean isIrregular() {
        return irregular() > MAX_IRREGULAR * rises();
    }

    /** True if rows that are dated are a day apart and never of a Saturday or Sunday. */
    boolean isOfWorkingDays() {
        return !weekends && rows >= MaxGap.MIN_ROWS && MaxGap.isDay(interval());
    }

    /** How often more than one interval lies between two rows of a trajectory. */
    long gaps() {
        double interval = interval();
        double longest = isOfWorkingDays() ? MaxGap.WEEKENDS.time() : GAP * interval;
        return differences.values().stream()
                .filter(difference -> difference.first > longest)
                .mapToLong(difference -> difference.gaps(interval))
                .sum();
    }

    /** How often a row of a trajectory is earlier than the one before. */
    long falls() {
        return falls;
    }

    /** Number of rows that are not later than the row before in their trajectory. */
    long restarts() {
        return falls + repeats;
    }

    /** Columns that hold one value alone. */
    List<String> constant() {
        return columns.stream()
                .filter(ColumnSurvey::isConstant)
                .map(ColumnSurvey::name)
                .toList();
    }

    /** Columns that hold what one before them holds in every row, with that one. */
    Map<String, String> equal() {
        Map<Long, String> seen = new LinkedHashMap<>();
        Map<String, String> equal = new LinkedHashMap<>();
        for (ColumnSurvey column : columns) {
            String same = column.isConstant() ? null : seen.putIfAbsent(column.hash(), column.name());
            if (same != null) {
                equal.put(column.name(), same);
            }
        }
        return equal;
    }
}
