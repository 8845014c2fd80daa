package io.koopstream.cli;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Says on standard error how learning goes: a bar that is drawn over on a terminal, plain lines now and then elsewhere. Asks the clock
 * only every few samples, so that it costs nothing.
 */
final class Progress {

    private static final int BAR_WIDTH = 24;
    private static final long TERMINAL_PAUSE = 100_000_000L;
    private static final long PLAIN_PAUSE = 5_000_000_000L;

    private final Console console;
    private final LongSupplier clock;
    private final long start;
    private final long pause;
    private long last;
    private boolean drawn;

    /** @param clock nanoseconds */
    Progress(Console console, LongSupplier clock) {
        this.console = console;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.last = start;
        this.pause = console.terminal() ? TERMINAL_PAUSE : PLAIN_PAUSE;
    }

    /** Seconds since the start. */
    double seconds() {
        return (clock.getAsLong() - start) / 1e9;
    }

    /**
     * Shows the state if it is time to.
     *
     * @param share how much of the work is done, from 0 to 1; not-a-number when unknown
     */
    void at(double share, long samples, int dictionary, double error) {
        long now = clock.getAsLong();
        if (now - last >= pause) {
            last = now;
            show(share, samples, dictionary, error);
        }
    }

    /** Shows the last state and ends the line. */
    void done(double share, long samples, int dictionary, double error) {
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
        double rate = seconds > 0 ? samples / seconds : 0;
        StringBuilder line = new StringBuilder();
        if (!Double.isNaN(share)) {
            if (console.terminal()) {
                int full = (int) (share * BAR_WIDTH);
                line.append('[')
                        .append("#".repeat(full))
                        .append(".".repeat(BAR_WIDTH - full))
                        .append("] ");
            }
            line.append(String.format(Locale.ROOT, "%3.0f%%  ", 100 * share));
        }
        line.append(String.format(
                Locale.ROOT,
                "%,d samples  %,.0f/s  dictionary %d  one-step error %.3f",
                samples,
                rate,
                dictionary,
                error));
        if (share > 0 && share < 1) {
            line.append("  ").append(duration(seconds * (1 - share) / share)).append(" left");
        }
        if (console.terminal()) {
            // Back to the start of the line, and erase what a longer line left behind.
            console.err().print("\r" + line + "\u001b[K");
            console.err().flush();
            drawn = true;
        } else {
            console.tell(line.toString());
        }
    }

    private static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 60
                ? whole + " s"
                : whole < 3600
                        ? whole / 60 + " min " + whole % 60 + " s"
                        : whole / 3600 + " h " + whole / 60 % 60 + " min";
    }
}
