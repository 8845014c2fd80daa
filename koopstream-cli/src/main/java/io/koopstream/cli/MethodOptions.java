package io.koopstream.cli;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelText;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Averaging;
import io.koopstream.learner.Criterion;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.StepSize;
import io.koopstream.tuning.Proposal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that say how to learn. What is not given is proposed from the first samples when the kernel is not given either. */
final class MethodOptions {

    private static final List<String> METHODS = List.of("least-squares", "sogd");
    private static final String GIVEN = "asked for";

    @Option(
            names = "--method",
            paramLabel = "NAME",
            defaultValue = "least-squares",
            description =
                    "least-squares (no step size to tune) or sogd (Algorithm 1 of the paper); default: ${DEFAULT-VALUE}")
    private String method;

    @Option(
            names = "--kernel",
            paramLabel = "SPEC",
            description =
                    "e.g. gaussian(sigma=0.5) or 0.4*gaussian(0.4)+0.6*gaussian(0.7); default: chosen from the first samples, "
                            + "with lambda, epsilon and eta where they are not given")
    private String kernel;

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description = "regularisation; default: chosen, or 1e-5 (sogd 1e-3) with --kernel")
    private Double lambda;

    @Option(
            names = "--epsilon",
            paramLabel = "EPS",
            description =
                    "what a sample must add to be kept: smaller keeps more; default: chosen, or 0.1 (sogd 0.03) with --kernel")
    private Double epsilon;

    @Option(
            names = "--eta",
            paramLabel = "E",
            description = "sogd: step size; default: chosen, or 0.3 / sup k(x,x) with --kernel")
    private Double eta;

    @Option(names = "--decay", paramLabel = "A,R", description = "sogd: steps eta*(R/(t+R))^A instead of constant ones")
    private String decay;

    @Option(names = "--criterion", paramLabel = "NAME", description = "sogd: exact or paper; default: exact")
    private String criterion;

    @Option(
            names = "--forgetting",
            paramLabel = "F",
            description = "least-squares: factor in (0,1] by which the past fades with every sample; default: 1")
    private Double forgetting;

    @Option(
            names = "--max-dictionary",
            paramLabel = "N",
            defaultValue = "2000",
            description =
                    "the most samples to keep: a full dictionary exchanges its least useful ones; default: ${DEFAULT-VALUE}")
    private int maxDictionary;

    @Option(
            names = "--block",
            paramLabel = "N",
            defaultValue = "64",
            description =
                    "samples learned at once: the same model to rounding, faster; 1 to 1024; default: ${DEFAULT-VALUE}")
    private int block;

    @Option(
            names = "--average",
            paramLabel = "G",
            arity = "0..1",
            fallbackValue = "3",
            description =
                    "sogd: answer with an average of the iterates, which fluctuates less, the k-th weighted like k^G; G is 3 when left out")
    private Double average;

    /** Whether settings are to be proposed from the first samples. */
    boolean wantsProposal() {
        return kernel == null;
    }

    String method() {
        return method;
    }

    private boolean isSogd() {
        return method.equals("sogd");
    }

    /** Refuses options of the other method: they would be ignored without a word. */
    void check() {
        if (!METHODS.contains(method)) {
            throw CommandFailure.usage("--method " + method + ": must be one of " + String.join(", ", METHODS));
        }
        Map<String, Object> foreign = new LinkedHashMap<>();
        if (isSogd()) {
            foreign.put("--forgetting", forgetting);
        } else {
            foreign.put("--eta", eta);
            foreign.put("--decay", decay);
            foreign.put("--criterion", criterion);
            foreign.put("--average", average);
        }
        foreign.forEach((option, value) -> {
            if (value != null) {
                throw CommandFailure.usage(option + " has no meaning with --method " + method + "; leave it out");
            }
        });
        Output.requireAtLeastOne("--max-dictionary", maxDictionary);
        if (wantsProposal()) {
            // What is wrong whatever the data is said now, not after the first samples were looked at.
            settings(1, null);
        }
    }

    /**
     * The settings for states of a dimension.
     *
     * @param proposal for what is not given; null when there is none, and then the usual values serve
     */
    Settings settings(int dimension, Proposal proposal) {
        List<Settings.Explained> explained = new ArrayList<>();
        Kernel chosen =
                kernel != null ? Kernels.parse(kernel) : proposal == null ? Kernels.gaussian(1) : proposal.kernel();
        explained.add(new Settings.Explained(
                "method", method, isSogd() ? GIVEN : "no step size to tune, settles on the minimiser"));
        explained.add(new Settings.Explained(
                "kernel",
                chosen.text(),
                kernel != null || proposal == null
                        ? GIVEN
                        : "sigma: " + proposal.sigma().reason() + "; "
                                + proposal.lines().get(0).replaceFirst("^[^:]*: ", "")));
        return isSogd()
                ? sogd(dimension, chosen, proposal, explained)
                : leastSquares(dimension, chosen, proposal, explained);
    }

    private Settings leastSquares(int dimension, Kernel chosen, Proposal proposal, List<Settings.Explained> explained) {
        LeastSquaresConfig.Builder builder = LeastSquaresConfig.forState(dimension, chosen)
                .maxDictionary(maxDictionary)
                .blockSize(block);
        if (lambda != null || proposal != null) {
            builder.lambda(lambda != null ? lambda : proposal.lambda().value());
        }
        if (epsilon != null || proposal != null) {
            builder.epsilon(epsilon != null ? epsilon : proposal.epsilon().value());
        }
        if (forgetting != null) {
            builder.forgetting(forgetting);
        }
        LeastSquaresConfig config = builder.build();
        explained.add(explain("lambda", config.lambda(), lambda, proposal == null ? null : proposal.lambda()));
        explained.add(explain("epsilon", config.epsilon(), epsilon, proposal == null ? null : proposal.epsilon()));
        explained.add(new Settings.Explained(
                "forgetting",
                KernelText.number(config.forgetting()),
                forgetting != null ? GIVEN : "the past counts as much as the present"));
        explained.add(cap());
        explained.add(new Settings.Explained("block", Integer.toString(block), "samples learned at once, for speed"));
        return new Settings(null, config, explained);
    }

    private Settings sogd(int dimension, Kernel chosen, Proposal proposal, List<Settings.Explained> explained) {
        SogdConfig.Builder builder = SogdConfig.forState(dimension, chosen)
                .maxDictionary(maxDictionary)
                .blockSize(block);
        if (average != null) {
            builder.averaging(Averaging.tail(average));
        }
        if (lambda != null || proposal != null) {
            builder.lambda(lambda != null ? lambda : proposal.lambda().value());
        }
        if (criterion != null) {
            builder.criterion(criterion());
        }
        double first = eta != null ? eta : proposal != null ? proposal.eta().value() : 0.3 / chosen.bound();
        builder.stepSize(decay == null ? StepSize.constant(first) : decaying(first));
        if (epsilon != null) {
            builder.budget(epsilon);
        } else if (proposal != null) {
            builder.budget(proposal.withEta(first).sogd().budget());
        }
        SogdConfig config = builder.build();
        explained.add(explain("lambda", config.lambda(), lambda, proposal == null ? null : proposal.lambda()));
        explained.add(new Settings.Explained(
                "eta",
                config.stepSize().text(),
                eta != null || decay != null
                        ? GIVEN
                        : proposal != null ? proposal.eta().reason() : "the usual value"));
        explained.add(new Settings.Explained(
                "epsilon",
                config.budget().text(),
                epsilon != null
                        ? GIVEN
                        : proposal != null
                                ? "eta times "
                                        + KernelText.number(proposal.epsilon().value()) + ", "
                                        + proposal.epsilon().reason()
                                : "the usual value"));
        explained.add(new Settings.Explained(
                "criterion",
                config.criterion().name().toLowerCase(Locale.ROOT),
                criterion != null ? GIVEN : "the projection error itself"));
        explained.add(new Settings.Explained(
                "average",
                config.averaging().text(),
                average != null ? GIVEN : "answers come from the last iterate, as in the paper"));
        explained.add(cap());
        explained.add(new Settings.Explained("block", Integer.toString(block), "samples learned at once, for speed"));
        return new Settings(config, null, explained);
    }

    private Settings.Explained cap() {
        return new Settings.Explained(
                "max-dictionary", Integer.toString(maxDictionary), "memory and time a sample stay bounded");
    }

    private static Settings.Explained explain(String name, double value, Double given, Proposal.Setting proposed) {
        String reason = given != null ? GIVEN : proposed != null ? proposed.reason() : "the usual value";
        return new Settings.Explained(name, KernelText.number(value), reason);
    }

    private Criterion criterion() {
        try {
            return Criterion.valueOf(criterion.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--criterion " + criterion + ": must be exact or paper");
        }
    }

    /** The step is eta at the start whatever A and R are, so that one can be changed without the others. */
    private StepSize decaying(double first) {
        String[] parts = decay.split(",", -1);
        try {
            double a = Double.parseDouble(parts[0]);
            double r = Double.parseDouble(parts[1]);
            return StepSize.decay(first * StrictMath.pow(r, a), r, a);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw CommandFailure.usage("--decay " + decay + ": expected exponent and offset, e.g. --decay 0.75,200");
        }
    }
}
