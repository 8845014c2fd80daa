package io.koopstream.operator;

/**
 * Cost of bounding the dictionary.
 *
 * @param removals how many points were taken out for better ones, inputs and outputs together
 * @param refusals how many times a side of a sample was novel but not kept, because the dictionary was full of better ones
 * @param errorBound a bound of ‖U − U'‖_HS, U' being what the same samples would have given with the same settings had nothing been removed
 *     or refused (of an operator of limited rank: before its rank was limited). It sums worst cases, with least squares over λ: the true
 *     error is usually far smaller
 */
public record Pruning(long removals, long refusals, double errorBound) {

    /** The dictionary was never full. */
    public static final Pruning NONE = new Pruning(0, 0, 0);
}
