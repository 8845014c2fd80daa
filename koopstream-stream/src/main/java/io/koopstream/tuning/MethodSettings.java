package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Settings of the learning method, each optional, as text: the words of {@code koop learn}, of the server and of a job's
 * settings file. Without a kernel, what was not said is proposed from the first samples. Immutable; equal words make equal settings.
 */
public final class MethodSettings {

    /** The names of both methods. */
    public static final List<String> METHODS = List.of("least-squares", "sogd");

    /** The most samples kept when nothing else is said. */
    public static final int DEFAULT_MAX_DICTIONARY = 2000;

    /** Samples learned at once when nothing else is said. */
    public static final int DEFAULT_BLOCK = 64;

    private static final String GIVEN = "asked for";
    private static final String USUAL = "the usual value";

    /** The words there are, in the order in which they are explained. */
    public static final List<String> NAMES = List.of(
            "method",
            "kernel",
            "lambda",
            "epsilon",
            "eta",
            "decay",
            "criterion",
            "forgetting",
            "maxDictionary",
            "block",
            "average",
            "holdout");

    private static final List<String> ONLY_SOGD = List.of("eta", "decay", "criterion", "average");
    private static final List<String> ONLY_LEAST_SQUARES = List.of("forgetting", "holdout");

    private final Map<String, String> given;

    private MethodSettings(Map<String, String> given) {
        this.given = Collections.unmodifiableMap(given);
    }

    /**
     * Settings from words, checked as far as they can be before data is seen.
     *
     * @param words names to values; {@code maxDictionary} may be written {@code max-dictionary}; values as one would type them
     * @throws InvalidConfigException on an unknown name, a word of the other method, or a value that is wrong whatever the data
     */
    public static MethodSettings of(Map<String, String> words) {
        Map<String, String> known = new LinkedHashMap<>();
        words.forEach((name, value) -> {
            String plain = name.equals("max-dictionary") ? "maxDictionary" : name;
            if (!NAMES.contains(plain)) {
                throw new InvalidConfigException(
                        Reason.UNKNOWN_NAME, name, value, "no such setting; there are " + String.join(", ", NAMES));
            }
            if (value == null) {
                throw new InvalidConfigException(plain, null, "has no value; leave the setting out, or give one");
            }
            known.put(plain, value.strip());
        });
        Map<String, String> ordered = new LinkedHashMap<>();
        for (String name : NAMES) {
            if (known.containsKey(name)) {
                ordered.put(name, known.get(name));
            }
        }
        MethodSettings settings = new MethodSettings(ordered);
        settings.check();
        return settings;
    }

    private void check() {
        if (!METHODS.contains(method())) {
            throw new InvalidConfigException("method", method(), "must be one of " + String.join(", ", METHODS));
        }
        // A word of the other method would be ignored in silence.
        for (String name : isSogd() ? ONLY_LEAST_SQUARES : ONLY_SOGD) {
            if (given.containsKey(name)) {
                throw new InvalidConfigException(
                        Reason.NOT_APPLICABLE,
                        name,
                        given.get(name),
                        "has no meaning with method " + method() + "; leave it out");
            }
        }
        // Any dimension serves to see what is wrong whatever the data is, unless the kernel takes only one.
        int required = wantsProposal() ? 0 : Kernels.parse(given.get("kernel")).requiredDimension();
        choose(Math.max(1, required), null);
    }

    /** The words that were said, in a fixed order; {@link #of} makes equal settings of them. */
    public Map<String, String> given() {
        return given;
    }

    /** True if settings are to be proposed from the first samples: no kernel was given. */
    public boolean wantsProposal() {
        return !given.containsKey("kernel");
    }

    /** {@code least-squares} or {@code sogd}. */
    public String method() {
        return given.getOrDefault("method", METHODS.get(0));
    }

    private boolean isSogd() {
        return method().equals("sogd");
    }

    /** True if the method is least squares. */
    public boolean isLeastSquares() {
        return !isSogd();
    }

    /** The most samples to keep. */
    public int maxDictionary() {
        return whole("maxDictionary", DEFAULT_MAX_DICTIONARY);
    }

