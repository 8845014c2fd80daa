/**
 * The kept samples and the orthonormal basis they span. The Gram matrices of the paper's appendix appear here only
 * through their Cholesky factors; no Gram inverse is ever formed.
 */
package io.koopstream.dictionary;
