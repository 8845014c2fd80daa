/**
 * Internal: the few dense primitives the core needs, on arrays of columns.
 *
 * <p>Every reduction has one fixed order (eight partial sums, one tree) and every product-sum is fused, so the same
 * samples give the same bits on every machine. Nothing here is part of the public API.
 */
package io.koopstream.internal.linalg;
