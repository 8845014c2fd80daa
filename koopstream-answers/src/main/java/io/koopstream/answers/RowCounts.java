package io.koopstream.answers;

import io.koopstream.io.Json;
import io.koopstream.rows.Trajectories;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;

/**
 * What became of the rows, as the learning stream judged them; the words are those of {@code koop learn}.
 *
 * @param rows records that came, whatever became of them
 * @param gaps rows that did not follow the one before
 * @param late rows that came too late and were left out
 * @param duplicates rows with the step or the time of the one before, left out
 * @param refused rows that cannot be learned from, e.g. outside the domain of the kernel
 * @param unreadable records that could not be read
 * @param missing rows of which values were missing
 * @param filled those of them that were filled in
 */
public record RowCounts(
        long rows, long gaps, long late, long duplicates, long refused, long unreadable, long missing, long filled)
        implements Json.Part {

    static RowCounts of(LearningStream stream) {
        Trajectories open = stream.trajectories();
        LearningStreamState.Counts counts = stream.counts();
        return new RowCounts(
                counts.observations(),
                open == null ? 0 : open.gaps(),
                open == null ? 0 : open.late(),
                open == null ? 0 : open.duplicates(),
                counts.refused(),
                counts.unreadable(),
                counts.missing(),
                counts.filled());
    }
}
