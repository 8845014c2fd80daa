package io.koopstream.cli;

import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.LookaheadReader;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.tuning.AdvisorConfig;
import io.koopstream.tuning.Proposal;
import io.koopstream.tuning.SettingsAdvisor;
import picocli.CommandLine.Option;

/** Chooses settings from the first rows of the data, which are learned afterwards like all others. */
final class WarmUp {

    private static final int ROWS = 3000;
    /** Fewer of a stream, whose rows may be long in coming. */
    private static final int STREAMED_ROWS = 1000;

    private static final int MAX_DELAYS = 100;
    private static final int MAX_DELAYED_COORDINATES = 400;
    private static final int FEWEST_ROWS = 3;
    /** Numbers held at most, so that memory does not depend on how wide the rows are. */
    private static final int MOST_NUMBERS = 1_000_000;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description =
                    "rows to look at before settings are chosen; default: 3000, from standard input 1000; none with --kernel")
    private Integer rows;

    void check() {
        if (rows != null && (rows < FEWEST_ROWS || rows > 1_000_000)) {
            throw CommandFailure.data("--warm-up " + rows + ": must be from " + FEWEST_ROWS + " to 1000000 rows");
        }
    }

    /** How many rows are looked at. */
    int rows(int columns, boolean streamed) {
        int wanted = rows != null ? rows : streamed ? STREAMED_ROWS : ROWS;
        return Math.max(FEWEST_ROWS, Math.min(wanted, MOST_NUMBERS / columns));
    }

    /**
     * Settings proposed from the rows seen so far; null when there is no pair among them.
     *
     * @param maxDictionary the most points that may be kept
     * @param chooseDelays whether delays are to be proposed too
     */
    Proposal propose(
            LookaheadReader seen, StateLabels labels, double interval, int maxDictionary, boolean chooseDelays) {
        int dimension = DelayEmbedding.dimension(seen.names().size(), labels.delays());
        // The kernel plays no part: pairs are only collected here.
        PairCollector pairs = new PairCollector(new Rkhs(Kernels.gaussian(1), dimension));
        seen.feed(new SampleFeeder(seen, pairs, interval, labels.delays(), labels.stride()));
        if (pairs.samples() == 0) {
            return null;
        }
        AdvisorConfig usual = AdvisorConfig.defaults();
        int window = Math.max(usual.window(), rows == null ? 0 : rows);
        int delays = chooseDelays ? Math.min(MAX_DELAYS, MAX_DELAYED_COORDINATES / dimension) : 0;
        return SettingsAdvisor.suggest(
                pairs.inputs(),
                pairs.outputs(),
                new AdvisorConfig(window, usual.maxDictionary(), delays).keepingAtMost(maxDictionary));
    }
}
