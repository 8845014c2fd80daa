package io.koopstream.change;

import io.koopstream.InvalidStateException;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.DoubleFunction;

/**
 * The dynamics have changed.
 *
 * @param sample the number of the sample at which it was noticed, counted from 1
 * @param since an estimate of the first sample after the change
 * @param errorBefore mean one-step error before
 * @param errorAfter mean one-step error since
 * @param score accumulated rise beyond the slack, in standard deviations of a block
 * @param change what has changed, where the settings ask for it ({@code onDrift}); null elsewhere: predictions have become worse than they were
 */
public record DriftEvent(long sample, long since, double errorBefore, double errorAfter, double score, Change change) {

    /** Kind of a lasting change. */
    public enum Kind {
        /** The level moves on and on. */
        SLOW_DRIFT("slow drift"),
        /** The level is another one. */
        LEVEL_SHIFT("level shift"),
        /** The unpredictable part is larger or smaller than it was. */
        VARIANCE_CHANGE("variance change"),
        /** A state leads elsewhere than it did. */
        CHANGED_SPECTRUM("changed spectrum");

        /** As files number them. */
        private static final List<Kind> NUMBERED = List.of(values());

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** In words. */
        public String text() {
            return text;
        }
    }

    /**
     * A lasting change.
     *
     * @param kind in which way
     * @param coordinate where it shows most: the index of a coordinate of the prepared observation
     * @param from before: the mean of the coordinate, or of the size of its one-step error
     * @param to since
     * @param onsetRow an estimate of the first row after the change
     * @param onsetTime its time; NaN without times
     * @param row the row at which it was noticed
     * @param time its time; NaN without times
     */
    public record Change(
            Kind kind, int coordinate, double from, double to, long onsetRow, double onsetTime, long row, double time) {

        /** Refuses what is no change. */
        public Change {
            Objects.requireNonNull(kind, "kind");
        }

        private void save(StateSink.Ordered sink) {
            sink.size("kind", Kind.NUMBERED.indexOf(kind));
            sink.size("coordinate", coordinate);
            sink.number("from", from);
            sink.number("to", to);
            sink.count("onsetRow", onsetRow);
            sink.number("onsetTime", onsetTime);
            sink.count("row", row);
            sink.number("time", time);
        }

        private static Change read(StateSource.Ordered source) {
            int kind = source.size("kind");
            InvalidStateException.require(kind < Kind.NUMBERED.size(), "changes", "kind " + kind);
            return new Change(
                    Kind.NUMBERED.get(kind),
                    source.size("coordinate"),
                    source.number("from"),
                    source.number("to"),
                    source.count("onsetRow"),
                    source.number("onsetTime"),
                    source.count("row"),
                    source.number("time"));
        }

        /**
         * The change in a sentence for people.
         *
         * @param names of the coordinates; shorter lists leave the others numbered from 1
         * @param clock writes a time
         */
        public String sentence(List<String> names, DoubleFunction<String> clock) {
            String name = coordinate < names.size() ? names.get(coordinate) : "coordinate " + (coordinate + 1);
            String what = switch (kind) {
                case SLOW_DRIFT -> "the level of %s drifts slowly %s: %.4g before, %.4g by now";
                case LEVEL_SHIFT -> "the level of %s shifted %s: %.4g before, %.4g since";
                case VARIANCE_CHANGE ->
                    "the noise of %s went %s: what is not predicted is %.4g on average before, %.4g since";
                case CHANGED_SPECTRUM ->
                    "the dynamics changed, most of all those of %s: the one-step error went %s, %.4g before, %.4g since";
            };
            return String.format(Locale.ROOT, what, name, to >= from ? "up" : "down", from, to)
                    + String.format(Locale.ROOT, "; since about row %,d", onsetRow)
                    + written(onsetTime, clock)
                    + String.format(Locale.ROOT, ", noticed at row %,d", row)
                    + written(time, clock);
        }

        private static String written(double time, DoubleFunction<String> clock) {
            return Double.isNaN(time) ? "" : " (" + clock.apply(time) + ")";
        }
    }

    /** Writes the event, with its change where there is one. */
    void save(StateSink.Ordered sink) {
        sink.count("sample", sample);
        sink.count("since", since);
        sink.number("errorBefore", errorBefore);
        sink.number("errorAfter", errorAfter);
        sink.number("score", score);
        if (change != null) {
            change.save(sink);
        }
    }

    /** @param kinds whether a change was saved with it */
    static DriftEvent read(StateSource.Ordered source, boolean kinds) {
        return new DriftEvent(
                source.count("sample"),
                source.count("since"),
                source.number("errorBefore"),
                source.number("errorAfter"),
                source.number("score"),
                kinds ? Change.read(source) : null);
    }

    /**
     * The event in a sentence for people.
     *
     * @param names of the coordinates; shorter lists leave the others numbered from 1
     * @param clock writes a time
     */
    public String sentence(List<String> names, DoubleFunction<String> clock) {
        return change != null
                ? change.kind().text() + ": " + change.sentence(names, clock)
                : String.format(
                        Locale.ROOT,
                        "the dynamics changed at about sample %,d: one-step error %.3f before, %.3f since (noticed at sample %,d)",
                        since,
                        errorBefore,
                        errorAfter,
                        sample);
    }
}
