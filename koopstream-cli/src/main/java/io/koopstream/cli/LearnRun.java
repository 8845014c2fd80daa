package io.koopstream.cli;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.io.samples.SampleReader;
import java.io.IOException;
import java.nio.file.Path;

/** One pass over rows: learns, shows progress, saves now and then, at the end, and when it is interrupted. */
final class LearnRun {

    private final Console console;
    private final Training training;
    private final Data data;
    private final int maxDictionary;
    /** Held while a row is learned and while a state is saved, so that an interrupt saves a whole state. */
    private final Object lock = new Object();

    private Path file;
    private long every = Long.MAX_VALUE;
    private boolean finished;
    private long rows;
    private long gaps;
    private double seconds;

    LearnRun(Console console, Training training, Data data, int maxDictionary) {
        this.console = console;
        this.training = training;
        this.data = data;
        this.maxDictionary = maxDictionary;
    }

    void saveTo(Path model, long everySamples) {
        file = model;
        every = everySamples;
    }

    void over(SampleReader reader, double interval) throws IOException {
        Thread onInterrupt = new Thread(this::saveInterrupted, "koop-save");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
            pass(reader, interval);
        } finally {
            synchronized (lock) {
                finished = true;
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

    private void pass(SampleReader reader, double interval) throws IOException {
        SampleFeeder feeder = new SampleFeeder(reader, training, interval);
        Progress progress = new Progress(console, System::nanoTime);
        Sample sample = new Sample();
        Step step = new Step(reader, sample, feeder);
        while (step.more) {
            if (data.attempt(step) && step.pair) {
                long samples = training.samples();
                if (samples % every == 0) {
                    saveAndSay();
                } else if (samples % 64 == 0 && every == Long.MAX_VALUE) {
                    progress.at(
                            reader.share(),
                            samples,
                            training.dictionarySize(),
                            training.curve().error());
                }
            }
        }
        seconds = progress.seconds();
        gaps = feeder.gaps();
        progress.done(
                reader.share(),
                training.samples(),
                training.dictionarySize(),
                training.curve().error());
        data.reportSkipped();
        requireSamples(reader, feeder);
        synchronized (lock) {
            training.save(file);
        }
    }

    private void requireSamples(SampleReader reader, SampleFeeder feeder) {
        if (training.samples() > 0) {
            return;
        }
        String why = rows == 0
                ? "no usable rows after the header"
                : feeder.gaps() > 0
                        ? "none of its " + rows
                                + " rows follows another: steps must rise by 1, times by about one interval (--dt)"
                        : "no two of its " + rows + " rows are a pair: a trajectory needs at least two rows";
        throw CommandFailure.data(reader.source() + ": " + why + "; nothing was learned");
    }

    /** Said only after it was saved: what was reported as learned is never lost. */
    private void saveAndSay() {
        synchronized (lock) {
            training.save(file);
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
            if (!finished && training.samples() > 0) {
                training.save(file);
                console.err().println();
                console.tell("koop: interrupted; %,d samples saved to %s", training.samples(), file);
                console.err().flush();
            }
        }
    }

    /** Reads one row and learns from it. */
    private final class Step implements Data.RowAction {

        private final SampleReader reader;
        private final Sample sample;
        private final SampleFeeder feeder;
        private boolean more = true;
        private boolean pair;

        Step(SampleReader reader, Sample sample, SampleFeeder feeder) {
            this.reader = reader;
            this.sample = sample;
            this.feeder = feeder;
        }

        @Override
        public void run() throws IOException {
            pair = false;
            // Outside the lock: a read may wait for ever.
            more = reader.read(sample);
            if (!more) {
                return;
            }
            rows++;
            synchronized (lock) {
                pair = feeder.accept(sample);
            }
            if (pair && training.dictionarySize() > maxDictionary) {
                throw CommandFailure.data(reader.source() + ", line " + sample.row() + ": the dictionary outgrew "
                        + maxDictionary + " samples; raise --epsilon or --max-dictionary, or use a wider kernel");
            }
        }

        @Override
        public void skipped(BadRowException e) {
            feeder.interrupt(e.trajectory());
        }
    }

    long rows() {
        return rows;
    }

    long gaps() {
        return gaps;
    }

    long skipped() {
        return data.skipped();
    }

    double seconds() {
        return Math.max(seconds, 1e-9);
    }
}
