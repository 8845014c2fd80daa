package io.koopstream.cli;

import io.koopstream.spectrum.TrustRule;
import picocli.CommandLine.Option;

/** The options that say what is watched beside learning. */
final class WatchOptions {

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

    void check(String method, boolean holdsOut) {
        if (deterministic && !holdsOut) {
            throw CommandFailure.usage("--deterministic needs pairs kept aside, and says how they are judged: with"
                    + " --method sogd or --holdout 0 there are none");
        }
        if (driftDiscount != null && (!watchDrift || method.equals("sogd"))) {
            throw CommandFailure.usage("--drift-discount needs --watch-drift and --method least-squares");
        }
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
