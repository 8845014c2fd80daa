/** Algorithm 1 of the paper: sparse online gradient descent in the space of operators. */
package io.koopstream.learner.sogd;
