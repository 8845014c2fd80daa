/**
 * Test support to be used by every module: abstract suites that an implementation of a core interface must pass
 * ({@link io.koopstream.testkit.KernelContract}, {@link io.koopstream.testkit.LearnerContract}), seeded generators of streams and of
 * hard Gram matrices, and the paper's Algorithm 1 written down literally ({@link io.koopstream.testkit.LiteralSogd}).
 */
package io.koopstream.testkit;
