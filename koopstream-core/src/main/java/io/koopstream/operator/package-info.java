/**
 * The learned operator as an immutable value: the conditional mean embedding U and the Koopman operator K = U* as two
 * views of one thing (Theorem 2), elements of the RKHS they act on, norms and distances.
 */
package io.koopstream.operator;