    /**
     * The settings for states of a dimension.
     *
     * @param proposal for what was not said; null when there is none, and then the usual values serve
     */
    public ChosenSettings choose(int dimension, Proposal proposal) {
        return choose(dimension, dimension, proposal);
    }

    /**
     * The settings for states that are delay vectors.
     *
     * @param dimension coordinates of a state, delays included
     * @param targets coordinates of an observation, which come first
     * @param proposal for what was not said; null when there is none, and then the usual values serve
     */
    public ChosenSettings choose(int dimension, int targets, Proposal proposal) {
        String kernel = given.get("kernel");
        Kernel chosen = kernel != null
                ? Kernels.parse(kernel)
                : proposal == null ? Kernels.gaussian(1) : isSogd() ? proposal.gaussian() : proposal.kernel();
        List<Explained> explained = new ArrayList<>();
        explained.add(new Explained(
                "method", method(), isSogd() ? GIVEN : "no step size to tune; converges to the minimiser"));
        explained.add(new Explained(
                "kernel", chosen.text(), kernel != null ? GIVEN : proposal == null ? USUAL : proposal.kernelReason()));
        return isSogd()
                ? sogd(dimension, chosen, proposal, explained)
                : leastSquares(dimension, targets, chosen, proposal, explained);
    }

    private ChosenSettings leastSquares(
            int dimension, int targets, Kernel kernel, Proposal proposal, List<Explained> explained) {
        LeastSquaresConfig.Builder builder = LeastSquaresConfig.forState(dimension, kernel)
                .maxDictionary(maxDictionary())
                .blockSize(whole("block", DEFAULT_BLOCK));
        Double lambda = number("lambda");
        Double epsilon = number("epsilon");
        Double forgetting = number("forgetting");
        if (lambda != null) {
            builder.lambda(lambda);
        }
        if (epsilon != null || proposal != null) {
            builder.epsilon(epsilon != null ? epsilon : proposal.epsilon().value());
        }
        if (forgetting != null) {
            builder.forgetting(forgetting);
        }
        double holdOut = holdOut();
        if (holdOut > 0) {
            // What judges a system that changes must be as new as what is judged.
            builder.holdOut(HoldOutConfig.of(
                    holdOut,
                    dimension,
                    forgetting != null && forgetting < 1 ? HoldOutConfig.Keep.NEWEST : HoldOutConfig.Keep.UNIFORM));
        }
        builder.targets(targets);
        LeastSquaresConfig config = builder.build();
        explained.add(
                lambda == null && holdOut > 0
                        ? new Explained("lambda", "chosen", "on held-out pairs, at query time")
                        : explain(
                                "lambda",
                                config.lambda().orElse(LeastSquaresConfig.DEFAULT_LAMBDA),
                                USUAL + ", since no pairs are held out to choose it on"));
        explained.add(explain("epsilon", config.epsilon(), reason(proposal == null ? null : proposal.epsilon())));
        explained.add(explain("forgetting", config.forgetting(), "old samples count as much as new ones"));
        explained.add(
                explain("holdout", holdOut, "share of the pairs held out, in runs, to choose lambda and to validate"));
        explainBounds(config.maxDictionary(), config.blockSize(), explained);
        return new ChosenSettings(config, explained);
    }

