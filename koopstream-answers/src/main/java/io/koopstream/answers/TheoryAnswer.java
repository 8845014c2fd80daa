package io.koopstream.answers;

import io.koopstream.InvalidQueryException;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.io.Json;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.theory.ConvergenceTheory;
import io.koopstream.theory.FiniteTimeBound;
import io.koopstream.theory.Mixing;
import io.koopstream.theory.Mixing.Estimate;
import java.util.ArrayList;
import java.util.List;

/**
 * The paper's theory about a model, or about settings before anything is learned: assumptions and statements, constants, bounds.
 *
 * @param of which model it is about; null for settings
 * @param mixing how fast the process forgets
 * @param norm ‖U_t‖ of the operator as learned so far, which is no bound of ‖U_λ‖; NaN for settings
 * @param checks conditions of the theory
 * @param constants constants of the bounds; null where an assumption fails
 * @param bounds of E‖U_t − U_λ‖² by Theorem 9; empty where it does not apply
 */
public record TheoryAnswer(
        Version of, MixingRate mixing, double norm, List<Check> checks, Constants constants, List<Bound> bounds) {

    /** Largest number of samples up to which bounds are checked. */
    public static final int MAX_HORIZON = 1_000_000;

    /** Mixing rate of a process and its source, or the reason that there is none. */
    public record MixingRate(Numbers estimate, String note) {}

    /** By which factor correlations fall in a step, and in how many steps they fall by e. */
    public record Numbers(double rate, double relaxationSteps) implements Json.Part {}

    /** A condition of the theory, and whether it is met, with numbers. */
    public record Check(String statement, boolean holds, String reason) {}

    /**
     * Constants of the finite-time analysis, section 6.
     *
     * @param kernelBound B_∞
     * @param lambda ridge
     * @param compression b_cmp
     * @param growth B
     * @param drift B̌
     * @param operatorNorm upper bound of ‖U_λ‖
     * @param mixingTime τ of the first step
     * @param largestWindow λ/B̌, which the steps over one mixing time may sum to
     * @param floor where the bound of Corollary 10 ends; NaN for steps that are not constant, and where Theorem 9 does not apply
     */
    public record Constants(
            double kernelBound,
            double lambda,
            double compression,
            double growth,
            double drift,
            double operatorNorm,
            int mixingTime,
            double largestWindow,
            double floor) {}

    /** A bound of the mean squared error after so many samples. */
    public record Bound(int samples, double error) {}

    /**
     * About a model.
     *
     * @param known constants of Assumption 4; null to read the rate off the learned spectrum
     * @param horizon samples up to which conditions are checked; 0 for those learned
     */
    public static TheoryAnswer of(LearnedModel model, Mixing known, int horizon) {
        Regularised learned = model.forSpectra(Regularisation.USUAL);
        KoopmanOperator operator = learned.operator();
        Mixing mixing = known;
        MixingRate rate = known == null ? null : given(known);
        if (known == null) {
            try {
                Estimate estimate = Estimate.of(model.spectrum(learned, 2));
                mixing = estimate.assuming(1);
                rate = new MixingRate(
                        new Numbers(estimate.rate(), estimate.relaxationSteps()),
                        "estimated from the learned spectrum with factor R = 1; no guarantee");
            } catch (InvalidQueryException e) {
                rate = new MixingRate(null, e.getMessage());
            }
        }
        if (model.state() instanceof SogdState state) {
            int checked = horizon > 0 ? horizon : (int) Math.max(2, Math.min(MAX_HORIZON, state.samples()));
            Mixing found = mixing;
            MixingRate told = rate;
            return model.compute(() -> about(model.version(), state.config(), found, told, operator.norm(), checked));
        }
        List<Check> checks = new ArrayList<>();
        double bound = operator.domain().kernel().bound();
        checks.add(new Check("Assumption 1", Double.isFinite(bound), "the kernel is bounded: sup k(x,x) = " + bound));
        checks.add(new Check(
                "Least squares",
                true,
                "the exact minimiser on the dictionary: no step size, so the paper's conditions on steps"
                        + " do not apply"));
        long refusals = operator.pruning().refusals();
        checks.add(new Check(
                "Dictionary",
                refusals == 0,
                refusals == 0
                        ? "never full: every sample beyond epsilon of it was kept"
                        : "full: " + operator.pruning().removals() + " kept samples were replaced, " + refusals
                                + " new ones turned away"));
        return new TheoryAnswer(model.version(), rate, operator.norm(), checks, null, List.of());
    }

    /**
     * About settings.
     *
     * @param mixing constants of Assumption 4; null when nothing is known
     * @param horizon samples up to which conditions are checked
     */
    public static TheoryAnswer of(SogdConfig config, Mixing mixing, int horizon) {
        MixingRate rate =
                mixing == null ? new MixingRate(null, "not given; there is no bound without it") : given(mixing);
        return about(null, config, mixing, rate, Double.NaN, horizon);
    }

    private static MixingRate given(Mixing mixing) {
        return new MixingRate(
                new Numbers(mixing.rate(), new Estimate(mixing.rate(), 1).relaxationSteps()),
                "as given, with factor R = " + mixing.factor());
    }

    /** ‖U_λ‖ is unknown, and the norm of what has been learned so far is no bound of it: the theory has one that needs no data. */
    private static TheoryAnswer about(
            Version version, SogdConfig config, Mixing mixing, MixingRate rate, double norm, int horizon) {
        ConvergenceTheory theory = ConvergenceTheory.of(config, mixing, Double.POSITIVE_INFINITY, horizon);
        List<Check> checks = theory.conditions().stream()
                .map(condition -> new Check(condition.statement(), condition.holds(), condition.reason()))
                .toList();
        Constants constants = theory.constants()
                .map(of -> new Constants(
                        of.kernelBound(),
                        of.lambda(),
                        of.compression(),
                        of.growth(),
                        of.drift(),
                        of.operatorNorm(),
                        mixing.time(of.firstStep()),
                        of.largestWindow(),
                        theory.constantStepApplies()
                                ? theory.bound().orElseThrow().floor()
                                : Double.NaN))
                .orElse(null);
        List<Bound> bounds = theory.bound().map(bound -> bounds(bound, horizon)).orElse(List.of());
        return new TheoryAnswer(version, rate, norm, checks, constants, bounds);
    }

    /** At powers of ten from the first t on which the bound speaks, and at the horizon. */
    private static List<Bound> bounds(FiniteTimeBound bound, int horizon) {
        List<Integer> times = new ArrayList<>();
        for (long t = 10; t < horizon; t *= 10) {
            if (t >= bound.start()) {
                times.add((int) t);
            }
        }
        times.add(horizon);
        double[] errors =
                bound.general(times.stream().mapToInt(Integer::intValue).toArray());
        List<Bound> result = new ArrayList<>();
        for (int i = 0; i < errors.length; i++) {
            result.add(new Bound(times.get(i), errors[i]));
        }
        return result;
    }
}
