package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Preparation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a model file says of its coordinates: names, delays, what was done to observations, and times. */
final class LabelTexts {

    private static final String NAMES = "names";
    private static final String DELAYS = "delays";
    private static final String STRIDE = "stride";
    private static final String INTERVAL = "interval";
    private static final String MAX_GAP = "max_gap";
    private static final String TIME_STYLE = "time_style";
    private static final String GROUP = "group";
    private static final String TIME_COLUMN = "time_column";
    private static final String RESAMPLE = "resample";
    private static final String HEADER = "header";
    /** Words of {@link Preparation}. */
    private static final Set<String> PREPARATION = Set.of("calendar", "difference", "inputs", "log");

    /** All keys; a file has those that say something. */
    static final Set<String> KEYS = Set.of(
            NAMES,
            DELAYS,
            STRIDE,
            INTERVAL,
            MAX_GAP,
            TIME_STYLE,
            GROUP,
            TIME_COLUMN,
            RESAMPLE,
            HEADER,
            "calendar",
            "difference",
            "inputs",
            "log");

    private LabelTexts() {}

    static void put(StateLabels labels, Map<String, String> texts) {
        if (!labels.names().isEmpty()) {
            texts.put(NAMES, labels.text());
        }
        if (labels.delays() > 0) {
            texts.put(DELAYS, Integer.toString(labels.delays()));
            texts.put(STRIDE, Integer.toString(labels.stride()));
        }
        texts.putAll(labels.preparation().words());
        if (labels.time().interval() > 0) {
            texts.put(INTERVAL, Decimals.text(labels.time().interval()));
        }
        MaxGap maxGap = labels.time().maxGap();
        if (!maxGap.isNone()) {
            texts.put(MAX_GAP, maxGap.weekends() ? maxGap.text() : Decimals.text(maxGap.time()));
        }
        if (!labels.time().style().isEmpty()) {
            texts.put(TIME_STYLE, labels.time().style());
        }
        Reading reading = labels.reading();
        Map.of(
                        GROUP,
                        reading.group(),
                        TIME_COLUMN,
                        reading.time(),
                        RESAMPLE,
                        reading.resample(),
                        HEADER,
                        reading.header())
                .forEach((key, said) -> {
                    if (!said.isEmpty()) {
                        texts.put(key, StateLabels.escaped(said));
                    }
                });
    }

    /** What the coordinates are called; nothing in files that do not say. */
    static StateLabels read(ModelMetadata texts) {
        boolean delayed = texts.has(DELAYS);
        int delays = delayed ? texts.dimension(DELAYS) : 0;
        // A stride without delays means nothing, so it must not be there.
        int stride = delayed || texts.has(STRIDE) ? texts.dimension(STRIDE) : 1;
        boolean named = texts.has(NAMES);
        String blamed = named ? NAMES : delayed ? DELAYS : ModelMetadata.INPUT_DIMENSION;
        StateLabels labels;
        try {
            labels = new StateLabels(
                    named ? StateLabels.parse(texts.text(NAMES).value()) : List.of(),
                    delays,
                    stride,
                    preparation(texts),
                    time(texts),
                    reading(texts));
        } catch (IllegalArgumentException e) {
            throw texts.fault(blamed, "names of coordinates, and times", e.getMessage());
        }
        int dimension = texts.dimension(ModelMetadata.INPUT_DIMENSION);
        if (!labels.fits(dimension) || (!delayed && stride != 1)) {
            throw texts.fault(
                    blamed,
                    "labels for " + dimension + " coordinates",
                    labels.names().size() + " names with " + delays + " delays");
        }
        return labels;
    }

    private static Preparation preparation(ModelMetadata texts) {
        Map<String, String> words = new TreeMap<>();
        for (String key : PREPARATION) {
            if (texts.has(key)) {
                words.put(key, texts.text(key).value());
            }
        }
        return words.isEmpty()
                ? Preparation.NONE
                : texts.legal(words.keySet().iterator().next(), () -> {
                    Preparation preparation = Preparation.of(words);
                    if (!preparation.words().equals(words)) {
                        throw new InvalidConfigException(
                                "preparation", words, "must be written as " + preparation.words());
                    }
                    return preparation;
                });
    }

    private static Reading reading(ModelMetadata texts) {
        return new Reading(said(texts, GROUP), said(texts, TIME_COLUMN), said(texts, RESAMPLE), said(texts, HEADER));
    }

    private static String said(ModelMetadata texts, String key) {
        if (!texts.has(key)) {
            return "";
        }
        String text = texts.text(key).value();
        String plain = StateLabels.plain(text);
        if (plain.isEmpty() || !StateLabels.escaped(plain).equals(text)) {
            throw new IllegalArgumentException(key + " is '" + text + "'");
        }
        return plain;
    }

    private static MaxGap maxGap(ModelMetadata texts) {
        if (!texts.has(MAX_GAP)) {
            return MaxGap.NONE;
        }
        boolean weekends = texts.text(MAX_GAP).value().equals(MaxGap.WEEKENDS.text());
        return weekends ? MaxGap.WEEKENDS : new MaxGap(texts.decimal(MAX_GAP), false);
    }

    private static TimeAxis time(ModelMetadata texts) {
        return new TimeAxis(
                texts.has(INTERVAL) ? texts.decimal(INTERVAL) : Double.NaN,
                maxGap(texts),
                texts.has(TIME_STYLE) ? texts.text(TIME_STYLE).value() : "");
    }
}
