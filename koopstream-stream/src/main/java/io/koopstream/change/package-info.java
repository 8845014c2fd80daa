/** Changes of the dynamics, found in the one-step errors of a stream. */
package io.koopstream.change;
