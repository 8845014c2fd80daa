package io.koopstream.stream;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.ChosenSettings.Explained;
import io.koopstream.tuning.Proposal;
import java.util.ArrayList;
import java.util.List;

/** Configuration of a learner from the options given, else from a proposal, else from defaults, with the reason for every value. */
final class LearnerChoice {

    private static final String GIVEN = "asked for";
    private static final String USUAL = "the usual value";

    private final StreamConfig options;
    /** Null where there is none. */
    private final Proposal proposal;

    private final List<Explained> explained = new ArrayList<>();

    LearnerChoice(StreamConfig options, Proposal proposal) {
        this.options = options;
        this.proposal = proposal;
    }

    ChosenSettings choose(int dimension, int targets) {
        Kernel kernel = options.get(StreamOption.KERNEL);
        if (kernel == null) {
            kernel = proposal == null
                    ? Kernels.gaussian(1)
                    : options.isLeastSquares() ? proposal.kernel() : proposal.gaussian();
        }
        explained.add(new Explained(
                "method",
                options.method().toString(),
                options.isLeastSquares() ? "no step size to tune; converges to the minimiser" : GIVEN));
        explain(StreamOption.KERNEL, kernel.text(), proposal == null ? USUAL : proposal.kernelReason());
        return options.isLeastSquares() ? leastSquares(dimension, targets, kernel) : sogd(dimension, kernel);
    }

    private ChosenSettings leastSquares(int dimension, int targets, Kernel kernel) {
        LeastSquaresConfig.Builder builder = LeastSquaresConfig.forState(dimension, kernel)
                .maxDictionary(options.get(StreamOption.MAX_DICTIONARY))
                .blockSize(options.get(StreamOption.BLOCK))
                .forgetting(options.get(StreamOption.FORGETTING))
                .targets(targets);
        Double lambda = options.get(StreamOption.LAMBDA);
        if (lambda != null) {
            builder.lambda(lambda);
        }
        Double epsilon = options.get(StreamOption.EPSILON);
        if (epsilon != null || proposal != null) {
            builder.epsilon(epsilon != null ? epsilon : proposal.epsilon().value());
        }
        double holdOut = options.holdOut();
        if (holdOut != 0) {
            // What judges a system that changes must be as new as what is judged.
            builder.holdOut(HoldOutConfig.of(
                    holdOut,
                    dimension,
                    options.get(StreamOption.FORGETTING) < 1 ? HoldOutConfig.Keep.NEWEST : HoldOutConfig.Keep.UNIFORM));
        }
        LeastSquaresConfig config = builder.build();
        if (lambda == null && holdOut > 0) {
            explained.add(new Explained("lambda", "chosen", "on held-out pairs, at query time"));
        } else {
            explain(
                    StreamOption.LAMBDA,
                    config.lambda().orElse(LeastSquaresConfig.DEFAULT_LAMBDA),
                    USUAL + ", since no pairs are held out to choose it on");
        }
        explain(
                StreamOption.EPSILON,
                config.epsilon(),
                proposal == null ? USUAL : proposal.epsilon().reason());
        explain(StreamOption.FORGETTING, config.forgetting(), "old samples count as much as new ones");
        explain(
                StreamOption.HOLDOUT,
                holdOut,
                "share of the pairs held out, in runs, to choose lambda and to validate");
        explainBounds(config.maxDictionary(), config.blockSize());
        return new ChosenSettings(config, explained);
    }

    private ChosenSettings sogd(int dimension, Kernel kernel) {
        SogdConfig.Builder builder = SogdConfig.forState(dimension, kernel)
                .maxDictionary(options.get(StreamOption.MAX_DICTIONARY))
                .blockSize(options.get(StreamOption.BLOCK))
                .criterion(options.get(StreamOption.CRITERION))
                .delta(options.get(StreamOption.DELTA));
        Double average = options.get(StreamOption.AVERAGE);
        if (average != null) {
            builder.averaging(Averaging.tail(average));
        }
        Double lambda = options.get(StreamOption.LAMBDA);
        if (lambda != null || proposal != null) {
            builder.lambda(lambda != null ? lambda : proposal.lambda().value());
        }
        Double eta = options.get(StreamOption.ETA);
        double first = eta != null ? eta : proposal != null ? proposal.eta().value() : usualStep(kernel, lambda);
        double[] decay = options.get(StreamOption.DECAY);
        builder.stepSize(decay == null ? StepSize.constant(first) : decaying(first, decay[0], decay[1]));
        Double epsilon = options.get(StreamOption.EPSILON);
        Budget budget = options.get(StreamOption.BUDGET);
        if (budget != null && epsilon != null) {
            throw new InvalidConfigException(
                    Reason.NOT_APPLICABLE,
                    StreamOption.BUDGET.name(),
                    budget.text(),
                    "epsilon is given too, which is the budget constant(epsilon); leave one of them out");
        }
        if (budget != null) {
            builder.budget(budget);
        } else if (epsilon != null) {
            builder.budget(epsilon);
        } else if (proposal != null) {
            builder.budget(proposal.sogdBudget(first));
        }
        SogdConfig config = builder.build();
        explain(
                StreamOption.LAMBDA,
                config.lambda(),
                proposal == null ? USUAL : proposal.lambda().reason());
        explained.add(new Explained(
                "eta",
                config.stepSize().text(),
                options.has(decay != null ? StreamOption.DECAY : StreamOption.ETA)
                        ? GIVEN
                        : proposal == null ? USUAL : proposal.eta().reason()));
        explain(
                budget != null ? StreamOption.BUDGET : StreamOption.EPSILON,
                config.budget().text(),
                proposal == null
                        ? USUAL
                        : "eta times "
                                + Decimals.text(proposal.epsilon().value()) + ", "
                                + proposal.epsilon().reason());
        explain(StreamOption.CRITERION, StreamOption.text(config.criterion()), "the projection error itself");
        if (options.has(StreamOption.DELTA)) {
            explain(StreamOption.DELTA, StreamOption.text(config.delta()), GIVEN);
        }
        explain(StreamOption.AVERAGE, config.averaging().text(), "answers come from the last iterate, as in the paper");
        explainBounds(config.maxDictionary(), config.blockSize());
        return new ChosenSettings(config, explained);
    }

    /** 0.3 / κ, or less where a large λ asks for it: the condition on η_t in docs/errata.md, 3, holds by a factor of two. */
    private static double usualStep(Kernel kernel, Double lambda) {
        double bound = kernel.bound();
        return lambda == null ? 0.3 / bound : Math.min(0.3 / bound, 1 / (bound + 2 * lambda));
    }

    /** The step is eta at the start whatever exponent and offset are, so that one can be changed without the others. */
    private static StepSize decaying(double first, double exponent, double offset) {
        return StepSize.decay(first * StrictMath.pow(offset, exponent), offset, exponent);
    }

    private void explainBounds(int maxDictionary, int block) {
        explained.add(
                new Explained("max-dictionary", StreamOption.text(maxDictionary), "bounds memory and time per sample"));
        explained.add(new Explained("block", Integer.toString(block), "samples per block, for speed"));
    }

    private void explain(StreamOption<?> option, double value, String otherwise) {
        explain(option, Decimals.text(value), otherwise);
    }

    private void explain(StreamOption<?> option, String value, String otherwise) {
        explained.add(new Explained(option.name(), value, options.has(option) ? GIVEN : otherwise));
    }
}
