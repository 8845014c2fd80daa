package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;

/** The disk is full. Nothing of what was to be written counts; it can be written again once there is space. */
public final class StorageFullException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /**
     * @param what what could not be written
     * @param cause the error of the disk
     */
    public StorageFullException(String what, Throwable cause) {
        super("the disk is full: " + what + " was not written; free some space and try again", cause);
    }
}
