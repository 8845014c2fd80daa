package io.koopstream.flink.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Everything the job file says, checked.
 *
 * @param name the job's; part of its consumer group and of its transactions, so two jobs need two names
 * @param source where samples come from
 * @param learn how they are learned
 * @param predictions where predictions go, if anywhere
 * @param models where models go, if anywhere
 * @param drift where notices of drift go, if anywhere
 * @param scores where scores go, if anywhere
 * @param gaps where notices of missing records go, if anywhere
 * @param rejected where records go that were not learned from
 * @param run how the job runs
 * @param registry where schemas are, if records have some there
 */
record JobSettings(
        String name,
        SourceSettings source,
        MethodChoice learn,
        Optional<TargetSettings> predictions,
        Optional<ModelTargetSettings> models,
        Optional<TargetSettings> drift,
        Optional<TargetSettings> scores,
        Optional<TargetSettings> gaps,
        TargetSettings rejected,
        RunSettings run,
        Optional<SchemaRegistry> registry) {

    /** The settings in a file; an {@link io.koopstream.InvalidConfigException} names what is wrong and where. */
    static JobSettings read(Path file) throws IOException {
        return of(Section.read(file));
    }

    /** The settings in a text. */
    static JobSettings parse(String text) {
        return of(Section.parse(text));
    }

    private static JobSettings of(Section file) {
        try (file) {
            String name = file.text("name", "wells");
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,60}")) {
                throw file.wrong("name", name, "must be letters, digits, dots and dashes, at most 61");
            }
            Optional<SchemaRegistry> registry = SchemaRegistry.of(file);
            SourceSettings source = SourceSettings.of(file.section("source"), name, registry);
            Section publish = file.section("publish");
            Optional<TargetSettings> predictions;
            Optional<ModelTargetSettings> models;
            Optional<TargetSettings> drift;
            Optional<TargetSettings> scores;
            Optional<TargetSettings> gaps;
            TargetSettings rejected;
            try (publish) {
                predictions = TargetSettings.of(publish, "predictions", registry);
                models = ModelTargetSettings.of(publish);
                drift = TargetSettings.of(publish, "drift", registry);
                scores = TargetSettings.of(publish, "scores", registry);
                gaps = TargetSettings.of(publish, "gaps", registry);
                rejected = TargetSettings.of(publish, "rejected", registry)
                        .orElseThrow(
                                () -> publish.wrong(
                                        "rejected",
                                        null,
                                        "is missing; records that are not learned from must go somewhere, e.g. {topic: rejected}"));
                if (predictions.isEmpty() && models.isEmpty() && scores.isEmpty()) {
                    throw publish.wrong(
                            "models", null, "publish models, predictions or scores, or nobody sees what was learned");
                }
            }
            MethodChoice learn = MethodChoice.of(
                    file.optional("learn").orElseGet(() -> Section.empty("learn")),
                    source.layout(),
                    predictions.isPresent(),
                    drift.isPresent(),
                    scores.isPresent());
            RunSettings run =
                    file.optional("run").map(RunSettings::of).orElseGet(() -> RunSettings.of(Section.empty("run")));
            if (learn.mode() == MethodChoice.Mode.MERGED && models.isEmpty()) {
                throw file.wrong("publish.models", null, "mode merged produces only models; say where they go");
            }
            return new JobSettings(
                    name, source, learn, predictions, models, drift, scores, gaps, rejected, run, registry);
        }
    }
}
