package io.koopstream.io;

/**
 * The options that reading some data took, as a model keeps them for data that come later. Texts are empty where nothing was said.
 *
 * @param group the column that tells trajectories apart
 * @param time the column with the time, or {@code none}
 * @param resample regular times at which rows are made of those of the data
 */
public record Reading(String group, String time, String resample) {

    /** Nothing was said. */
    public static final Reading NONE = new Reading("", "", "");
}
