package io.koopstream.cli.learn;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.Clock;
import io.koopstream.change.DriftEvent;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.Progress;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.stream.LearningStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One pass over rows into a stream: shows progress, saves now and then, at the end, and when it is interrupted. */
final class LearnRun {

    /** After how many rows progress is looked at: a power of two. */
    private static final int PROGRESS_EVERY = 64;

    private final Console console;
    private final Data data;
    private final SampleReader reader;
    private final Training training;
    private final LearningStream stream;
    private final Runnable onSettings;
    private final ScoreSheet sheet;
    /** Times as the data writes them. */
    private final Clock clock;

    private final List<String> names;
    /** Held while a row is learned and while a state is saved, so that an interrupt saves a whole state. */
    private final Object lock = new Object();

    private final Path file;
    private final long every;
    private final long before;
    private long lastSaved;
    private long changesSaid;
    private boolean settingsSaid;
    private boolean stopped;
    private long rows;
    private double seconds;

    /**
     * @param every pairs after which the model is saved
     * @param sheet takes the scores of the rows; null when they are not scored
     * @param onSettings called once when settings have been chosen from the first rows
     */
    LearnRun(
            Console console,
            Data data,
            SampleReader reader,
            Training training,
            Path file,
            long every,
            ScoreSheet sheet,
            Runnable onSettings) {
        this.console = console;
        this.data = data;
        this.reader = reader;
        this.training = training;
        this.stream = training.stream();
        this.file = file;
        this.every = every;
        this.onSettings = onSettings;
        this.sheet = sheet;
        this.clock = Clock.of(reader, Double.NaN);
        this.names = reader.names();
        if (sheet != null) {
            stream.listen((observation, score) -> sheet.record(observation.row(), score));
        }
        this.before = stream.pairs();
        this.lastSaved = before;
        this.changesSaid = stream.watch().changes();
        this.settingsSaid = !stream.isWarmingUp();
    }

    /** Runs to the end of the rows. */
    void run() throws IOException {
        Thread onInterrupt = new Thread(this::saveInterrupted, "koop-save");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
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

    private void pass() throws IOException {
        Progress progress = new Progress(console, System::nanoTime);
        Step step = new Step();
        while (step.more) {
            data.attempt(step);
            if (rows % PROGRESS_EVERY == 0) {
                say();
                if (every == Long.MAX_VALUE) {
                    progress.at(
                            reader.share(),
                            training.samples(),
                            training.dictionarySize(),
                            training.curve().error());
                }
            }
            if (training.samples() / every > lastSaved / every) {
                saveAndSay();
            }
        }
        synchronized (lock) {
            if (stopped) {
                return;
            }
            stream.endWarmUp();
        }
        say();
        seconds = progress.seconds();
        progress.done(
                reader.share(),
                training.samples(),
                training.dictionarySize(),
                training.curve().error());
        data.tellNotes(reader);
        data.reportSkipped();
        requireSamples();
        synchronized (lock) {
            training.save(file);
        }
    }

    private void requireSamples() {
        if (training.samples() > before) {
            return;
        }
        long gaps = stream.trajectories() == null ? 0 : stream.trajectories().gaps();
        String why = rows == 0
                ? "no usable rows after the header"
                : gaps > 0
                        ? "none of its " + rows
                                + " rows follows another: steps must rise by 1, times by about one interval (--dt)"
                        : "no two of its " + rows + " rows form a pair: a trajectory needs at least "
                                + (2 + stream.delays() * stream.stride()) + " rows";
        throw CommandFailure.data(reader.source() + ": " + why + "; nothing was learned");
    }

    /** What was chosen, and changes of the dynamics. */
    private void say() {
        if (!settingsSaid && !stream.isWarmingUp()) {
            settingsSaid = true;
            onSettings.run();
        }
        List<DriftEvent> events = stream.watch().eventsAfter(changesSaid);
        changesSaid = stream.watch().changes();
        for (DriftEvent event : events) {
            console.tell("koop: %s", event.sentence(names, clock::at));
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
                // Interrupted while rows waited for settings to be chosen: they are learned, with what can be told from
                // them.
                stream.endWarmUp();
                if (training.samples() > 0) {
                    training.save(file);
                    console.err().println();
                    console.tell("koop: interrupted; %,d samples saved to %s", training.samples(), file);
                } else {
                    console.tell("koop: interrupted before the first pair; nothing was saved");
                }
            } catch (KoopstreamException e) {
                console.tell("koop: interrupted; nothing could be saved: " + e.getMessage());
            }
            console.err().flush();
        }
    }

    /** Reads one row and learns from it. */
    private final class Step implements Data.RowAction {

        private final Sample sample = new Sample();
        private boolean more = true;

        @Override
        public void run() throws IOException {
            // Outside the lock: a read may wait without end.
            try {
                more = reader.read(sample);
            } catch (BadRowException e) {
                synchronized (lock) {
                    rows++;
                    if (sheet != null) {
                        sheet.unreadable();
                    }
                    stream.accept(Observation.unreadable(e.trajectory()));
                }
                throw e;
            }
            synchronized (lock) {
                more = more && !stopped;
                if (more) {
                    rows++;
                    Outcome outcome = accept(sample);
                    if (outcome.kind() == Outcome.Kind.REFUSED) {
                        throw Data.bad(reader, sample, outcome.index(), outcome.message());
                    }
                }
            }
        }
    }

    private Outcome accept(Sample sample) {
        if (sheet == null) {
            return stream.accept(sample.observation().withRow(rows));
        }
        long row = sheet.next(sample, clock);
        Outcome outcome = stream.accept(sample.observation().withRow(row));
        if (outcome.kind() == Outcome.Kind.MISSING || outcome.kind() == Outcome.Kind.REFUSED) {
            sheet.record(row, null);
        }
        return outcome;
    }

    long rows() {
        return rows;
    }

    long skipped() {
        return data.skipped();
    }

    /** Pairs that this run brought. */
    long pairs() {
        return training.samples() - before;
    }

    double seconds() {
        return Math.max(seconds, 1e-9);
    }
}
