/** Where an action leads: models of the successor, and the learner of them from transitions. */
package io.koopstream.control.dynamics;