    private ChosenSettings sogd(int dimension, Kernel kernel, Proposal proposal, List<Explained> explained) {
        SogdConfig.Builder builder = SogdConfig.forState(dimension, kernel)
                .maxDictionary(maxDictionary())
                .blockSize(whole("block", DEFAULT_BLOCK));
        Double lambda = number("lambda");
        Double epsilon = number("epsilon");
        Double eta = number("eta");
        Double average = number("average");
        if (average != null) {
            builder.averaging(Averaging.tail(average));
        }
        if (lambda != null || proposal != null) {
            builder.lambda(lambda != null ? lambda : proposal.lambda().value());
        }
        if (given.containsKey("criterion")) {
            builder.criterion(criterion());
        }
        double first = eta != null ? eta : proposal != null ? proposal.eta().value() : usualStep(kernel, lambda);
        String decay = given.get("decay");
        builder.stepSize(decay == null ? StepSize.constant(first) : decaying(first, decay));
        if (epsilon != null) {
            builder.budget(epsilon);
        } else if (proposal != null) {
            builder.budget(proposal.sogdBudget(first));
        }
        SogdConfig config = builder.build();
        explained.add(explain("lambda", config.lambda(), reason(proposal == null ? null : proposal.lambda())));
        explained.add(explain(
                decay != null ? "decay" : "eta",
                "eta",
                config.stepSize().text(),
                reason(proposal == null ? null : proposal.eta())));
        explained.add(explain(
                "epsilon",
                "epsilon",
                config.budget().text(),
                proposal == null
                        ? USUAL
                        : "eta times "
                                + Decimals.text(proposal.epsilon().value()) + ", "
                                + proposal.epsilon().reason()));
        explained.add(explain(
                "criterion",
                "criterion",
                config.criterion().name().toLowerCase(Locale.ROOT),
                "the projection error itself"));
        explained.add(explain(
                "average",
                "average",
                config.averaging().text(),
                "answers come from the last iterate, as in the paper"));
        explainBounds(config.maxDictionary(), config.blockSize(), explained);
        return new ChosenSettings(config, explained);
    }

    /** 0.3 / κ, or less where a large λ asks for it: the condition on η_t in docs/errata.md, 3, holds by a factor of two. */
    private static double usualStep(Kernel kernel, Double lambda) {
        double bound = kernel.bound();
        return lambda == null ? 0.3 / bound : Math.min(0.3 / bound, 1 / (bound + 2 * lambda));
    }

    /** The share of the pairs that is held out; 0 for sogd, which learns every sample as the paper does. */
    public double holdOut() {
        Double share = number("holdout");
        return isSogd() ? 0 : share == null ? HoldOutConfig.DEFAULT_SHARE : share;
    }

    private static void explainBounds(int maxDictionary, int block, List<Explained> explained) {
        explained.add(
                new Explained("max-dictionary", Integer.toString(maxDictionary), "bounds memory and time per sample"));
        explained.add(new Explained("block", Integer.toString(block), "samples per block, for speed"));
    }

    private static String reason(Proposal.Setting proposed) {
        return proposed == null ? USUAL : proposed.reason();
    }

    private Explained explain(String name, double value, String otherwise) {
        return explain(name, name, Decimals.text(value), otherwise);
    }

    /** A setting that is asked for by the word that decides on it, or has its value for another reason. */
    private Explained explain(String word, String name, String value, String otherwise) {
        return new Explained(name, value, given.containsKey(word) ? GIVEN : otherwise);
    }

    private Double number(String name) {
        String text = given.get(name);
        if (text == null) {
            return null;
        }
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new InvalidConfigException(name, text, "must be a number, e.g. 0.01");
        }
    }

    private int whole(String name, int usual) {
        String text = given.get(name);
        if (text == null) {
            return usual;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new InvalidConfigException(name, text, "must be a whole number, e.g. " + usual);
        }
    }

    private Criterion criterion() {
        String text = given.get("criterion");
        for (Criterion criterion : Criterion.values()) {
            if (criterion.name().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
                return criterion;
            }
        }
        throw new InvalidConfigException("criterion", text, "must be exact or paper");
    }

    /** The step is eta at the start whatever A and R are, so that one can be changed without the others. */
    private static StepSize decaying(double first, String decay) {
        String[] parts = decay.split(",", -1);
        double a;
        double r;
        try {
            if (parts.length != 2) {
                throw new NumberFormatException("two numbers");
            }
            a = Double.parseDouble(parts[0]);
            r = Double.parseDouble(parts[1]);
        } catch (NumberFormatException e) {
            throw new InvalidConfigException("decay", decay, "expected exponent and offset, e.g. 0.75,200");
        }
        return StepSize.decay(first * StrictMath.pow(r, a), r, a);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MethodSettings settings && given.equals(settings.given);
    }

    @Override
    public int hashCode() {
        return given.hashCode();
    }

    @Override
    public String toString() {
        return given.toString();
    }
}
