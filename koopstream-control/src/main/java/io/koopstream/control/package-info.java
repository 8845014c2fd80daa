/**
 * Control of an unknown system from its transitions (section 6.2 of the paper): environments with Gymnasium's conventions, a
 * learner of the dynamics on z = (state, action), planners on the dictionary's successor points, policies, and a
 * dynamic-programming reference that knows the true model.
 */
package io.koopstream.control;
