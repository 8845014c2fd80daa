/** The convergence theory of the paper (section 6) as software: which statement applies to which settings, and what it bounds. */
package io.koopstream.theory;
