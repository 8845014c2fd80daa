package io.koopstream.server.engine;

/**
 * Whether a model goes on.
 *
 * @param state in one word
 * @param reason in words, with what to do; what was lost, or nothing, when it runs
 */
public record Health(State state, String reason) {

    /** It accepts, learns and answers. */
    public static final Health RUNNING = new Health(State.RUNNING, "");

    /** In one word. */
    public enum State {
        /** It accepts, learns and answers. */
        RUNNING,
        /** It accepts and answers, and learns what its log holds beyond its last snapshot; the reason says how far it is. */
        REPLAYING,
        /** It runs, but something is wrong that may pass, e.g. a full disk; the reason says what. */
        TROUBLED,
        /** It accepts nothing any more until the process is started anew; it still answers from its last view. */
        FAILED
    }
}
