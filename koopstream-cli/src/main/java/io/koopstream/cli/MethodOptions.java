package io.koopstream.cli;

import io.koopstream.InvalidConfigException;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.MethodSettings;
import io.koopstream.tuning.Proposal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say how to learn. What is not given is proposed from the first samples when the kernel is not given either. */
final class MethodOptions {

    /** What is wrong with these is the way the command was called; any other setting out of its range is bad data. */
    private static final Set<String> WORDS = Set.of("method", "criterion", "decay");

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
            description =
                    "fixes the regularisation; default: chosen on held-out pairs when somebody asks (sogd: from the first samples, or 1e-3 with --kernel)")
    private Double lambda;

    @Option(
            names = "--epsilon",
            paramLabel = "EPS",
            description =
                    "novelty threshold: a smaller one keeps more; default: chosen, or 0.1 (sogd 0.03) with --kernel")
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

    @Option(
            names = "--holdout",
            paramLabel = "SHARE",
            description =
                    "least-squares: share of the pairs kept aside, in runs, to choose lambda and to judge what was learned; 0 for none; default: 0.1")
    private Double holdout;

    /** Whether settings are to be proposed from the first samples. */
    boolean wantsProposal() {
        return kernel == null;
    }

    String method() {
        return method;
    }

    int maxDictionary() {
        return maxDictionary;
    }

    /** Whether pairs are kept aside. */
    boolean holdsOut() {
        return words().holdOut() > 0;
    }

    /** Refuses what is wrong whatever the data is, before any row is looked at. */
    void check() {
        Output.requireAtLeastOne("--max-dictionary", maxDictionary);
        words();
    }

    /**
     * The settings for states of a dimension.
     *
     * @param targets coordinates of an observation, which come first in a state with delays
     * @param proposal for what is not given; null when there is none, and then the usual values serve
     */
    ChosenSettings settings(int dimension, int targets, Proposal proposal) {
        return words().choose(dimension, targets, proposal);
    }

    private MethodSettings words() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("method", method);
        options.put("kernel", kernel);
        options.put("lambda", lambda);
        options.put("epsilon", epsilon);
        options.put("eta", eta);
        options.put("decay", decay);
        options.put("criterion", criterion);
        options.put("forgetting", forgetting);
        options.put("max-dictionary", maxDictionary);
        options.put("block", block);
        options.put("average", average);
        options.put("holdout", holdout);
        options.values().removeIf(Objects::isNull);
        Map<String, String> said = new LinkedHashMap<>();
        options.forEach((name, value) -> said.put(name, value.toString()));
        try {
            return MethodSettings.of(said);
        } catch (InvalidConfigException e) {
            if (e.field().equals("holdout")) {
                throw CommandFailure.data("--holdout " + e.value() + ": " + e.rule());
            }
            if (WORDS.contains(e.field()) || e.rule().startsWith("has no meaning")) {
                throw CommandFailure.usage("--" + e.field() + " " + e.value() + ": " + e.rule());
            }
            throw e;
        }
    }
}
