package io.koopstream.io.samples;

/** The libraries that are no modules and so are on the class path: those for Parquet, Brotli and zstd. */
final class ClassPathLibraries {

    private ClassPathLibraries() {}

    /** Lets this module read them, before any of their types is met; nothing is to be done where this code is on the class path itself. */
    static void open() {
        Class<?> here = ClassPathLibraries.class;
        here.getModule().addReads(here.getClassLoader().getUnnamedModule());
    }
}
