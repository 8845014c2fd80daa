package io.koopstream.theory;

import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.text.Decimals;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.theory.FiniteTimeBound.Constants;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The paper's convergence theory applied to given settings: each assumption and each theorem with whether it holds and why, and
 * the bounds where they apply. Assumption 2, and whether Assumption 4 is true, are facts about the process that no setting decides;
 * the bounds here are on E‖U_t − U_λ‖², which do not need Assumption 2.
 *
 * <p>Immutable.
 */
public final class ConvergenceTheory {

    /**
     * One assumption or statement of the paper, and whether given settings meet it.
     *
     * @param statement what it is, e.g. {@code Assumption 3(b)}
     * @param holds whether it holds
     * @param reason why, or why not and what to do about it
     */
    public record Condition(String statement, boolean holds, String reason) {

        /** As a line to read. */
        public String text() {
            return statement + (holds ? " holds: " : " does not hold: ") + reason;
        }
    }

    /** Theorem 6 where pairs are drawn independently of each other. */
    public static final String INDEPENDENT = "Theorem 6, independent pairs";

    /** Theorem 6 where each pair begins at the last one's successor. */
    public static final String TRAJECTORY = "Theorem 6, one trajectory";

    private static final String CONSTANT = "Assumption 5";
    private static final String DECAYING = "Assumption 6";

    private final List<Condition> conditions = new ArrayList<>();
    private final FiniteTimeBound bound;
    private final boolean general;
    private final boolean constantStep;
    private final boolean decayingStep;

    private ConvergenceTheory(SogdConfig config, Mixing mixing, double operatorNorm, int horizon) {
        double kernelBound = Math.max(
                config.input().kernel().bound(), config.output().kernel().bound());
        boolean bounded =
                add("Assumption 1", Double.isFinite(kernelBound), "sup k(x,x) = " + Decimals.text(kernelBound));
        boolean steps = stepsHold(config, horizon);
        Optional<Double> compression = compression(config, horizon);
        boolean forgets = add(
                "Assumption 4",
                mixing != null,
                mixing == null
                        ? "no mixing constants were given; read the rate off a learned spectrum (Estimate) or off the"
                                + " chain"
                        : "as given, R = " + Decimals.text(mixing.factor()) + " and gamma = "
                                + Decimals.text(mixing.rate()));
        boolean constant = add(
                CONSTANT,
                config.stepSize() instanceof StepSize.Constant,
                "the steps are " + config.stepSize().text());
        boolean decays = config.stepSize() instanceof StepSize.Decay decay && decay.a() < 1;
        add(
                DECAYING,
                decays,
                "the steps are " + config.stepSize().text() + (decays ? "" : ", not eta/(t+r)^a with 0 < a < 1"));
        asymptotic(config, bounded && steps && compression.isPresent() && forgets);
        boolean ready = bounded && steps && forgets && compression.isPresent();
        bound = ready
                ? new FiniteTimeBound(
                        new Constants(
                                kernelBound,
                                config.lambda(),
                                compression.get(),
                                config.stepSize().at(1),
                                Math.min(operatorNorm, Constants.largestNorm(kernelBound, config.lambda()))),
                        config.stepSize(),
                        mixing,
                        horizon)
                : null;
        general = generalHolds(ready);
        constantStep = add(
                "Corollary 10",
                general && constant,
                general && constant
                        ? "the error falls to at most " + short3(bound.floor()) + " in the mean"
                        : because(general, CONSTANT, constant));
        decayingStep = decayingHolds(decays);
    }

    /**
     * The theory for settings.
     *
     * @param mixing constants of Assumption 4, or null when nothing is known
     * @param operatorNorm ‖U_λ‖, or an upper bound, infinity if unknown: the theory uses {@link Constants#largestNorm} where that is smaller. The
     *     norm of a learned U_t is neither
     * @param horizon how many samples are looked at: bounds are for t up to this, and their conditions are checked up to it
     */
    public static ConvergenceTheory of(SogdConfig config, Mixing mixing, double operatorNorm, int horizon) {
        return new ConvergenceTheory(config, mixing, operatorNorm, horizon);
    }

