package io.koopstream.flink.job;

import java.util.Optional;

/**
 * Where models go, and when.
 *
 * @param topic a compacted topic whose newest record of a key is its newest model, or a pointer to it; empty: files alone
 * @param folder where model files go: all of them without a topic, those above {@code largestRecord} with one
 * @param every samples of a stream from one model to the next; in mode merged samples of each part
 * @param keep files kept of each stream
 * @param largestRecord bytes that a model may have to go into the topic itself
 */
record ModelTargetSettings(Optional<String> topic, String folder, long every, int keep, int largestRecord) {

    /** Below the megabyte that brokers and producers take unless told otherwise, with room for key and headers. */
    static final int DEFAULT_MAX_RECORD = 1_000_000;

    static Optional<ModelTargetSettings> of(Section publish) {
        return publish.optional("models").map(section -> {
            try (section) {
                return new ModelTargetSettings(
                        section.optionalText("topic"),
                        section.text("folder", "file:///data/models; models above largestRecord bytes go there"),
                        section.whole("every", 10_000, 1, Long.MAX_VALUE),
                        section.integer("keep", 3, 1),
                        section.integer("largestRecord", DEFAULT_MAX_RECORD, 0));
            }
        });
    }

    /** In words, for the plan. */
    String words() {
        String files = "safetensors files in " + folder + ", the last " + keep + " of each stream";
        return "every " + every + " samples of a stream to "
                + topic.map(name -> "topic " + name + " up to " + largestRecord + " bytes, larger ones as " + files)
                        .orElse(files);
    }
}
