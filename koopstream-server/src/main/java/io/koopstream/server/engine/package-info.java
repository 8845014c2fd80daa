/** Named models that learn for ever: a deterministic machine a model, behind a durable log, with immutable views for readers. */
package io.koopstream.server.engine;
