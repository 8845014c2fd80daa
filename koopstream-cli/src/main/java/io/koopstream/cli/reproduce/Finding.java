package io.koopstream.cli.reproduce;

/**
 * One figure of an experiment beside the paper's.
 *
 * @param quantity what it is, with its unit if it has one
 * @param ours what this run found
 * @param paper what the paper reports, in its own words; empty when it says nothing
 * @param target what is asked of it, in words; empty when it is only reported
 * @param met whether the target is met; true when there is none
 */
public record Finding(String quantity, double ours, String paper, String target, boolean met) {

    /** A figure that is reported without a target. */
    public static Finding reported(String quantity, double ours, String paper) {
        return new Finding(quantity, ours, paper, "", true);
    }
}
