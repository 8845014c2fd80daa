package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.function.ToDoubleBiFunction;

/**
 * A kernel that is a function of the caller's own, see {@link Kernel#of(String, double, ToDoubleBiFunction)}. Functions cannot be compared: two are equal if they have
 * one name, or, without names, one function.
 */
final class CustomKernel implements PrintedKernel {

    static final String CALL = "custom";

    /** Empty for none. */
    private final String name;

    private final double bound;
    private final ToDoubleBiFunction<double[], double[]> function;

    CustomKernel(String name, double bound, ToDoubleBiFunction<double[], double[]> function) {
        if (!KernelParser.CUSTOM_NAME.matcher(name).matches() && !name.isEmpty()) {
            throw new InvalidConfigException(
                    "name", name, "a kernel is named by letters, digits, '.', '_' and '-', at most 64 of them");
        }
        this.name = name;
        this.bound = InvalidConfigException.requirePositive("bound", bound, "sup k(x,x), B_infinity of Assumption 1");
        InvalidConfigException.requireGiven("function", function);
        this.function = function;
    }

    @Override
    public double value(CoordinateView view, double[] x, double[] y) {
        return of(view.coordinates(x), view.coordinates(y));
    }

    private double of(double[] x, double[] y) {
        double value = function.applyAsDouble(x, y);
        if (!Double.isFinite(value)) {
            throw new InvalidConfigException("kernel", text(), "its function gives " + value);
        }
        return value;
    }

    @Override
    public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        double[] seen = view.coordinates(x);
        for (int i = 0; i < points.size(); i++) {
            out[i] = of(view.coordinates(points.get(i)), seen);
        }
    }

    @Override
    public String objection(CoordinateView view, double[] x) {
        double value = value(view, x, x);
        return value >= 0 && value <= bound
                ? null
                : "k(x,x) = " + value + " is not from 0 to the bound " + bound + " of " + this;
    }

    @Override
    public double bound() {
        return bound;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CustomKernel kernel
                && kernel.name.equals(name)
                && (!name.isEmpty() || kernel.function.equals(function));
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return CALL + "(" + name + ")";
    }
}
