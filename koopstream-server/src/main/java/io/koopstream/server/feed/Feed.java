package io.koopstream.server.feed;

/** A source that sends samples to a model from a thread of its own until it is closed. */
public interface Feed extends AutoCloseable {

    /** What it is, in a few words. */
    String description();

    /** Stops; what was sent stays sent. */
    @Override
    void close();
}
