/**
 * Scores of unusual observations: what was predicted one step before beside what came ({@code OneStep}), its rank among those before
 * ({@code TailDistribution}), and both joined with how well the state is known to one score per observation ({@code Scorer}).
 */
package io.koopstream.score;
