package io.koopstream.cli.shell;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Says on standard error how learning goes: a bar that is drawn over on a terminal, plain lines now and then elsewhere. Asks the clock
 * only every few samples, so that it costs nothing.
 */
public final class Progress {

    private static final int MAX_BAR = 24;
    private static final int MIN_BAR = 8;
    /** What the texts beside the bar take at most in ordinary runs, brackets and blank included: in full, shortened, shortest. */
    private static final int FULL_TEXT = 89;

    private static final int SHORT_TEXT = 64;
    private static final int NARROW_TEXT = 42;
    private static final long TERMINAL_PAUSE = 100_000_000L;
    private static final long PLAIN_PAUSE = 5_000_000_000L;

    private final Console console;
    private final LongSupplier clock;
    private final long start;
    private final long pause;
    private long last;
    private boolean drawn;

    /** @param clock nanoseconds */
    public Progress(Console console, LongSupplier clock) {
        this.console = console;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.last = start;
        this.pause = console.terminal() ? TERMINAL_PAUSE : PLAIN_PAUSE;
    }

    /** Seconds since the start. */
    public double seconds() {
        return (clock.getAsLong() - start) / 1e9;
    }

    /**
     * Shows the state if it is time to.
     *
     * @param share how much of the work is done, from 0 to 1; NaN when unknown
     */
    public void at(double share, long samples, int dictionary, double error) {
        long now = clock.getAsLong();
        if (now - last >= pause) {
            last = now;
            show(share, samples, dictionary, error);
        }
    }

    /** Shows the last state and ends the line. */
    public void done(double share, long samples, int dictionary, double error) {
        if (drawn || !console.terminal()) {
            show(share, samples, dictionary, error);
        }
        if (drawn) {
            console.err().println();
            drawn = false;
        }
    }

    private void show(double share, long samples, int dictionary, double error) {
        double seconds = seconds();
        String line = line(share, samples, seconds, dictionary, error);
        if (console.terminal()) {
            // Back to the start of the line, and erase what a longer line left behind.
            console.err().print("\r" + line + "\u001b[K");
            console.err().flush();
            drawn = true;
        } else {
            console.tell(line);
        }
    }

    /**
     * The fullest form that the terminal has room for: a line that wraps cannot be drawn over. Which one depends on the width alone, so that
     * nothing jumps while numbers grow.
     */
    private String line(double share, long samples, double seconds, int dictionary, double error) {
        double rate = seconds > 0 ? samples / seconds : 0;
        boolean known = !Double.isNaN(share);
        // The last column stays free: some terminals wrap when it is written to.
        int room = console.terminal() ? console.width().getAsInt() - 1 : Integer.MAX_VALUE;
        boolean wide = room >= FULL_TEXT + MIN_BAR;
        boolean middle = room >= SHORT_TEXT + MIN_BAR;
        String text = joined(
                known ? String.format(Locale.ROOT, "%3.0f%%", 100 * share) : "",
                String.format(Locale.ROOT, wide ? "%,d samples" : "%,d", samples),
                middle ? String.format(Locale.ROOT, "%,.0f/s", rate) : "",
                middle ? (wide ? "dictionary " : "dict ") + dictionary : "",
                String.format(Locale.ROOT, wide ? "one-step error %.3f" : "err %.3f", error),
                share > 0 && share < 1 ? duration(seconds * (1 - share) / share) + " left" : "");
        int bar = Math.min(MAX_BAR, room - (wide ? FULL_TEXT : middle ? SHORT_TEXT : NARROW_TEXT));
        if (console.terminal() && known && bar >= MIN_BAR && text.length() + bar + 3 <= room) {
            int done = (int) (share * bar);
            return "[" + "#".repeat(done) + ".".repeat(bar - done) + "] " + text;
        }
        return text.length() <= room ? text : text.substring(0, Math.max(0, room));
    }

    private static String joined(String... parts) {
        return Arrays.stream(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("  "));
    }

    private static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }
}
