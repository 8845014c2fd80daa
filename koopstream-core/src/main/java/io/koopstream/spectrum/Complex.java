package io.koopstream.spectrum;

/**
 * A complex number.
 *
 * @param re real part
 * @param im imaginary part
 */
public record Complex(double re, double im) {

    /** |z|. */
    public double modulus() {
        return Math.hypot(re, im);
    }

    /** The angle in (−π, π]. */
    public double argument() {
        return StrictMath.atan2(im, re);
    }

    /** z w. */
    public Complex times(Complex w) {
        return new Complex(re * w.re - im * w.im, re * w.im + im * w.re);
    }

    /** z + w. */
    public Complex plus(Complex w) {
        return new Complex(re + w.re, im + w.im);
    }

    /** s z. */
    public Complex times(double s) {
        return new Complex(s * re, s * im);
    }

    /** 1 / z. */
    public Complex inverse() {
        // Scaled so that |z|² neither over- nor underflows.
        double scale = Math.max(Math.abs(re), Math.abs(im));
        double a = re / scale;
        double b = im / scale;
        double square = a * a + b * b;
        return new Complex(a / square / scale, -b / square / scale);
    }
}
