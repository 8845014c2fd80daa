package io.koopstream.cli;

import io.koopstream.spectrum.TrustRule;
import picocli.CommandLine.Option;

/** The options that say what is watched beside learning. */
final class WatchOptions {

    @Option(
            names = "--holdout",
            paramLabel = "SHARE",
            description = "keep this share of the pairs aside, e.g. 0.1, and judge the eigenvalues on them")
    private Double share;

    @Option(
            names = "--deterministic",
            description = "the system has no noise: what a residual shows is the model's error, not the system's noise")
    private boolean deterministic;

    @Option(names = "--watch-drift", description = "say when the dynamics change")
    private boolean watchDrift;

    @Option(
            names = "--drift-discount",
            paramLabel = "F",
            description =
                    "with --watch-drift, least-squares: what was learned counts F times as much after a change, e.g. 0.01")
    private Double driftDiscount;

    static WatchOptions none() {
        return new WatchOptions();
    }

    void check(String method) {
        if (share != null && !(share > 0 && share <= 0.5)) {
            throw CommandFailure.data("--holdout " + share + ": must be above 0 and at most 0.5; try 0.1");
        }
        if (deterministic && share == null) {
            throw CommandFailure.usage(
                    "--deterministic needs --holdout SHARE: it says how the pairs kept aside are judged");
        }
        if (driftDiscount != null && (!watchDrift || method.equals("sogd"))) {
            throw CommandFailure.usage("--drift-discount needs --watch-drift and --method least-squares");
        }
    }

    boolean holdsOut() {
        return share != null;
    }

    /** Every which pair is kept aside. */
    int holdOutEvery() {
        return (int) Math.min(1_000_000, Math.round(1 / share));
    }

    boolean watchesDrift() {
        return watchDrift;
    }

    double driftDiscount() {
        return driftDiscount == null ? 1 : driftDiscount;
    }

    TrustRule rule() {
        return deterministic ? TrustRule.deterministic() : TrustRule.stochastic();
    }
}
