package io.koopstream.cli.learn;

import io.koopstream.io.samples.TableWriter;
import io.koopstream.learner.Learner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** The steps of Algorithm 1 as a table, one line per pair, and the pairs after which the model is saved. */
final class StepSheet {

    private static final List<String> TEXTS = List.of("outcome");
    private static final List<String> NAMES = List.of("t", "dictionary", "eta", "epsilon", "delta", "norm");
    /** Of the numbers the first are counts. */
    private static final int WHOLE = 2;

    /** Null where no table is asked for. */
    private final TableWriter table;

    private final SortedSet<Long> snapshots;
    private final LongConsumer save;
    private long pairs;

    /**
     * @param file of the table; null for none
     * @param pairs learned before
     * @param snapshots numbers of pairs after which to save
     * @param save takes such a number
     */
    StepSheet(Path file, long pairs, List<Long> snapshots, LongConsumer save) throws IOException {
        this.table = file == null ? null : TableWriter.open(file, TEXTS, NAMES, WHOLE);
        this.pairs = pairs;
        this.snapshots = new TreeSet<>(snapshots);
        this.save = save;
    }

    /** Takes one step. */
    void record(Learner<KoopmanOperator> learner, StepOutcome outcome) {
        pairs++;
        if (table != null && learner instanceof SogdLearner<KoopmanOperator> sogd) {
            long t = sogd.samples();
            try {
                table.row(
                        List.of(outcome.name().toLowerCase(Locale.ROOT)),
                        (double) t,
                        sogd.dictionarySize(),
                        sogd.config().stepSize().at(t),
                        sogd.lastBudget(),
                        sogd.lastResidual(),
                        sogd.norm());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if (snapshots.remove(pairs)) {
            save.accept(pairs);
        }
    }

    /** Ends the table; returns the numbers of pairs that never came. */
    SortedSet<Long> finish() throws IOException {
        if (table != null) {
            table.commit();
            table.close();
        }
        return snapshots;
    }
}