    private boolean add(String statement, boolean holds, String reason) {
        conditions.add(new Condition(statement, holds, reason));
        return holds;
    }

    /** A config is refused when its first step is too large; only a custom schedule can still go wrong later, and is checked up to the horizon. */
    private boolean stepsHold(SogdConfig config, int horizon) {
        String name = "Assumption 3(a)";
        StepSize steps = config.stepSize();
        boolean custom = steps instanceof StepSize.Custom;
        for (int t = 2; custom && t <= horizon; t++) {
            if (!(steps.at(t) > 0 && steps.at(t) <= steps.at(t - 1))) {
                return add(
                        name,
                        false,
                        "the steps must be positive and may not grow: eta_" + t + " = " + steps.at(t) + " after "
                                + steps.at(t - 1));
            }
        }
        return add(
                name,
                true,
                "steps never grow, and the first, " + Decimals.text(steps.at(1))
                        + ", keeps eta (kappa + 2 lambda) <= 2 (erratum 3)" + checked(custom, horizon));
    }

    private static String checked(boolean custom, int horizon) {
        return custom ? "; checked up to t = " + horizon + ", not beyond" : "";
    }

    /** b_cmp, the largest allowed ‖E_t‖ over η_t². */
    private Optional<Double> compression(SogdConfig config, int horizon) {
        String name = "Assumption 3(b)";
        if (config.maxDictionary() != DictionaryCap.NONE) {
            add(
                    name,
                    false,
                    "the dictionary is limited to " + config.maxDictionary()
                            + " points: once it is full, a removal or refusal may cost more than the budget");
            return Optional.empty();
        }
        if (config.budget() instanceof Budget.Constant constant && constant.epsilon() == 0) {
            add(name, true, "nothing is left out but what is numerically known: b_cmp = 0");
            return Optional.of(0.0);
        }
        if (config.criterion() == Criterion.PAPER) {
            add(name, false, "criterion PAPER does not bound the error of sparsification (erratum 1); use EXACT");
            return Optional.empty();
        }
        boolean norm = config.delta() == Criterion.Delta.NORM;
        if (norm && config.budget() instanceof Budget.Proportional proportional) {
            add(name, true, "the budget is b_cmp eta_t^2 with b_cmp = " + Decimals.text(proportional.b()));
            return Optional.of(proportional.b());
        }
        boolean custom = config.budget() instanceof Budget.Custom || config.stepSize() instanceof StepSize.Custom;
        boolean constant = config.stepSize() instanceof StepSize.Constant;
        if (!custom && !constant) {
            add(
                    name,
                    false,
                    norm
                            ? "the budget stays while eta_t^2 vanishes; use a budget proportional to eta_t^2"
                            : "a squared norm below " + config.budget().text()
                                    + " leaves a norm that vanishes slower than eta_t^2; compare norms");
            return Optional.empty();
        }
        double b = 0;
        for (int t = 1; t <= (custom ? horizon : 1); t++) {
            double eta = config.stepSize().at(t);
            double epsilon = config.budget().at(t, eta);
            b = Math.max(b, (norm ? epsilon : Math.sqrt(epsilon)) / (eta * eta));
        }
        add(
                name,
                true,
                (custom ? "the largest budget over eta_t^2 is" : "step and budget are constant:")
                        + " b_cmp = " + (norm ? "epsilon" : "sqrt(epsilon)") + "/eta^2 = " + short3(b)
                        + checked(custom, horizon));
        return Optional.of(b);
    }

    /**
     * Theorem 6 by its two kinds of samples. Its hypotheses bound the bias of the gradient given the past. Independent pairs have none; along a
     * trajectory the past tells x_t = x⁺_{t−1}, so that the bias (U φ(x_t) − μ(x_t)) ⊗ φ(x_t) + λU − ∇R_λ(U) fades for no U and Σ η_t a_t is
     * infinite (docs/errata.md, 11).
     */
    private void asymptotic(SogdConfig config, boolean assumptions) {
        boolean summable = config.stepSize() instanceof StepSize.Decay decay && decay.a() > 0.5;
        String reason = !summable
                ? "needs sum eta_t = infinity and sum eta_t^2 finite, that is eta/(t+r)^a with 0.5 < a <= 1"
                : assumptions
                        ? "U_t tends to U_lambda almost surely if every pair is drawn anew from the invariant law"
                        : "an assumption above does not hold";
        add(INDEPENDENT, summable && assumptions, reason);
        add(
                TRAJECTORY,
                false,
                "its hypotheses cover independent pairs only: x_t is the last pair's successor, and the bias of the gradient"
                        + " given it does not fade (erratum 11); Theorem 9 is about one trajectory");
    }

