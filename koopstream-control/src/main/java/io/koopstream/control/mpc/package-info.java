/** Model-predictive control: a quadratic program over a horizon, its solver, and the predictors it asks. */
package io.koopstream.control.mpc;
