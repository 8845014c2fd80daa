package io.koopstream.answers;

/** Stages of a model. */
public enum Phase {
    /** It collects observations until its settings can be chosen from them. */
    WARMING,
    /** It learns. */
    LEARNING
}
