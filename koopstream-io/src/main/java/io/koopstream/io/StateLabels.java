package io.koopstream.io;

import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Projection;
import io.koopstream.rows.Trajectories;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the coordinates of a model's states are called, and whether they are delay vectors. A model works without it; tables, pictures and
 * whoever opens the file later do not like to guess.
 *
 * @param names of the coordinates of an observation, in order; empty when they have none
 * @param delays how many earlier observations a state holds beside the present one, >= 0
 * @param stride steps between them, >= 1
 * @param preparation what is done to an observation before it is part of a state
 * @param time how times are counted and written
 * @param reading the options that reading the data took
 */
public record StateLabels(
        List<String> names, int delays, int stride, Preparation preparation, TimeAxis time, Reading reading) {

    /** Nothing is known. */
    public static final StateLabels NONE = new StateLabels(List.of(), 0, 1);

    /** The most characters that all names together may have in a file, commas and escapes included. */
    public static final int MAX_TEXT = 16_000;

    private static final String ESCAPED = "\"\\,%";

    /** Refuses names that are empty, repeated, too long in all, or that would break a line. */
    public StateLabels {
        names = List.copyOf(names);
        if (new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("two coordinates have one name: " + String.join(", ", names));
        }
        for (String name : names) {
            if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException(
                        "a coordinate is called '" + name.strip() + "': expected a name without line breaks");
            }
            requireEncodable(name, "a coordinate");
        }
        if (delays < 0 || stride < 1) {
            throw new IllegalArgumentException(
                    delays + " delays with stride " + stride + ": expected at least 0 and 1");
        }
        requireEncodable(reading.group(), "the column of trajectories");
        requireEncodable(reading.time(), "the column of times");
        if (!List.of("", "true", "false").contains(reading.header())) {
            throw new IllegalArgumentException("header '" + reading.header() + "': expected true or false");
        }
        if (text(names).length()
                        + escaped(reading.group()).length()
                        + escaped(reading.time()).length()
                > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "the names of the coordinates have more than " + MAX_TEXT + " characters in all");
        }
    }

    private static void requireEncodable(String name, String what) {
        String objection = EncodableText.objection(name);
        if (objection != null) {
            throw new IllegalArgumentException("the name of " + what + " " + objection);
        }
    }

    /** Data that were read without options. */
    public StateLabels(List<String> names, int delays, int stride, Preparation preparation, TimeAxis time) {
        this(names, delays, stride, preparation, time, Reading.NONE);
    }

    /** Observations as they are, without times. */
    public StateLabels(List<String> names, int delays, int stride) {
        this(names, delays, stride, Preparation.NONE, TimeAxis.NONE);
    }

    /** Names alone. */
    public static StateLabels of(List<String> names) {
        return new StateLabels(names, 0, 1);
    }

    /** One name a coordinate of the state: those given, or x1, x2, …; earlier observations with {@code _lag} and the number of steps. */
    public List<String> coordinates(int dimension) {
        List<String> prepared = preparation.names(observed(dimension));
        List<String> all = new ArrayList<>();
        for (int k = 0; k <= delays; k++) {
            for (String name : prepared) {
                all.add(k == 0 ? name : name + "_lag" + k * stride);
            }
        }
        return all;
    }

    /** The names of the coordinates of an observation, those given or x1, x2, …, when a state has so many. */
    public List<String> observed(int dimension) {
        int count = preparation.observed(dimension / (delays + 1));
        return names.isEmpty()
                ? IntStream.rangeClosed(1, count).mapToObj(c -> "x" + c).toList()
                : names;
    }

    /** Trajectories that make states of observations with so many coordinates, as the model was learned from. */
    public Trajectories newTrajectories(int observed) {
        boolean timed = time.interval() > 0;
        return new Trajectories(
                preparation,
                observed,
                null,
                delays,
                stride,
                timed ? time.interval() : Double.NaN,
                timed ? time.maxGap() : MaxGap.NONE,
                Trajectories.DEFAULT_OPEN);
    }

    /** Whether a state of this dimension can be labelled so. */
    boolean fits(int dimension) {
        int rest = dimension / (delays + 1) - preparation.dimension(0);
        return dimension % (delays + 1) == 0 && rest >= 1 && (names.isEmpty() || names.size() == rest);
    }

    /** Whether coordinates are called what a projection calls them; so they are where there is none. */
    boolean areOf(Projection projection) {
        return projection == null || names.equals(projection.names());
    }

    /** The names as one text of printable ASCII: commas between, everything else that is special as %XX of its UTF-8. */
    String text() {
        return text(names);
    }

    private static String text(List<String> names) {
        return names.stream().map(StateLabels::escaped).collect(Collectors.joining(","));
    }

    static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && ESCAPED.indexOf(b) < 0) {
                text.append((char) b);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return text.toString();
    }

    /** The names in a text; an {@link IllegalArgumentException} says what is wrong with it. */
    static List<String> parse(String text) {
        List<String> names = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            names.add(plain(part));
        }
        if (!text(names).equals(text)) {
            throw new IllegalArgumentException("names are escaped in another way than version 1 does");
        }
        return names;
    }

    /** Inverse of {@link #escaped}. */
    static String plain(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                bytes.put((byte) c);
            } else if (i + 2 < text.length()) {
                bytes.put((byte) HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                throw new IllegalArgumentException("a name ends within an escape");
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a name is not UTF-8", e);
        }
    }
}
