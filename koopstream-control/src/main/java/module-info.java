/** Environments, planners and policies on a learned transition operator. */
module io.koopstream.control {
    requires transitive io.koopstream.core;

    exports io.koopstream.control;
    exports io.koopstream.control.dynamics;
    exports io.koopstream.control.env;
    exports io.koopstream.control.mpc;
    exports io.koopstream.control.plan;
}
