/** One description of a state for writing, reading and copying it. */
package io.koopstream.internal.parts;
