/** Answers of a learned model as records: from a model file and from a live stream alike, for people and for programs. */
package io.koopstream.answers;
