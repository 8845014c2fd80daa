/** Benchmark systems with data sheets, exact spectra and seeds. */
module io.koopstream.systems {
    requires transitive org.apache.commons.rng.api;
    requires org.apache.commons.rng.sampling;
    requires org.apache.commons.rng.simple;

    exports io.koopstream.systems;
}
