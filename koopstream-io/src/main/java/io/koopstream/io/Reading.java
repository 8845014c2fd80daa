package io.koopstream.io;

/**
 * The options that reading some data took, as a model keeps them for data that come later. Texts are empty where nothing was said.
 *
 * @param group the column that tells trajectories apart
 * @param time the column with the time, or {@code none}
 * @param resample regular times at which rows are made of those of the data
 * @param header {@code true} or {@code false}: whether the first line of a CSV names the columns
 */
public record Reading(String group, String time, String resample, String header) {

    /** Nothing was said. */
    public static final Reading NONE = new Reading("", "", "", "");
}
