package io.koopstream.systems;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * One reproducible random stream per (seed, trajectory index).
 *
 * <p>The pair is hashed to the start of a SplitMix64 sequence (Steele, Lea, Flood, <i>Fast splittable pseudorandom number
 * generators</i>, OOPSLA 2014) whose next four values fill the state of xoshiro256++ (Blackman, Vigna, <i>Scrambled
 * linear pseudorandom number generators</i>, ACM TOMS 47, 2021), as the authors of the latter recommend.
 */
public final class TrajectoryStreams {

    /** The odd increment of SplitMix64: 2⁶⁴ divided by the golden ratio. */
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private TrajectoryStreams() {}

    /** A fresh generator at the beginning of the stream; equal arguments give equal streams. */
    public static UniformRandomProvider of(long seed, int index) {
        Checks.atLeast("index", index, 0, "number of the trajectory");
        // Every step is a bijection of 64 bits, so two indices under one seed never share a start; the outer mix keeps
        // the starts off one arithmetic progression, along which neighbouring streams would share state words.
        long position = mix(mix(seed) + index * GOLDEN_GAMMA);
        long[] state = new long[4];
        for (int i = 0; i < state.length; i++) {
            position += GOLDEN_GAMMA;
            state[i] = mix(position);
        }
        return RandomSource.XO_SHI_RO_256_PP.create(state);
    }

    /** The output function of SplitMix64 (variant 13 of Stafford's mixers). */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
