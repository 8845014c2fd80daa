package io.koopstream.flink.job;

import java.util.Optional;

/**
 * Where one kind of results goes: to a topic, or to files of JSON lines in a folder.
 *
 * @param topic empty when it goes to files
 * @param folder empty when it goes to a topic
 * @param format what a record of the topic is
 */
record TargetSettings(Optional<String> topic, Optional<String> folder, Format format) {

    /** What a result is in a topic. */
    enum Format {
        JSON,
        AVRO,
        PROTOBUF
    }

    static Optional<TargetSettings> of(Section publish, String name, Optional<SchemaRegistry> registry) {
        return publish.optional(name).map(section -> {
            try (section) {
                TargetSettings target = new TargetSettings(
                        section.optionalText("topic"),
                        section.optionalText("folder"),
                        section.choice("format", Format.class, Format.JSON));
                if (target.topic().isPresent() == target.folder().isPresent()) {
                    throw section.wrong("topic", target.topic().orElse(null), "give either a topic or a folder");
                }
                if (target.format() != Format.JSON && (target.topic().isEmpty() || registry.isEmpty())) {
                    throw section.wrong(
                            "format",
                            Section.word(target.format()),
                            target.topic().isEmpty()
                                    ? "files hold lines of JSON"
                                    : "needs a registry for its schema; say with registry.url where that is");
                }
                return target;
            }
        });
    }

    /** In words, for the plan. */
    String words() {
        return topic.map(name -> "topic " + name + (format == Format.JSON ? "" : " in " + Section.word(format)))
                .orElseGet(() -> "files in " + folder.orElseThrow());
    }
}
