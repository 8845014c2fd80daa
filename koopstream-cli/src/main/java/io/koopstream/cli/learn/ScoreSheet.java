package io.koopstream.cli.learn;

import io.koopstream.answers.Clock;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.ScoreSummary;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.rows.Preparation;
import io.koopstream.score.Score;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The scores of rows as a CSV table: a line per row in the order of the data, also where there is no score. Rows whose settings are yet to be chosen wait for
 * theirs.
 */
final class ScoreSheet implements Closeable {

    /** A row that waits for its line to be written. */
    private static final class Line {
        private final long row;
        private final String time;
        private final double[] values;
        private Score score;
        private boolean ready;

        Line(long row, String time, double[] values) {
            this.row = row;
            this.time = time;
            this.values = values;
        }
    }

    private final Writer writer;
    private final boolean owned;
    private final boolean live;
    private final List<String> names;
    private final Preparation preparation;
    private final Deque<Line> waiting = new ArrayDeque<>();
    private final ScoreSummary summary;
    private long rows;

    /**
     * @param target a file, or '-' for standard output
     * @param live whether every line is to be seen at once
     */
    ScoreSheet(
            Console console,
            Path target,
            boolean live,
            List<String> names,
            Preparation preparation,
            ScoreSummary summary)
            throws IOException {
        this.writer = target == null
                ? Writer.nullWriter()
                : Output.isStandard(target)
                        ? new BufferedWriter(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8))
                        : Files.newBufferedWriter(target);
        this.owned = target == null || !Output.isStandard(target);
        this.live = live;
        this.names = names;
        this.preparation = preparation;
        this.summary = summary;
        StringBuilder head = new StringBuilder("row,time,score,p,known,alarm");
        for (String name : names) {
            for (String part : List.of("", "_predicted", "_low", "_high")) {
                head.append(',').append(TableWriter.cell(name + part));
            }
        }
        writer.write(head.append('\n').toString());
    }

    /** The next row is about to be scored. Returns the number by which its observation is known again. */
    long next(Sample sample, Clock clock) {
        double[] values = sample.next() == null ? sample.state() : sample.next();
        waiting.add(new Line(++rows, Double.isNaN(sample.time()) ? "" : clock.at(sample.time()), values.clone()));
        return rows;
    }

    /** The next row cannot be read. */
    void unreadable() {
        Line line = new Line(++rows, "", new double[0]);
        line.ready = true;
        waiting.add(line);
    }

    /** A row was scored; null where there is nothing to score in it. */
    void record(long row, Score score) {
        for (Line line : waiting) {
            if (line.row == row) {
                line.score = score;
                line.ready = true;
            }
            if (line.row >= row) {
                break;
            }
        }
        write(false);
    }

    private void write(boolean all) {
        try {
            while (!waiting.isEmpty() && (all || waiting.getFirst().ready)) {
                Line line = waiting.removeFirst();
                writer.write(text(line));
                if (line.score != null) {
                    summary.add(line.row, line.time, line.score, line.values);
                } else {
                    summary.skip(line.time, line.values);
                }
            }
            if (live) {
                writer.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text(Line line) {
        StringBuilder text = new StringBuilder();
        Score score = line.score;
        text.append(line.row).append(',').append(TableWriter.cell(line.time));
        number(text, score == null ? Double.NaN : score.score());
        number(text, score == null ? Double.NaN : score.p());
        number(text, score == null ? Double.NaN : score.known());
        text.append(',').append(score != null && score.alarm() ? 1 : 0);
        boolean judged = score != null && score.isJudged();
        int d = names.size();
        double[][] columns = judged ? preparation.band(line.values, score.residual(), score.spread()) : new double[3][];
        for (int c = 0; c < d; c++) {
            number(text, c < line.values.length ? line.values[c] : Double.NaN);
            for (int k = 0; k < 3; k++) {
                number(text, judged ? columns[k][c] : Double.NaN);
            }
        }
        return text.append('\n').toString();
    }

    private static void number(StringBuilder text, double value) {
        text.append(',');
        if (!Double.isNaN(value)) {
            text.append(value);
        }
    }

    /** Writes what still waits: there is nothing more to come. */
    void finish() throws IOException {
        write(true);
        writer.flush();
    }

    @Override
    public void close() throws IOException {
        finish();
        if (owned) {
            writer.close();
        }
    }
}
