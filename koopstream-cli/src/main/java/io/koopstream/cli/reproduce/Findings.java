package io.koopstream.cli.reproduce;

import java.util.List;
import java.util.Map;

/**
 * What an experiment found.
 *
 * @param settings name and value of what it was run with
 * @param figures the numbers beside the paper's
 * @param pictures file name without ending, and caption, in the order to be shown; each exists as .png and .svg
 * @param remarks what a reader should know, one paragraph each
 * @param data whatever else belongs into results.json: maps, lists, arrays of numbers, strings
 */
public record Findings(
        Map<String, String> settings,
        List<Finding> figures,
        List<Picture> pictures,
        List<String> remarks,
        Map<String, Object> data) {

    /** A picture with the words below it. */
    public record Picture(String name, String caption) {}
}
