package io.koopstream.operator;

/**
 * What bounding the dictionary has cost.
 *
 * @param removals how many points were taken out for better ones, inputs and outputs together
 * @param refusals how many times a side of a sample was novel but not kept, because the dictionary was full of better ones
 * @param errorBound with Algorithm 1 a bound of ‖U − U'‖_HS, U' being what the same steps would have given had nothing been removed or
 *     refused; with least squares a bound of the same distance of both mean covariances, of the inputs with themselves and of the outputs
 *     with the inputs. It sums worst cases: the true error is usually far smaller
 */
public record Pruning(long removals, long refusals, double errorBound) {

    /** The dictionary was never full. */
    public static final Pruning NONE = new Pruning(0, 0, 0);
}
