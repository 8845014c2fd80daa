package io.koopstream.answers;

import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustReport.Eigenpair;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An eigenvalue with what is known about it.
 *
 * @param re its real part
 * @param im its imaginary part
 * @param modulus |λ|
 * @param timescale after which its mode has decayed by a factor of e; infinite where it does not decay
 * @param frequency turns per unit of time
 * @param residual ‖f(x⁺) − λ f(x)‖ / ‖f(x)‖ over pairs that were not learned; NaN, as the next three, without any
 * @param noise the part of it that is the system's own noise
 * @param bias the part of it that is the model's error
 * @param standardError of the eigenvalue; NaN where it is unknown
 * @param trusted whether nothing speaks against it; null where it could not be validated
 * @param reasons why it is not trusted, or could not be validated
 */
public record Eigenvalue(
        double re,
        double im,
        double modulus,
        double timescale,
        double frequency,
        double residual,
        double noise,
        double bias,
        double standardError,
        Boolean trusted,
        List<String> reasons) {

    /** Keeps its own list. */
    public Eigenvalue {
        reasons = List.copyOf(reasons);
    }

    /**
     * The eigenvalues of a spectrum, none left out.
     *
     * @param trust in each of them; null where they could not be validated
     * @param unjudged why not
     * @param dt how long a step lasts
     */
    public static List<Eigenvalue> of(Spectrum spectrum, TrustReport trust, String unjudged, double dt) {
        double[] timescales = spectrum.timescales(dt);
        double[] frequencies = spectrum.frequencies(dt);
        return IntStream.range(0, spectrum.size())
                .mapToObj(k -> of(
                        spectrum.eigenvalue(k),
                        timescales[k],
                        frequencies[k],
                        trust == null ? null : trust.pair(k),
                        unjudged))
                .toList();
    }

    private static Eigenvalue of(Complex value, double timescale, double frequency, Eigenpair pair, String unjudged) {
        boolean judged = pair != null;
        return new Eigenvalue(
                value.re(),
                value.im(),
                value.modulus(),
                timescale,
                frequency,
                judged ? pair.residual() : Double.NaN,
                judged ? pair.noise() : Double.NaN,
                judged ? pair.bias() : Double.NaN,
                judged ? pair.standardError() : Double.NaN,
                judged ? !pair.spurious() : null,
                judged ? pair.reasons() : List.of(unjudged));
    }

    /** True if held-out pairs say something about it. */
    public boolean isJudged() {
        return trusted != null;
    }

    /** True if it was validated and something speaks against it. */
    public boolean isSpurious() {
        return isJudged() && !trusted;
    }

    /** The number itself. */
    public Complex value() {
        return new Complex(re, im);
    }
}
