package io.koopstream.spectrum;

/**
 * How well eigenpairs hold on pairs that were not learned: √(Σ|f(x⁺) − λ f(x)|² / Σ|f(x)|²) for each. Small means that f really evolves
 * by λ. For a noisy system it contains the noise of f(x⁺) around its expectation and does not vanish. One writer.
 */
public final class HoldoutResiduals {

    private final Spectrum spectrum;
    private final double[] errors;
    private final double[] sizes;
    private long pairs;

    /** Nothing measured yet. */
    public HoldoutResiduals(Spectrum spectrum) {
        this.spectrum = spectrum;
        this.errors = new double[spectrum.size()];
        this.sizes = new double[spectrum.size()];
    }

    /** Measures on one more pair. */
    public void add(double[] x, double[] xNext) {
        Complex[][] values = spectrum.eigenfunctions(new double[][] {x, xNext});
        for (int k = 0; k < errors.length; k++) {
            Complex expected = spectrum.eigenvalue(k).times(values[0][k]);
            double error = values[1][k].plus(expected.times(-1.0)).modulus();
            double size = values[0][k].modulus();
            errors[k] += error * error;
            sizes[k] += size * size;
        }
        pairs++;
    }

    /** How many pairs were measured on. */
    public long pairs() {
        return pairs;
    }

    /** The residual of eigenpair k; not-a-number before the first pair. */
    public double residual(int k) {
        return Math.sqrt(errors[k] / sizes[k]);
    }
}
