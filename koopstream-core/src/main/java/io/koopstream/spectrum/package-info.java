/** Spectral properties of the operator: eigenvalues, eigenfunctions, time scales, modes. */
package io.koopstream.spectrum;
