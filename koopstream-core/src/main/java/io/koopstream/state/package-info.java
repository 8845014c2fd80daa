/** One way to store any state: its parts go into a {@link io.koopstream.state.StateSink} by name and come back from a {@link io.koopstream.state.StateSource}. */
package io.koopstream.state;
