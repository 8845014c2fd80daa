package io.koopstream.score;

/** Schedule by which the predictor of pairs that are not learned yet is taken anew from the learner. */
public final class Renewal {

    /** Pairs for which it serves at most: the model has learned much from as many, even where they are few beside those before. */
    private static final long MAX_USE = 16_384;

    /** The size of a dictionary up to which taking it costs little beside learning {@value #MAX_USE} pairs. */
    private static final int SMALL_DICTIONARY = 128;

    private Renewal() {}

    /**
     * The pair before which it is next: when those that tell of the present dynamics have grown by a quarter, and at least every {@value #MAX_USE}, or
     * more for large dictionaries, for which it costs more.
     *
     * @param pairs pairs so far
     * @param age those that tell of the present dynamics
     * @param least pairs for which it serves at least
     * @param kept the size of the dictionary
     */
    public static long after(long pairs, long age, long least, int kept) {
        long most = MAX_USE * Math.max(1, kept / SMALL_DICTIONARY);
        return pairs + Math.min(Math.max(age / 4, least), most);
    }
}
