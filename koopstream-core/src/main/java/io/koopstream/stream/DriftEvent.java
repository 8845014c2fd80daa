package io.koopstream.stream;

/**
 * The dynamics have changed: predictions have become worse than they were.
 *
 * @param sample the number of the sample at which it was noticed, counted from 1
 * @param since an estimate of the first sample after the change
 * @param errorBefore mean one-step error before
 * @param errorAfter mean one-step error since
 * @param score accumulated rise beyond the slack, in standard deviations of a block
 */
public record DriftEvent(long sample, long since, double errorBefore, double errorAfter, double score) {}
