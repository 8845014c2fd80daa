package io.koopstream.lab.speed;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Limits with the Vector API. Made by {@link Limits#best} through its name, so that everything else runs without the module. */
final class VectorLimits implements Limits {

    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    /** Two units with a latency of four cycles need eight; more hide a longer latency and still fit 16 registers. */
    private static final int CHAINS = 10;

    @Override
    public int operationsPerRound() {
        return 2 * CHAINS * LANES;
    }

    @Override
    public double fusedMultiplyAdds(int rounds) {
        DoubleVector a = DoubleVector.broadcast(SPECIES, 0.999);
        DoubleVector b = DoubleVector.broadcast(SPECIES, 1e-3);
        DoubleVector c0 = DoubleVector.broadcast(SPECIES, 1);
        DoubleVector c1 = DoubleVector.broadcast(SPECIES, 2);
        DoubleVector c2 = DoubleVector.broadcast(SPECIES, 3);
        DoubleVector c3 = DoubleVector.broadcast(SPECIES, 4);
        DoubleVector c4 = DoubleVector.broadcast(SPECIES, 5);
        DoubleVector c5 = DoubleVector.broadcast(SPECIES, 6);
        DoubleVector c6 = DoubleVector.broadcast(SPECIES, 7);
        DoubleVector c7 = DoubleVector.broadcast(SPECIES, 8);
        DoubleVector c8 = DoubleVector.broadcast(SPECIES, 9);
        DoubleVector c9 = DoubleVector.broadcast(SPECIES, 10);
        for (int i = 0; i < rounds; i++) {
            c0 = c0.fma(a, b);
            c1 = c1.fma(a, b);
            c2 = c2.fma(a, b);
            c3 = c3.fma(a, b);
            c4 = c4.fma(a, b);
            c5 = c5.fma(a, b);
            c6 = c6.fma(a, b);
            c7 = c7.fma(a, b);
            c8 = c8.fma(a, b);
            c9 = c9.fma(a, b);
        }
        DoubleVector sum = c0.add(c1)
                .add(c2)
                .add(c3)
                .add(c4)
                .add(c5)
                .add(c6)
                .add(c7)
                .add(c8)
                .add(c9);
        return sum.lane(0);
    }

    @Override
    public double read(double[] entries) {
        DoubleVector s0 = DoubleVector.zero(SPECIES);
        DoubleVector s1 = s0;
        DoubleVector s2 = s0;
        DoubleVector s3 = s0;
        int i = 0;
        for (; i + 4 * LANES <= entries.length; i += 4 * LANES) {
            s0 = s0.add(DoubleVector.fromArray(SPECIES, entries, i));
            s1 = s1.add(DoubleVector.fromArray(SPECIES, entries, i + LANES));
            s2 = s2.add(DoubleVector.fromArray(SPECIES, entries, i + 2 * LANES));
            s3 = s3.add(DoubleVector.fromArray(SPECIES, entries, i + 3 * LANES));
        }
        double rest = 0;
        for (; i < entries.length; i++) {
            rest += entries[i];
        }
        return rest + s0.add(s1).add(s2).add(s3).lane(0);
    }

    @Override
    public void readAndWrite(double[] entries, double c, double s, double[] u) {
        DoubleVector factor = DoubleVector.broadcast(SPECIES, c);
        DoubleVector weight = DoubleVector.broadcast(SPECIES, s);
        int n = u.length;
        for (int start = 0; start + n <= entries.length; start += n) {
            int i = 0;
            for (; i + LANES <= n; i += LANES) {
                DoubleVector.fromArray(SPECIES, entries, start + i)
                        .fma(factor, DoubleVector.fromArray(SPECIES, u, i).mul(weight))
                        .intoArray(entries, start + i);
            }
            for (; i < n; i++) {
                entries[start + i] = Math.fma(c, entries[start + i], s * u[i]);
            }
        }
    }
}
