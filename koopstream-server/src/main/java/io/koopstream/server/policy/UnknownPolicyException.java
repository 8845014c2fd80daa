package io.koopstream.server.policy;

import io.koopstream.KoopstreamException;

/** A name that no policy has. */
public final class UnknownPolicyException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** @param why what is known of that name, and what to do */
    UnknownPolicyException(String why) {
        super(why);
    }
}
