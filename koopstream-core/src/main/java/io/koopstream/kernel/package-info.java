/**
 * Mercer kernels κ (section 2 of the paper) as values: pointwise, by Gram row, by Gram block, with the bound of
 * Assumption 1 and a text form that {@link io.koopstream.kernel.Kernels#parse} reads back.
 */
package io.koopstream.kernel;
