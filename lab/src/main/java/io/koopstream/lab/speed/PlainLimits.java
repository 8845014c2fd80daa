package io.koopstream.lab.speed;

/** Limits without the Vector API: what the compiler makes of plain loops. */
final class PlainLimits implements Limits {

    private static final int CHAINS = 8;

    @Override
    public int operationsPerRound() {
        return 2 * CHAINS;
    }

    @Override
    public double fusedMultiplyAdds(int rounds) {
        double a = 0.999;
        double b = 1e-3;
        double c0 = 1;
        double c1 = 2;
        double c2 = 3;
        double c3 = 4;
        double c4 = 5;
        double c5 = 6;
        double c6 = 7;
        double c7 = 8;
        for (int i = 0; i < rounds; i++) {
            c0 = Math.fma(c0, a, b);
            c1 = Math.fma(c1, a, b);
            c2 = Math.fma(c2, a, b);
            c3 = Math.fma(c3, a, b);
            c4 = Math.fma(c4, a, b);
            c5 = Math.fma(c5, a, b);
            c6 = Math.fma(c6, a, b);
            c7 = Math.fma(c7, a, b);
        }
        return c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7;
    }

    @Override
    public double read(double[] entries) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int i = 0;
        for (; i + 4 <= entries.length; i += 4) {
            s0 += entries[i];
            s1 += entries[i + 1];
            s2 += entries[i + 2];
            s3 += entries[i + 3];
        }
        for (; i < entries.length; i++) {
            s0 += entries[i];
        }
        return s0 + s1 + s2 + s3;
    }

    @Override
    public void readAndWrite(double[] entries, double c, double s, double[] u) {
        for (int start = 0; start + u.length <= entries.length; start += u.length) {
            for (int i = 0; i < u.length; i++) {
                entries[start + i] = c * entries[start + i] + s * u[i];
            }
        }
    }
}
