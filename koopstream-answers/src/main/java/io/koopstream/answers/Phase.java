package io.koopstream.answers;

/** How far a model has come. */
public enum Phase {
    /** It collects observations until its settings can be chosen from them. */
    WARMING,
    /** It learns. */
    LEARNING
}
