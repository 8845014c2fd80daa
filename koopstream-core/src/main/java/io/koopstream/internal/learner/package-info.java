/** Parts that the learning methods share. Not part of the API. */
package io.koopstream.internal.learner;
