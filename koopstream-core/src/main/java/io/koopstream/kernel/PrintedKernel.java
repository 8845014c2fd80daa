package io.koopstream.kernel;

/** A kernel whose text is what it prints. */
interface PrintedKernel extends Kernel {

    @Override
    default String text() {
        return toString();
    }
}
