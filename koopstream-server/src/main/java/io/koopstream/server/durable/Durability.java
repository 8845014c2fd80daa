package io.koopstream.server.durable;

/** What an acknowledged sample survives. */
public enum Durability {
    /** A loss of power: it is synced to the disk before it is acknowledged. */
    FSYNC,
    /** The death of the process: it is with the operating system before it is acknowledged, and on the disk when that sees fit. */
    OS
}
