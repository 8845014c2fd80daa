package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.util.TimeUtils;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * One mapping of the job file. Every read names what it expects; {@link #close()} refuses whatever nobody asked for, so that a misspelt field
 * is an error and not a silent default.
 */
final class Section implements AutoCloseable {

    private static final int MAX_FILE_BYTES = 1 << 20;

    private final String path;
    private final Map<String, Object> values;
    private final Set<String> known = new LinkedHashSet<>();

    private Section(String path, Map<String, Object> values) {
        this.path = path;
        this.values = values;
    }

    /** The whole file. */
    static Section read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new InvalidConfigException("file", file, "is larger than 1 MiB; no job file is");
        }
        return parse(Files.readString(file));
    }

    /** A text instead of a file. */
    static Section parse(String text) {
        Object document;
        try {
            document = new Load(LoadSettings.builder()
                            .setLabel("job file")
                            .setAllowDuplicateKeys(false)
                            .build())
                    .loadFromString(text);
        } catch (YamlEngineException e) {
            throw new InvalidConfigException("file", "YAML", "cannot be read: " + oneLine(e.getMessage()));
        }
        if (document == null) {
            throw new InvalidConfigException("file", "", "is empty; docs/flink-job.md shows a whole one");
        }
        return new Section("", mapping("file", document));
    }

    /** A part of the file that was left out. */
    static Section empty(String path) {
        return new Section(path, Map.of());
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    private static Map<String, Object> mapping(String path, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new InvalidConfigException(path, value, "must be a mapping of fields, e.g. {topic: samples}");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((key, field) -> fields.put(String.valueOf(key), field));
        return fields;
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private Object value(String name) {
        known.add(name);
        return values.get(name);
    }

    /** What is given for a field that there is not, or null; asking does not make it one that there is. */
    Object unknown(String name) {
        return values.get(name);
    }

    boolean has(String name) {
        return value(name) != null;
    }

    /** A text that must be there. */
    String text(String name, String example) {
        return optionalText(name)
                .orElseThrow(() -> new InvalidConfigException(at(name), null, "is missing; e.g. " + example));
    }

    /** A text, or a number or a truth value as it would be written. */
    Optional<String> optionalText(String name) {
        Object value = value(name);
        if (value instanceof Map || value instanceof Iterable) {
            throw new InvalidConfigException(at(name), value, "must be a string or a number");
        }
        if (value != null && String.valueOf(value).isBlank()) {
            throw new InvalidConfigException(at(name), value, "is empty; leave the field out, or give a value");
        }
        return Optional.ofNullable(value).map(String::valueOf);
    }

    /** The bytes of a file that must be there; it is read where the job is submitted. */
    byte[] file(String name, String example) {
        String path = text(name, example);
        try {
            return Files.readAllBytes(Path.of(path));
        } catch (IOException | InvalidPathException e) {
            throw new InvalidConfigException(at(name), path, "this file cannot be read here: " + e);
        }
    }

    /** The word of the job file for one of a choice. */
    static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** One of a few words. */
    <E extends Enum<E>> E choice(String name, Class<E> words, E usual) {
        Optional<String> text = optionalText(name);
        if (text.isEmpty()) {
            return usual;
        }
        List<String> names = new ArrayList<>();
        for (E word : words.getEnumConstants()) {
            if (word(word).equals(text.get())) {
                return word;
            }
            names.add(word(word));
        }
        throw new InvalidConfigException(at(name), text.get(), "must be one of " + String.join(", ", names));
    }

    /** A list of texts, which may be written as one text when it has one element; empty when it is not there. */
    List<String> texts(String name) {
        Object value = value(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            return List.of(optionalText(name).orElseThrow());
        }
        List<String> texts = new ArrayList<>();
        for (Object element : list) {
            if (element == null || element instanceof Map || element instanceof Iterable) {
                throw new InvalidConfigException(at(name), value, "must be a list of strings");
            }
            texts.add(String.valueOf(element));
        }
        if (new LinkedHashSet<>(texts).size() < texts.size()) {
            throw new InvalidConfigException(at(name), value, "names something twice");
        }
        return List.copyOf(texts);
    }

    long whole(String name, long usual, long least, long most) {
        Object value = value(name);
        if (value == null) {
            return usual;
        }
        boolean whole = value instanceof Integer || value instanceof Long;
        if (!whole || ((Number) value).longValue() < least || ((Number) value).longValue() > most) {
            throw new InvalidConfigException(
                    at(name),
                    value,
                    "must be a whole number from " + least + " to " + most + "; the default is " + usual);
        }
        return ((Number) value).longValue();
    }

    int integer(String name, int usual, int least) {
        return (int) whole(name, usual, least, Integer.MAX_VALUE);
    }

    boolean flag(String name, boolean usual) {
        Object value = value(name);
        if (value == null) {
            return usual;
        }
        if (!(value instanceof Boolean flag)) {
            throw new InvalidConfigException(at(name), value, "must be true or false");
        }
        return flag;
    }

    /** A span of time such as {@code 10 s}. */
    Duration duration(String name, Duration usual) {
        Optional<String> text = optionalText(name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            Duration duration = TimeUtils.parseDuration(text.get());
            if (!duration.isZero() && !duration.isNegative()) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            // Said below in the words of the file.
        }
        throw new InvalidConfigException(at(name), text.get(), "must be a duration > 0 with a unit, e.g. 10 s");
    }

    /** Names to texts, for the settings of others that are passed on as they are, but for {@link Secrets}. */
    Map<String, String> passedOn(String name) {
        Object value = value(name);
        Map<String, String> texts = new LinkedHashMap<>();
        if (value != null) {
            mapping(at(name), value).forEach((key, field) -> {
                if (field == null || field instanceof Map || field instanceof Iterable) {
                    throw new InvalidConfigException(at(name) + "." + key, field, "must be a string or a number");
                }
                texts.put(key, Secrets.resolved(at(name) + "." + key, String.valueOf(field)));
            });
        }
        return texts;
    }

    /** A mapping below this one, if it is there. */
    Optional<Section> optional(String name) {
        Object value = value(name);
        return value == null ? Optional.empty() : Optional.of(new Section(at(name), mapping(at(name), value)));
    }

    /** A mapping below this one that must be there. */
    Section section(String name) {
        return optional(name)
                .orElseThrow(() -> new InvalidConfigException(at(name), null, "this part is missing in the job file"));
    }

    /** An error about one of its fields. */
    InvalidConfigException wrong(String name, Object value, String rule) {
        return new InvalidConfigException(at(name), value, rule);
    }

    /** Refuses fields that nobody asked for. */
    @Override
    public void close() {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new InvalidConfigException(
                        at(name), values.get(name), "no such field; there are " + String.join(", ", known));
            }
        }
    }
}
