package io.koopstream.flink.job;

import java.util.Optional;

/**
 * Where one kind of results goes: to a topic, or to files of JSON lines in a folder.
 *
 * @param topic empty when it goes to files
 * @param folder empty when it goes to a topic
 */
record TargetSettings(Optional<String> topic, Optional<String> folder) {

    static Optional<TargetSettings> of(Section publish, String name) {
        return publish.optional(name).map(section -> {
            try (section) {
                TargetSettings target =
                        new TargetSettings(section.optionalText("topic"), section.optionalText("folder"));
                if (target.topic().isPresent() == target.folder().isPresent()) {
                    throw section.wrong("topic", target.topic().orElse(null), "give either a topic or a folder");
                }
                return target;
            }
        });
    }

    /** In words, for the plan. */
    String words() {
        return topic.map(name -> "topic " + name).orElseGet(() -> "files in " + folder.orElseThrow());
    }
}
