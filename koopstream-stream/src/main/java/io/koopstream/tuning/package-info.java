/** Settings: as a user says them, and as they are proposed from a warm-up window of samples, with reasons. */
package io.koopstream.tuning;
