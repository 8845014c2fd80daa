/** Settings proposed from a warm-up window of samples, with reasons. */
package io.koopstream.tuning;
