package io.koopstream.systems;

import java.util.List;

/**
 * What a table of systems says about one of them.
 *
 * @param id name and version, such as {@code fourwell-v1}
 * @param dt sampling interval between two states, in the time unit that the system's documentation names
 * @param coordinateNames one short name a coordinate, usable as column headers
 * @param description one line saying what the system is
 */
public record DataSheet(String id, double dt, List<String> coordinateNames, String description) {

    /** Takes a copy of the names. */
    public DataSheet {
        coordinateNames = List.copyOf(coordinateNames);
    }
}
