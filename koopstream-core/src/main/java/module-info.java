/** The Koopman operator of a stream: kernels, learners, operators and spectra. Internal packages are for the project's own modules. */
module io.koopstream.core {
    exports io.koopstream;
    exports io.koopstream.kernel;
    exports io.koopstream.learner;
    exports io.koopstream.learner.leastsquares;
    exports io.koopstream.learner.sogd;
    exports io.koopstream.operator;
    exports io.koopstream.spectrum;
    exports io.koopstream.state;
    exports io.koopstream.internal.dictionary to
            io.koopstream.answers,
            io.koopstream.control,
            io.koopstream.experiments,
            io.koopstream.io,
            io.koopstream.stream;
    exports io.koopstream.internal.learner to
            io.koopstream.control,
            io.koopstream.stream;
    exports io.koopstream.internal.linalg to
            io.koopstream.control,
            io.koopstream.experiments,
            io.koopstream.io,
            io.koopstream.stream;
    exports io.koopstream.internal.text to
            io.koopstream.control,
            io.koopstream.experiments,
            io.koopstream.io,
            io.koopstream.stream;
}
