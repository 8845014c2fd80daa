package io.koopstream.cli;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.LookaheadReader;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.learner.DriftEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One pass over rows: looks at the first ones to choose settings where that is wanted, learns, shows progress, saves now and then, at the
 * end, and when it is interrupted.
 */
final class LearnRun {

    /** Starts learning, with what is known of the rows so far. */
    interface Start {
        Training with(LookaheadReader seen);
    }

    /** After how many samples progress is looked at: a power of two. */
    private static final int PROGRESS_EVERY = 64;

    private final Console console;
    private final Data data;
    private final LookaheadReader reader;
    private final Start start;
    /** Held while a row is learned and while a state is saved, so that an interrupt saves a whole state. */
    private final Object lock = new Object();

    private final List<DriftEvent> drifts = new ArrayList<>();
    private double interval = Double.NaN;
    private Path file;
    private long every = Long.MAX_VALUE;
    private long lastSaved;
    private Training training;
    private SampleFeeder feeder;
    private boolean stopped;
    private long rows;
    private double seconds;

    LearnRun(Console console, Data data, SampleReader reader, Start start) {
        this.console = console;
        this.data = data;
        this.reader = new LookaheadReader(reader);
        this.start = start;
    }

    void saveTo(Path model, long everySamples) {
        file = model;
        every = everySamples;
    }

    /** The usual time between rows. */
    void interval(double time) {
        interval = time;
    }

    /** Runs to the end of the rows, the first {@code window} of which are looked at before any is learned. */
    void over(int window) throws IOException {
        Thread onInterrupt = new Thread(this::saveInterrupted, "koop-save");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
            for (int i = 0; i < window && reader.lookFurther(); i++) {
                // Nothing is learned yet: the settings depend on what is seen here.
            }
            synchronized (lock) {
                if (!stopped) {
                    begin();
                }
            }
            pass();
        } finally {
            synchronized (lock) {
                stopped = true;
            }
            removeHook(onInterrupt);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already: the hook finds everything finished.
        }
    }

    private void begin() {
        training = start.with(reader);
        feeder = new SampleFeeder(
                reader,
                training,
                interval,
                training.labels().delays(),
                training.labels().stride());
    }

    private void pass() throws IOException {
        Progress progress = new Progress(console, System::nanoTime);
        Step step = new Step();
        while (step.more) {
            if (data.attempt(step) && step.pair) {
                long samples = training.samples();
                if (samples % PROGRESS_EVERY == 0) {
                    sayDrift();
                    if (every == Long.MAX_VALUE) {
                        progress.at(
                                reader.share(),
                                samples,
                                training.dictionarySize(),
                                training.curve().error());
                    }
                }
                if (samples % every == 0 && samples > lastSaved) {
                    saveAndSay();
                }
            }
        }
        synchronized (lock) {
            if (stopped) {
                return;
            }
        }
        seconds = progress.seconds();
        sayDrift();
        progress.done(
                reader.share(),
                training.samples(),
                training.dictionarySize(),
                training.curve().error());
        data.reportSkipped();
        requireSamples();
        synchronized (lock) {
            training.save(file);
        }
    }

    private void requireSamples() {
        if (training.samples() > 0) {
            return;
        }
        String why = rows == 0
                ? "no usable rows after the header"
                : feeder.gaps() > 0
                        ? "none of its " + rows
                                + " rows follows another: steps must rise by 1, times by about one interval (--dt)"
                        : "no two of its " + rows + " rows are a pair: a trajectory needs at least "
                                + (2
                                        + training.labels().delays()
                                                * training.labels().stride()) + " rows";
        throw CommandFailure.data(reader.source() + ": " + why + "; nothing was learned");
    }

    private void sayDrift() {
        for (DriftEvent event : training.drainEvents()) {
            drifts.add(event);
            console.tell(
                    "koop: the dynamics changed at about sample %,d: one-step error %.3f before, %.3f since (noticed at sample %,d)",
                    event.since(), event.errorBefore(), event.errorAfter(), event.sample());
        }
    }

    /** Said only after it was saved: what was reported as learned is never lost. */
    private void saveAndSay() {
        synchronized (lock) {
            if (stopped) {
                return;
            }
            training.save(file);
            lastSaved = training.samples();
            console.tell(
                    "%,d samples saved to %s, dictionary %,d, one-step error %.3f",
                    training.samples(),
                    file,
                    training.dictionarySize(),
                    training.curve().error());
        }
    }

    private void saveInterrupted() {
        synchronized (lock) {
            if (stopped) {
                return;
            }
            stopped = true;
            try {
                learnWaiting();
                if (training.samples() > 0) {
                    training.save(file);
                    console.err().println();
                    console.tell("koop: interrupted; %,d samples saved to %s", training.samples(), file);
                } else {
                    console.tell("koop: interrupted before the first pair; nothing was saved");
                }
            } catch (RuntimeException e) {
                console.tell("koop: interrupted; nothing could be saved: " + e.getMessage());
            }
            console.err().flush();
        }
    }

    /** Interrupted while rows waited for settings to be chosen: they are learned, with what can be told from them. */
    private void learnWaiting() {
        if (training == null) {
            begin();
        }
        Sample sample = new Sample();
        boolean more = true;
        while (more) {
            try {
                more = reader.readWaiting(sample);
                if (more) {
                    feeder.accept(sample);
                }
            } catch (BadRowException e) {
                feeder.interrupt(e.trajectory());
            }
        }
    }

    /** Reads one row and learns from it. */
    private final class Step implements Data.RowAction {

        private final Sample sample = new Sample();
        private boolean waiting = true;
        private boolean more = true;
        private boolean pair;

        @Override
        public void run() throws IOException {
            pair = false;
            if (waiting) {
                synchronized (lock) {
                    more = !stopped;
                    waiting = more && reader.readWaiting(sample);
                    if (waiting) {
                        learn();
                        return;
                    }
                }
            }
            // Outside the lock: a read may wait for ever.
            more = more && reader.read(sample);
            synchronized (lock) {
                more = more && !stopped;
                if (more) {
                    learn();
                }
            }
        }

        private void learn() {
            rows++;
            pair = feeder.accept(sample);
        }

        @Override
        public void skipped(BadRowException e) {
            synchronized (lock) {
                feeder.interrupt(e.trajectory());
            }
        }
    }

    Training training() {
        return training;
    }

    List<DriftEvent> drifts() {
        return drifts;
    }

    long rows() {
        return rows;
    }

    long gaps() {
        return feeder.gaps();
    }

    long skipped() {
        return data.skipped();
    }

    double seconds() {
        return Math.max(seconds, 1e-9);
    }
}
