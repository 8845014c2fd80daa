package io.koopstream.systems;

/** All products z^j z̄^k of powers of one conjugate pair: the spectrum of a linear system in the plane that turns. */
final class ConjugateProducts {

    private ConjugateProducts() {}

    /**
     * The leading products for z = ρe^(iω) as rows (re, im), largest modulus first, of those with equal modulus the ones with the smaller multiple
     * of ω first, and of a pair the one with positive imaginary part first.
     */
    static double[][] leading(double rho, double omega, int count) {
        double[][] values = new double[count][];
        int filled = 0;
        for (int degree = 0; filled < count; degree++) {
            double modulus = StrictMath.pow(rho, degree);
            // j + k = degree leaves |j − k| with the parity of the degree.
            for (int turns = degree % 2; turns <= degree && filled < count; turns += 2) {
                double re = modulus * StrictMath.cos(turns * omega);
                double im = modulus * Math.abs(StrictMath.sin(turns * omega));
                values[filled++] = new double[] {re, im};
                if (turns > 0 && filled < count) {
                    values[filled++] = new double[] {re, -im};
                }
            }
        }
        return values;
    }
}
