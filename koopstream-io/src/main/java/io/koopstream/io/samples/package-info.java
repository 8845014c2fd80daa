/**
 * Samples in files and streams. Every reader streams: a file larger than memory is fine, a stream without end too. Nothing here pairs
 * states that do not follow each other.
 */
package io.koopstream.io.samples;
