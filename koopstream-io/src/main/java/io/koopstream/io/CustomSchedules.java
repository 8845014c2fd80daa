package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Kernel;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.StepSize;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;

/**
 * The step sizes, budgets and kernels of the caller's own that a model file only names, because a function cannot be stored. Going on from the
 * file equals going on without it only if the functions are the ones the model was learned with. Immutable.
 *
 * <pre>{@code
 * CustomSchedules schedules =
 *         CustomSchedules.none().with(StepSize.custom("warm-up", t -> t < 100 ? 0.3 : 30.0 / t));
 * // LearnerState state = ModelFile.read(path, schedules);
 * }</pre>
 */
public final class CustomSchedules {

    private static final CustomSchedules NONE = new CustomSchedules(Map.of(), Map.of(), Map.of());

    private final Map<String, StepSize> stepSizes;
    private final Map<String, Budget> budgets;
    private final Map<String, Kernel> kernels;

    private CustomSchedules(Map<String, StepSize> stepSizes, Map<String, Budget> budgets, Map<String, Kernel> kernels) {
        this.stepSizes = Map.copyOf(stepSizes);
        this.budgets = Map.copyOf(budgets);
        this.kernels = Map.copyOf(kernels);
    }

    /** No schedules: enough for every model that uses the built-in ones. */
    public static CustomSchedules none() {
        return NONE;
    }

    /** These and one more step size, made by {@link StepSize#custom}; a later one replaces an earlier one of the same name. */
    public CustomSchedules with(StepSize stepSize) {
        if (!(stepSize instanceof StepSize.Custom custom)) {
            throw new InvalidConfigException(
                    "stepSize",
                    stepSize == null ? null : stepSize.text(),
                    "only StepSize.custom(name, function) is supplied; the others are in the file");
        }
        Map<String, StepSize> more = new HashMap<>(stepSizes);
        more.put(custom.name(), custom);
        return new CustomSchedules(more, budgets, kernels);
    }

    /** These and one more budget, made by {@link Budget#custom}; a later one replaces an earlier one of the same name. */
    public CustomSchedules with(Budget budget) {
        if (!(budget instanceof Budget.Custom custom)) {
            throw new InvalidConfigException(
                    "budget",
                    budget == null ? null : budget.text(),
                    "only Budget.custom(name, function) is supplied; the others are in the file");
        }
        Map<String, Budget> more = new HashMap<>(budgets);
        more.put(custom.name(), custom);
        return new CustomSchedules(stepSizes, more, kernels);
    }

    /** These and one more kernel, made by {@link Kernel#of(String, double, java.util.function.ToDoubleBiFunction)}; a later one replaces an earlier one of the same name. */
    public CustomSchedules with(Kernel kernel) {
        Matcher custom = ModelMetadata.CUSTOM.matcher(kernel == null ? "" : kernel.text());
        if (!custom.matches()) {
            throw new InvalidConfigException(
                    "kernel",
                    kernel == null ? null : kernel.text(),
                    "only Kernel.of(name, bound, function) is supplied; the others are in the file");
        }
        Map<String, Kernel> more = new HashMap<>(kernels);
        more.put(custom.group(1), kernel);
        return new CustomSchedules(stepSizes, budgets, more);
    }

    Optional<StepSize> stepSize(String name) {
        return Optional.ofNullable(stepSizes.get(name));
    }

    Optional<Kernel> kernel(String name) {
        return Optional.ofNullable(kernels.get(name));
    }

    Optional<Budget> budget(String name) {
        return Optional.ofNullable(budgets.get(name));
    }
}
