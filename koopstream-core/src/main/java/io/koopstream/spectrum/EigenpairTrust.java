package io.koopstream.spectrum;

import java.util.List;
import java.util.Locale;

/**
 * Trust in one eigenpair. Nothing is hidden: a spurious pair is reported with the reasons.
 *
 * @param eigenvalue λ
 * @param residual ‖f(x⁺) − λ f(x)‖ / ‖f(x)‖ over the held-out pairs; infinite where f vanishes on all of them
 * @param noise the part of the residual that x does not explain: the system's own noise, (E Var[f(x⁺)|x])^½ / ‖f‖
 * @param bias the part that x explains, ‖K f − λ f‖ / ‖f‖; residual² = noise² + bias²
 * @param biasScore the estimated squared bias in standard errors of what pure noise would give
 * @param standardError of λ; NaN when no block statistics were given
 * @param reasons why it is spurious; empty when it is not
 */
public record EigenpairTrust(
        Complex eigenvalue,
        double residual,
        double noise,
        double bias,
        double biasScore,
        double standardError,
        List<String> reasons) {

    /** Keeps its own list of reasons. */
    public EigenpairTrust {
        reasons = List.copyOf(reasons);
    }

    /** True if any of the rules objects. */
    public boolean spurious() {
        return !reasons.isEmpty();
    }

    /** One line for a table. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.5f%+.5fi residual %.4f noise %.4f bias %.4f std. error %s %s",
                eigenvalue.re(),
                eigenvalue.im(),
                residual,
                noise,
                bias,
                Double.isNaN(standardError) ? "-" : String.format(Locale.ROOT, "%.5f", standardError),
                spurious() ? "SPURIOUS: " + String.join("; ", reasons) : "ok");
    }
}
