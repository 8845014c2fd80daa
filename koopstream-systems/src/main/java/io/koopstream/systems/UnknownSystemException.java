package io.koopstream.systems;

import java.util.List;

/** No benchmark system has the id asked for; the message and {@link #knownIds()} list those that exist. */
public final class UnknownSystemException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final List<String> knownIds;

    UnknownSystemException(String id, List<String> knownIds) {
        super("unknown system '" + id + "': must be one of " + String.join(", ", knownIds)
                + " (without -v… for the newest version)");
        this.knownIds = List.copyOf(knownIds);
    }

    /** Every id that would have been accepted, in the registry's order. */
    public List<String> knownIds() {
        return knownIds;
    }
}
