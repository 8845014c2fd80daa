/**
 * The kept samples and the orthonormal basis they span: the basis ({@code NewtonBasis}), the rule by which points are kept under a cap
 * ({@code Dictionary}), what a dictionary sees of a point or of a block ({@code PointCoordinates}, {@code BlockCoordinates}), and what is kept as
 * a stored value ({@code KeptSamples}). The Gram matrices of the paper's appendix appear here only through their Cholesky factors; no Gram
 * inverse is ever formed.
 */
package io.koopstream.internal.dictionary;