    private boolean generalHolds(boolean ready) {
        String name = "Theorem 9";
        if (!ready) {
            return add(name, false, "an assumption above does not hold");
        }
        if (bound.start() >= bound.horizon()) {
            return add(
                    name,
                    false,
                    "the process needs more than the " + bound.horizon() + " samples looked at to mix once");
        }
        double allowed = bound.constants().largestWindow();
        double largest = 0;
        int where = bound.start();
        for (int t = bound.start(); t < bound.horizon(); t++) {
            if (t < bound.mixingTime(t)) {
                return add(name, false, "the steps decay faster than the process mixes, at t = " + t);
            }
            double window = bound.window(t);
            if (window > largest) {
                largest = window;
                where = t;
            }
        }
        String compared = "the steps over one mixing time sum to " + short3(largest) + " (at t = " + where
                + "), allowed is lambda/B-check = " + short3(allowed);
        return add(
                name,
                largest <= allowed,
                largest <= allowed
                        ? compared
                        : compared + ": smaller steps, a larger lambda or faster mixing are needed");
    }

    private boolean decayingHolds(boolean decays) {
        String name = "Corollary 11";
        if (!general || !decays) {
            return add(name, false, because(general, DECAYING, decays));
        }
        double least = bound.leastOffset();
        if (!(bound.shiftedStart() >= least)) {
            return add(
                    name,
                    false,
                    "r + tau_* = " + short3(bound.shiftedStart()) + " is below (2a/(lambda eta))^(1/(1-a)) = "
                            + short3(least) + "; use a larger r or eta");
        }
        for (int t = bound.start(); t < bound.horizon(); t++) {
            if (!(bound.window(t) <= 2 * bound.windowScale(t))) {
                return add(
                        name, false, "r is too small: the steps change too much within one mixing time, at t = " + t);
            }
        }
        return add(name, true, "r is large enough; the bound falls like t^-a log t");
    }

    private static String because(boolean general, String assumption, boolean holds) {
        return general ? holds ? "" : assumption + " does not hold" : "the condition of Theorem 9 does not hold";
    }

    private static String short3(double value) {
        return String.format(java.util.Locale.ROOT, "%.3g", value);
    }

    /** Every assumption and statement with its verdict, in the order of the paper. */
    public List<Condition> conditions() {
        return List.copyOf(conditions);
    }

    /** The verdict on one statement, e.g. {@code Theorem 9}. */
    public Condition condition(String statement) {
        return conditions.stream()
                .filter(condition -> condition.statement().equals(statement))
                .findFirst()
                .orElseThrow(() -> new io.koopstream.InvalidQueryException(statement + ": not one of "
                        + conditions.stream().map(Condition::statement).collect(Collectors.joining(", "))));
    }

    /** The constants of the bounds, if the assumptions hold that they need; Theorem 9 may ask for more. */
    public Optional<Constants> constants() {
        return Optional.ofNullable(bound).map(FiniteTimeBound::constants);
    }

    /** The bounds, if Theorem 9 applies. */
    public Optional<FiniteTimeBound> bound() {
        return general ? Optional.of(bound) : Optional.empty();
    }

    /** True if Corollary 10 applies, so that {@link FiniteTimeBound#constantStep} is a bound. */
    public boolean constantStepApplies() {
        return constantStep;
    }

    /** True if Corollary 11 applies, so that {@link FiniteTimeBound#decayingStep} is a bound. */
    public boolean decayingStepApplies() {
        return decayingStep;
    }

    /** All verdicts in words, one per line. */
    public String summary() {
        return conditions.stream().map(Condition::text).collect(Collectors.joining("\n"));
    }
}
