package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Exp;
import io.koopstream.internal.linalg.Vectors;

/**
 * The Gaussian kernel, in either of the two forms people write: {@code exp(−‖x−y‖² / (2 sigma²))} or
 * {@code exp(−gamma ‖x−y‖²)}; sigma and gamma are related by gamma = 1 / (2 sigma²).
 *
 * @param form which of the two formulas the parameter belongs to
 * @param parameter sigma or gamma, > 0
 */
record Gaussian(Form form, double parameter) implements RadialKernel {

    /** The two ways to write a Gaussian. */
    public enum Form {
        /** exp(−‖x−y‖² / (2 sigma²)), as in deeptime, smile, JSAT. */
        SIGMA,
        /** exp(−gamma ‖x−y‖²), as in scikit-learn, kooplearn, PyDMD. */
        GAMMA
    }

    /** Refuses a parameter that is not a positive number. */
    public Gaussian {
        InvalidConfigException.requirePositive(
                form == Form.SIGMA ? "sigma" : "gamma",
                parameter,
                form == Form.SIGMA
                        ? "width in exp(-|x-y|^2/(2 sigma^2)); try the median distance between samples"
                        : "rate in exp(-gamma |x-y|^2), gamma = 1/(2 sigma^2)");
        if (form == Form.SIGMA) {
            InvalidConfigException.requireSquarable("sigma", parameter, "width");
        }
    }

    private double rate() {
        return form == Form.SIGMA ? 0.5 / (parameter * parameter) : parameter;
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        return Exp.exp(-rate() * squaredDistance);
    }

    @Override
    public void ofSquaredDistances(double[] squaredDistances, int n) {
        Vectors.expOfMultiple(-rate(), squaredDistances, n);
    }

    @Override
    public void addOfSquaredDistances(double weight, double[] squaredDistances, double[] sum, int n) {
        Vectors.addExpOfMultiple(weight, -rate(), squaredDistances, sum, n);
    }

    @Override
    public String toString() {
        return form == Form.SIGMA
                ? KernelText.call("gaussian", "sigma", parameter)
                : KernelText.call("gaussian", "gamma", parameter);
    }
}
