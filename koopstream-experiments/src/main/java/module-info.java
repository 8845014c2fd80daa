/** The convergence theory of the paper, and its experiments as arithmetic: each is a function of its settings and a seed. */
module io.koopstream.experiments {
    requires transitive io.koopstream.control;
    requires transitive io.koopstream.systems;

    exports io.koopstream.experiments;
    exports io.koopstream.theory;
}
