package io.koopstream.answers;

import io.koopstream.io.Json;

/**
 * Of which model an answer is; every answer begins with it.
 *
 * @param version pairs that it has seen: learned or held out; before it has learned, those that wait for settings
 * @param samples pairs learned
 */
public record Version(long version, long samples) implements Json.Part {}
