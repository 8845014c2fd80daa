package io.koopstream.lab.speed;

/**
 * What one thread of this machine can do, by loops that share nothing with the product code they are compared with. Two implementations, because the
 * machine's limit cannot be reached without vectors, and the module for vectors may be missing.
 */
interface Limits {

    /** How many operations {@link #fusedMultiplyAdds} does a round. */
    int operationsPerRound();

    /** Multiply-adds on values that never leave the registers and do not wait for each other; returns something that depends on all of them. */
    double fusedMultiplyAdds(int rounds);

    /** Reads all entries once, front to back. */
    double read(double[] entries);

    /** Reads and writes all entries once: each row of u.length entries becomes c row + s u. */
    void readAndWrite(double[] entries, double c, double s, double[] u);

    /** With vectors where the module is there, plain otherwise. */
    static Limits best() {
        try {
            return Class.forName("io.koopstream.lab.speed.VectorLimits")
                    .asSubclass(Limits.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError moduleIsMissing) {
            return new PlainLimits();
        }
    }
}
