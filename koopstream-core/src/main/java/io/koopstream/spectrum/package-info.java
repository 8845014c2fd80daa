/** What is read off the operator: eigenvalues, eigenfunctions, time scales, modes. */
package io.koopstream.spectrum;
