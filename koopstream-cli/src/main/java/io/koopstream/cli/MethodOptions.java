package io.koopstream.cli;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelText;
import io.koopstream.learner.Criterion;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.StepSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that say how to learn. */
final class MethodOptions {

    private static final List<String> METHODS = List.of("least-squares", "sogd");

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
                    "e.g. gaussian(sigma=0.5) or 0.4*gaussian(0.4)+0.6*gaussian(0.7); default: from distances in the first rows")
    private String kernel;

    @Option(names = "--lambda", paramLabel = "L", description = "regularisation; default: 1e-5, sogd 1e-3")
    private Double lambda;

    @Option(
            names = "--epsilon",
            paramLabel = "EPS",
            description = "what a sample must add to be kept: smaller keeps more; default: 0.1, sogd 0.03")
    private Double epsilon;

    @Option(names = "--eta", paramLabel = "E", description = "sogd: step size; default: 0.3 / sup k(x,x)")
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
            defaultValue = "5000",
            description = "stop with an error when more samples would be kept; default: ${DEFAULT-VALUE}")
    private int maxDictionary;

    /** The kernel asked for, or null when it is to be guessed. */
    String kernel() {
        return kernel;
    }

    String method() {
        return method;
    }

    int maxDictionary() {
        return maxDictionary;
    }

    /** Refuses options of the other method: they would be ignored without a word. */
    void check() {
        if (!METHODS.contains(method)) {
            throw CommandFailure.usage("--method " + method + ": must be one of " + String.join(", ", METHODS));
        }
        Map<String, Object> foreign = new LinkedHashMap<>();
        if (method.equals("sogd")) {
            foreign.put("--forgetting", forgetting);
        } else {
            foreign.put("--eta", eta);
            foreign.put("--decay", decay);
            foreign.put("--criterion", criterion);
        }
        foreign.forEach((option, value) -> {
            if (value != null) {
                throw CommandFailure.usage(option + " has no meaning with --method " + method + "; leave it out");
            }
        });
        if (maxDictionary < 1) {
            throw CommandFailure.data("--max-dictionary " + maxDictionary + ": must be at least 1");
        }
    }

    /** A learner with these settings. */
    Training start(int dimension, Kernel chosen) {
        return switch (method) {
            case "sogd" -> Training.sogd(sogd(dimension, chosen));
            default -> Training.leastSquares(leastSquares(dimension, chosen));
        };
    }

    private LeastSquaresConfig leastSquares(int dimension, Kernel chosen) {
        LeastSquaresConfig.Builder builder = LeastSquaresConfig.forState(dimension, chosen);
        if (lambda != null) {
            builder.lambda(lambda);
        }
        if (epsilon != null) {
            builder.epsilon(epsilon);
        }
        if (forgetting != null) {
            builder.forgetting(forgetting);
        }
        return builder.build();
    }

    private SogdConfig sogd(int dimension, Kernel chosen) {
        SogdConfig.Builder builder = SogdConfig.forState(dimension, chosen);
        if (lambda != null) {
            builder.lambda(lambda);
        }
        if (epsilon != null) {
            builder.budget(epsilon);
        }
        if (criterion != null) {
            builder.criterion(criterion());
        }
        double first = eta == null ? 0.3 / chosen.bound() : eta;
        builder.stepSize(decay == null ? StepSize.constant(first) : decaying(first));
        return builder.build();
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

    /** The settings for reports: option, value, and why. */
    List<String[]> explained(Training training, String kernelReason) {
        int dimension = training.input().dimension();
        Kernel used = training.input().kernel();
        List<String[]> rows = new ArrayList<>();
        if (method.equals("sogd")) {
            SogdConfig config = sogd(dimension, used);
            rows.add(new String[] {"method", method, "asked for"});
            rows.add(new String[] {"lambda", number(config.lambda(), lambda), "regularisation of the risk"});
            rows.add(new String[] {"step size", config.stepSize().text(), "how far one sample moves the operator"});
            rows.add(new String[] {
                "epsilon", config.budget().text(), "change of the operator a sample must bring to be kept"
            });
        } else {
            LeastSquaresConfig config = leastSquares(dimension, used);
            rows.add(new String[] {"method", method, "no step size to tune, settles on the minimiser"});
            rows.add(new String[] {"lambda", number(config.lambda(), lambda), "regularisation of the risk"});
            rows.add(new String[] {"epsilon", number(config.epsilon(), epsilon), "novelty a sample needs to be kept"});
            rows.add(new String[] {
                "forgetting", number(config.forgetting(), forgetting), "1: the past counts as much as the present"
            });
        }
        rows.add(1, new String[] {"kernel", used.text(), kernelReason});
        return rows;
    }

    private static String number(double value, Double given) {
        return KernelText.number(value) + (given == null ? " (default)" : "");
    }
}
