package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.FolderExchange;
import io.koopstream.flink.KoopmanModel;
import io.koopstream.flink.LearnSettings;
import io.koopstream.flink.ModelMerge;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.nio.file.Path;
import java.time.Duration;
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
 * @param fanIn models that are put together in one place
 * @param merge how their models become one
 * @param settings for the operators, without what the publishing part adds
 * @param words what was chosen and why, for the plan
 */
record MethodChoice(
        Mode mode, int partitions, int fanIn, ModelMerge merge, LearnSettings.Builder settings, List<String> words) {

    private static final int DEFAULT_PARTITIONS = 4;
    private static final int DEFAULT_FAN_IN = 16;

    /** What there is one model of. */
    enum Mode {
        KEYED,
        MERGED
    }

    /** What becomes of keys that a savepoint has from other settings. */
    private enum Changed {
        REFUSE,
        NEW_KEYS
    }

    /** How the models of the parts become one. */
    private enum Merge {
        STATISTICS,
        OPERATORS
    }

    /** Words of older job files, and what to say instead. */
    private static final Map<String, String> RENAMED = Map.of(
            "interval", "is now called dt",
            "discount", "is now called driftDiscount",
            "refresh", "is no longer a setting: the predicting operator is refreshed as pairs arrive; leave it out");

    static MethodChoice of(Section section, RecordLayout layout, boolean predictions, boolean drift, boolean scores) {
        try (section) {
            Mode mode = section.choice("mode", Mode.class, Mode.KEYED);
            Map<String, String> given = new LinkedHashMap<>();
            for (String word : StreamOption.NAMES) {
                section.optionalText(word).ifPresent(value -> given.put(word, value));
            }
            Optional<String> warmStart = section.optionalText("warmStart");
            Optional<String> dictionary = section.optionalText("dictionary");
            Optional<String> exchange = section.optionalText("exchange");
            Changed changed = section.choice("changedSettings", Changed.class, Changed.REFUSE);
            if (changed == Changed.NEW_KEYS && mode == Mode.MERGED) {
                throw section.wrong(
                        "changedSettings",
                        Section.word(changed),
                        "is for mode keyed: the parts of one stream learn alike; leave it out");
            }
            Duration forgetAfter = section.duration("forgetAfter", Duration.ZERO);
            if (mode == Mode.MERGED && !forgetAfter.isZero()) {
                throw section.wrong("forgetAfter", forgetAfter, "belongs to mode keyed; leave it out");
            }
            Merge merge = section.choice("merge", Merge.class, Merge.STATISTICS);
            double budget = budget(section);
            int partitions = section.integer("partitions", DEFAULT_PARTITIONS, 1);
            requireTogether(section, mode, merge, dictionary.isPresent(), exchange.isPresent());
            RENAMED.forEach((old, rule) -> {
                if (section.unknown(old) != null) {
                    throw section.wrong(old, section.unknown(old), rule);
                }
            });
            List<String> words = new ArrayList<>();
            LearnSettings.Builder builder;
            ModelMerge how = merge == Merge.STATISTICS ? ModelMerge.statistics() : ModelMerge.operators(budget);
            try {
                StreamConfig stream = StreamConfig.parse(given);
                if (drift && !stream.drift()) {
                    throw section.wrong("drift", false, "publish.drift says where notices go; leave one of them out");
                }
                if (scores && !stream.scores()) {
                    throw section.wrong(
                            "scores",
                            false,
                            "publish.scores says where scores go; say scores: true, or leave that out");
                }
                builder = dictionary.isPresent() || warmStart.isPresent()
                        ? fromModel(section, dictionary.isPresent(), exchange.isPresent(), layout, words).stream(stream)
                        : cold(stream, mode, layout, words);
                if (exchange.isPresent()) {
                    StoredModel start = KoopmanModel.start(builder.build()).stored();
                    LeastSquaresState statistics = statistics(section, start);
                    int most = statistics.config().maxDictionary();
                    how = ModelMerge.growing(new FolderExchange(exchange.get()), most);
                    words.add("the dictionary grows up to " + most + " points, agreed on through " + exchange.get());
                    builder =
                            LearnSettings.startingFrom(new StoredModel(statistics.emptiedToGrow(), start.labels()))
                                    .stream(beyondMethod(stream));
                }
                // Says now what is wrong, in the words of the file.
                builder.predictions(predictions)
                        .newKeysOnly(changed == Changed.NEW_KEYS)
                        .forgetAfter(forgetAfter)
                        .cacheBytes(section.whole("cacheBytes", LearnSettings.DEFAULT_CACHE_BYTES, 0, Long.MAX_VALUE))
                        .build();
            } catch (InvalidConfigException e) {
                throw e.field().startsWith("learn.") ? e : section.wrong(e.field(), e.value(), e.rule());
            }
            return new MethodChoice(
                    mode,
                    mode == Mode.KEYED ? 1 : partitions,
                    // Averages of averages would take points out at every stage.
                    merge == Merge.STATISTICS ? DEFAULT_FAN_IN : Math.max(2, partitions),
                    how,
                    builder,
                    words);
        }
    }

    private static LeastSquaresState statistics(Section section, StoredModel start) {
        if (start.state() instanceof LeastSquaresState statistics) {
            return statistics;
        }
        throw section.wrong("exchange", section.text("exchange", ""), "belongs to method: least-squares");
    }

    /** What a model that one starts from does not have. */
    private static StreamConfig beyondMethod(StreamConfig stream) {
        Map<String, String> rest = new LinkedHashMap<>(stream.given());
        rest.keySet().removeAll(stream.givenForMethod().keySet());
        rest.keySet().removeAll(List.of("delays", "stride", "warmUp"));
        return StreamConfig.parse(rest);
    }

    private static void requireTogether(Section section, Mode mode, Merge merge, boolean dictionary, boolean exchange) {
        if (mode == Mode.KEYED) {
            for (String name : List.of("partitions", "merge", "budget", "dictionary", "exchange")) {
                if (section.has(name)) {
                    throw section.wrong(
                            name, section.optionalText(name).orElse(""), "belongs to mode merged; leave it out");
                }
            }
        } else if (dictionary && section.has("warmStart")) {
            throw section.wrong("warmStart", section.text("warmStart", ""), "give either a warm start or a dictionary");
        } else if (exchange && (merge != Merge.STATISTICS || section.has("warmStart"))) {
            throw section.wrong(
                    "exchange",
                    section.text("exchange", ""),
                    "belongs to merge: statistics, with a dictionary to begin with or none, and without a warm start");
        } else if (!exchange && dictionary != (merge == Merge.STATISTICS)) {
            throw section.wrong(
                    "dictionary",
                    section.optionalText("dictionary").orElse(null),
                    merge == Merge.STATISTICS
                            ? "is missing; statistics add up on one dictionary: run 'koop learn' on a sample and give its model, let it"
                                    + " grow through an exchange, or say merge: operators"
                            : "belongs to merge: statistics");
        }
    }

    private static LearnSettings.Builder cold(StreamConfig stream, Mode mode, RecordLayout layout, List<String> words) {
        if (stream.choosesKernel()) {
            if (mode == Mode.MERGED) {
                throw new InvalidConfigException(
                        "kernel",
                        null,
                        "is missing; the parts of one stream agree on it before the stream begins: run 'koop learn' on a sample of it,"
                                + " which proposes one, or give its model as warmStart");
            }
            words.add("every stream chooses its own settings from its first " + stream.warmUp() + " records"
                    + (stream.givenForMethod().isEmpty() ? "" : ", but " + stream.givenForMethod()));
        } else {
            LearningStream one = LearningStream.of(stream, layout.dimension());
            one.explained().forEach(line -> words.add(line.name() + " = " + line.value() + " (" + line.reason() + ")"));
            one.warnings().forEach(warning -> words.add("note: " + warning));
        }
        LearnSettings.Builder builder = LearnSettings.of(stream, layout.dimension());
        return layout.arrays() ? builder : builder.names(layout.state());
    }

    private static LearnSettings.Builder fromModel(
            Section section, boolean dictionaryAlone, boolean grows, RecordLayout layout, List<String> words) {
        String name = dictionaryAlone ? "dictionary" : "warmStart";
        String file = section.text(name, "wells.safetensors");
        StoredModel model = ModelFile.load(Path.of(file)).requireColumns();
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
            words.add("every stream continues from " + file + ", which has learned "
                    + model.state().samples() + " samples");
            return LearnSettings.startingFrom(model);
        }
        if (!(model.state() instanceof LeastSquaresState statistics)) {
            throw section.wrong(
                    name, file, "was learned with sogd, which has no statistics; learn it with least-squares");
        }
        words.add("dictionary of " + statistics.settled().dictionarySize() + " points from " + file);
        return LearnSettings.startingFrom(
                new StoredModel(grows ? statistics.emptied() : statistics.dictionaryOnly(), model.labels()));
    }

    private static double budget(Section section) {
        String text = section.optionalText("budget").orElse("0");
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw section.wrong("budget", text, "must be a number");
        }
    }
}
