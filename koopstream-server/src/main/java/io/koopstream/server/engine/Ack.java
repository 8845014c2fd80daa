package io.koopstream.server.engine;

import io.koopstream.server.durable.Durability;

/**
 * The promise about a batch: it is in the log.
 *
 * @param accepted how many of its items are new
 * @param duplicates how many had come before, with the same contents; they have no effect
 * @param samples how many items the model has accepted in all
 * @param next the number expected next of the stream; -1 when the batch had no numbers
 * @param durability what the accepted items survive
 */
public record Ack(long accepted, long duplicates, long samples, long next, Durability durability) {}
