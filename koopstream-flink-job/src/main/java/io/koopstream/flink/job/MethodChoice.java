package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.LearnSettings;
import io.koopstream.flink.ModelMerge;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.MethodSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part {@code learn} of the job file: how every stream learns, in the words of {@code koop learn}.
 *
 * @param mode a model for each key, or one for all
 * @param partitions learners that share one big stream; 1 for mode keyed
 * @param merge how their models become one
 * @param settings for the operators, without what the publishing part adds
 * @param words what was chosen and why, for the plan
 */
record MethodChoice(Mode mode, int partitions, ModelMerge merge, LearnSettings.Builder settings, List<String> words) {

    /** What there is one model of. */
    enum Mode {
        KEYED("keyed"),
        MERGED("merged");

        private final String word;

        Mode(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** How the models of the parts become one. */
    private enum Merge {
        STATISTICS("statistics"),
        OPERATORS("operators");

        private final String word;

        Merge(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    static MethodChoice of(Section section, RecordLayout layout, boolean predictions, boolean drift) {
        try (section) {
            Mode mode = section.choice("mode", Mode.class, Mode.KEYED);
            int delays = section.integer("delays", 0, 0);
            int stride = section.integer("stride", 1, 1);
            Map<String, String> given = new LinkedHashMap<>();
            for (String word : MethodSettings.NAMES) {
                section.optionalText(word).ifPresent(value -> given.put(word, value));
            }
            Optional<String> warmStart = section.optionalText("warmStart");
            Optional<String> dictionary = section.optionalText("dictionary");
            Merge merge = section.choice("merge", Merge.class, Merge.STATISTICS);
            double budget =
                    number(section, "budget", section.optionalText("budget").orElse("0"));
            int partitions = section.integer("partitions", 4, 1);
            requireTogether(section, mode, merge, dictionary.isPresent());
            List<String> words = new ArrayList<>();
            LearnSettings.Builder builder;
            if (dictionary.isPresent() || warmStart.isPresent()) {
                builder = fromModel(section, dictionary.isPresent(), given, layout, words);
                if (delays > 0) {
                    throw section.wrong("delays", delays, "the model has its own; leave it out");
                }
            } else {
                builder = cold(section, given, layout.dimension(), delays, words);
                builder.delays(delays, stride);
                if (!layout.arrays()) {
                    builder.names(layout.state());
                }
            }
            section.optionalText("interval").ifPresent(text -> builder.interval(number(section, "interval", text)));
            builder.openTrajectories(section.integer("openTrajectories", LearnSettings.USUAL_OPEN_TRAJECTORIES, 1));
            if (predictions || drift) {
                DriftConfig usual = DriftConfig.defaults();
                double discount = number(
                        section, "discount", section.optionalText("discount").orElse("1"));
                builder.drift(
                        new DriftConfig(
                                usual.warmup(),
                                usual.block(),
                                usual.baseline(),
                                usual.slack(),
                                usual.threshold(),
                                section.integer("refresh", usual.refresh(), 1)),
                        discount);
                builder.predictions(predictions);
            } else {
                builder.unwatched();
            }
            return new MethodChoice(
                    mode,
                    mode == Mode.KEYED ? 1 : partitions,
                    merge == Merge.STATISTICS ? ModelMerge.statistics() : ModelMerge.operators(budget),
                    builder,
                    words);
        }
    }

    private static void requireTogether(Section section, Mode mode, Merge merge, boolean dictionary) {
        if (mode == Mode.KEYED) {
            for (String name : List.of("partitions", "merge", "budget", "dictionary")) {
                if (section.has(name)) {
                    throw section.wrong(
                            name, section.optionalText(name).orElse(""), "belongs to mode merged; leave it out");
                }
            }
        } else if (dictionary && section.has("warmStart")) {
            throw section.wrong("warmStart", section.text("warmStart", ""), "give either a warm start or a dictionary");
        } else if (dictionary != (merge == Merge.STATISTICS)) {
            throw section.wrong(
                    "dictionary",
                    section.optionalText("dictionary").orElse(null),
                    merge == Merge.STATISTICS
                            ? "is missing; statistics add up on one dictionary: run 'koop learn' on a sample and give its model, or say"
                                    + " merge: operators"
                            : "belongs to merge: statistics");
        }
    }

    private static LearnSettings.Builder cold(
            Section section, Map<String, String> given, int observed, int delays, List<String> words) {
        MethodSettings method;
        ChosenSettings chosen;
        try {
            method = MethodSettings.of(given);
            if (method.wantsProposal()) {
                throw new InvalidConfigException(
                        "kernel",
                        null,
                        "is missing; a job does not look at data before it starts: run 'koop learn' on a sample of it, which proposes"
                                + " one, or give its model as warmStart");
            }
            chosen = method.choose(DelayEmbedding.dimension(observed, delays), observed, null);
        } catch (InvalidConfigException e) {
            throw section.wrong(e.field(), e.value(), e.rule());
        }
        chosen.explained().forEach(line -> words.add(line.name() + " = " + line.value() + " (" + line.reason() + ")"));
        chosen.config().warnings().forEach(warning -> words.add("note: " + warning));
        return LearnSettings.of(chosen);
    }

    private static LearnSettings.Builder fromModel(
            Section section,
            boolean dictionaryAlone,
            Map<String, String> given,
            RecordLayout layout,
            List<String> words) {
        String name = dictionaryAlone ? "dictionary" : "warmStart";
        String file = section.text(name, "wells.safetensors");
        if (!given.isEmpty()) {
            String word = given.keySet().iterator().next();
            throw section.wrong(word, given.get(word), "the model has its own settings; leave this out");
        }
        StoredModel model = ModelFile.load(Path.of(file));
        int observed = model.state().input().dimension() / (model.labels().delays() + 1);
        if (observed != layout.dimension()) {
            throw section.wrong(
                    name,
                    file,
                    "was learned from " + observed + " coordinates, source.state has " + layout.dimension());
        }
        List<String> names = model.labels().names();
        if (!names.isEmpty() && !layout.arrays() && !names.equals(layout.state())) {
            throw section.wrong(
                    name,
                    file,
                    "its coordinates are " + names + ", source.state is " + layout.state() + "; order matters");
        }
        words.add("kernel = " + model.state().input().kernel().text());
        if (!dictionaryAlone) {
            words.add("every stream goes on from " + file + ", which has learned "
                    + model.state().samples() + " samples");
            return LearnSettings.startingFrom(model);
        }
        if (!(model.state() instanceof LeastSquaresState statistics)) {
            throw section.wrong(
                    name, file, "was learned with sogd, which has no statistics; learn it with least-squares");
        }
        words.add("dictionary of " + statistics.settled().dictionarySize() + " points from " + file);
        return LearnSettings.startingFrom(new StoredModel(statistics.dictionaryOnly(), model.labels()));
    }

    private static double number(Section section, String name, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw section.wrong(name, text, "must be a number");
        }
    }
}
