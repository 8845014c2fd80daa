package io.koopstream.learner.sogd;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.Dictionary.Verdict;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.learner.PairDictionary.Verdicts;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.learner.StepOutcome;

/**
 * U_t of Algorithm 1, as the dictionary D_t and the matrix M_t, with what goes along: room under the cap, what the cap has cost, and the average of
 * the iterates. Mutable, one writer.
 */
final class SogdIterate {

    private final double lambda;
    private final PairDictionary dictionary;
    private final Matrix matrix;
    /** Null when iterates are not averaged. */
    private final AveragedIterate average;

    /** Bounds how far removals and refusals have taken the operator off its path: B ← (1 − λη) (B + removed) + refused. */
    private double loss;

    /** U_0 = 0. */
    SogdIterate(SogdConfig config) {
        this(
                config.lambda(),
                PairDictionary.empty(config.input(), config.output(), config.maxDictionary(), false),
                new Matrix(0, 0),
                config.averaging().isOn() ? new AveragedIterate(config.averaging(), new Matrix(0, 0), 0) : null,
                0);
    }

    /** Goes on from a state. */
    SogdIterate(SogdState state) {
        this(
                state.config().lambda(),
                PairDictionary.of(state.keptSamples(), state.config().maxDictionary(), false),
                state.matrix().copy(),
                state.averageToGoOn(),
                state.counters().loss());
    }

    private SogdIterate(double lambda, PairDictionary dictionary, Matrix matrix, AveragedIterate average, double loss) {
        this.lambda = lambda;
        this.dictionary = dictionary;
        this.matrix = matrix;
        this.average = average;
        this.loss = loss;
    }

    PairDictionary dictionary() {
        return dictionary;
    }

    Matrix matrix() {
        return matrix;
    }

    boolean isAveraged() {
        return average != null;
    }

    /** W ← Z⋆. */
    StepOutcome project(SogdStep step) {
        step.project(matrix, lambda);
        fade(step.eta());
        return StepOutcome.PROJECTED;
    }

    /** D ← D̃, W ← W̃, as far as the sample is numerically new and worth a place. */
    StepOutcome admit(long t, SogdStep step) {
        Verdicts verdicts = judge(step.input(), step.output());
        if (verdicts.needRoom()) {
            makeRoom(verdicts);
            step.measureAgain(dictionary, matrix);
            verdicts = judge(step.input(), step.output());
        }
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        StepOutcome outcome = verdicts.outcome();
        reserve(outcome);
        step.project(matrix, lambda);
        step.border(outcome, matrix);
        keep(t, verdicts, step.input(), step.output());
        account(step.eta(), verdicts, step.input(), step.output(), step.squaredPredictionError());
        return outcome;
    }

    /** Decides what to keep of a sample whose projection costs too much. */
    Verdicts judge(PointCoordinates input, PointCoordinates output) {
        return new Verdicts(
                dictionary.inputs().judge(input), dictionary.outputs().judge(output));
    }

    /** Takes out the points whose places a sample needs; U is projected on what remains. */
    private void makeRoom(Verdicts verdicts) {
        if (verdicts.input() == Verdict.EXCHANGE) {
            Rotations rotations = dictionary.exchange(true);
            loss += rotations.dropColumn(matrix);
            if (average != null) {
                average.dropColumn(rotations);
            }
        }
        if (verdicts.output() == Verdict.EXCHANGE) {
            Rotations rotations = dictionary.exchange(false);
            loss += rotations.dropRow(matrix);
            if (average != null) {
                average.dropRow(rotations);
            }
        }
    }

    /** Makes room in memory for what is to be kept. */
    void reserve(StepOutcome outcome) {
        int outputs = dictionary.outputs().size() + (outcome.keepsOutput() ? 1 : 0);
        int inputs = dictionary.inputs().size() + (outcome.keepsInput() ? 1 : 0);
        dictionary.inputs().reserve(outcome.keepsInput() ? 1 : 0);
        dictionary.outputs().reserve(outcome.keepsOutput() ? 1 : 0);
        matrix.reserve(outputs, inputs);
        if (average != null) {
            average.reserve(outputs, inputs);
        }
    }

    /** Adds what is kept of sample t to the dictionary, and counts what is not. */
    void keep(long t, Verdicts verdicts, PointCoordinates input, PointCoordinates output) {
        if (verdicts.input().keeps()) {
            dictionary.inputs().keep(t, input);
        }
        if (verdicts.output().keeps()) {
            dictionary.outputs().keep(t, output);
        }
        dictionary.count(verdicts);
    }

    /** The step maps two operators to two that are closer by 1 − λη (docs/errata.md, 3), so what was lost fades. */
    void fade(double eta) {
        loss = (1 - lambda * eta) * loss;
    }

    /**
     * Fades, and adds what the step loses when sides of the sample stay outside although they are new: the norm of those parts of
     * η [r; a] [β; b]ᵀ that lie in a direction left out.
     */
    void account(
            double eta,
            Verdicts verdicts,
            PointCoordinates input,
            PointCoordinates output,
            double squaredPredictionError) {
        fade(eta);
        if (verdicts.refuse()) {
            boolean withoutInput = verdicts.input() == Verdict.REFUSE;
            double kept = withoutInput ? input.squaredNorm() - input.missed() : input.squaredNorm();
            double squared = withoutInput ? squaredPredictionError * input.missed() : 0;
            squared += verdicts.output() == Verdict.REFUSE ? output.missed() * Math.max(0.0, kept) : 0;
            loss += eta * Math.sqrt(squared);
        }
    }

    /** Takes iterate t into the average, if there is one and it is its turn. */
    void average(long t) {
        if (average != null) {
            average.follow(t, matrix, loss);
        }
    }

    /** The counters. */
    Counters counters(long samples) {
        return dictionary.counters(samples, loss);
    }

    /** Everything needed to go on, as an immutable value. */
    SogdState state(SogdConfig config, long samples, PendingSamples pending) {
        return new SogdState(
                config,
                dictionary.kept(samples, loss),
                pending.copy(),
                matrix.copy(),
                average == null ? null : average.copy());
    }
}
