/**
 * The theory of the paper as software: the risk and its minimiser on stored pairs (sections 3 and 5), the norms that errors are measured in, and of the
 * convergence theory (section 6) which statement applies to which settings, and what it bounds.
 */
package io.koopstream.theory;
