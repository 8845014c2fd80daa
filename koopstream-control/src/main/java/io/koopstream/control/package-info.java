/**
 * Control of an unknown system from its transitions (section 7.2 of the paper): what to minimise in words, all settings together, the
 * staged loop, and the learned policy that a file holds. Environments are in {@code env}, the learner of the dynamics on
 * z = (state, action) in {@code dynamics}, planners on the dictionary's successor points and their policies in {@code plan}; each sees
 * only those named before it.
 */
package io.koopstream.control;
