package io.koopstream.cli.ask;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Trajectories;
import io.koopstream.stream.RecordFollower;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The rows of a file once more, with a model's record of forecasts carried on over them, so that forecasts are mixed and banded by all that was known at
 * their starts. Nothing is said of rows that the first reading has spoken of.
 */
final class FollowedRows implements AutoCloseable {

    private final RecordFollower follower;
    private final Map<String, Long> learnedUpTo;
    private final Data reading;
    private final SampleReader reader;
    private final Trajectories trajectories;
    private final Sample sample = new Sample();
    private long row;
    private boolean ended;

    /**
     * @param quiet a console for the second reading
     * @param learnedUpTo by trajectory the row of the file at which learning ended
     */
    FollowedRows(
            Console quiet,
            Model model,
            Path file,
            RowOptions columns,
            RecordFollower follower,
            Map<String, Long> learnedUpTo)
            throws IOException {
        this.follower = follower;
        this.learnedUpTo = learnedUpTo;
        reading = new Data(quiet, columns);
        reader = reading.open(file, model);
        trajectories = model.labels().newTrajectories(reader.names().size());
    }

    /**
     * The record as it stood after a row, or after the last one.
     *
     * @param wanted not before that of the call before
     */
    ForecastRecord after(long wanted) throws IOException {
        while (row < wanted && !ended) {
            reading.attempt(new Data.RowAction() {
                @Override
                public void run() throws IOException {
                    ended = !reader.read(sample);
                    if (!ended) {
                        next();
                    }
                }

                @Override
                public void skipped(BadRowException e) {
                    row++;
                    trajectories.interrupt(e.trajectory());
                }
            });
        }
        return follower.record().copy();
    }

    private void next() {
        var outcome = Data.place(reader, trajectories, sample, () -> {});
        row++;
        boolean learned = row <= learnedUpTo.getOrDefault(sample.observation().trajectory(), 0L);
        follower.accept(sample.observation(), outcome, trajectories.interval(), learned);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
