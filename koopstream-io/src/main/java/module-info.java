/** Samples and models on disk. Parquet's jars, Brotli and aircompressor are read from the class path: they are no modules. */
module io.koopstream.io {
    requires ch.randelshofer.fastdoubleparser;
    requires de.siegmar.fastcsv;
    requires transitive io.koopstream.stream;
    requires tools.jackson.core;

    exports io.koopstream.io;
    exports io.koopstream.io.samples;
}
