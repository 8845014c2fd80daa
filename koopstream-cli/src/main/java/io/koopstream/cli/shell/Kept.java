package io.koopstream.cli.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What earlier commands of this process have read from files: a program that asks about one file again and again through {@code Worker} does not wait for it
 * each time. A file that was changed is read anew. One thread.
 */
public final class Kept {

    private static final int MAX_FILES = 8;

    private record Key(Path file, long size, FileTime changed) {}

    private final Map<Key, Object> contents = new LinkedHashMap<>();

    /** The contents of a file: those that were read before, or what {@code read} makes of it. */
    public <T> T get(Path file, Class<T> type, Function<Path, T> read) {
        Key key;
        try {
            key = new Key(file.toAbsolutePath(), Files.size(file), Files.getLastModifiedTime(file));
        } catch (IOException e) {
            // The reader says what is wrong with it.
            return read.apply(file);
        }
        if (!type.isInstance(contents.get(key))) {
            T fresh = read.apply(file);
            if (contents.size() == MAX_FILES) {
                contents.remove(contents.keySet().iterator().next());
            }
            contents.put(key, fresh);
        }
        return type.cast(contents.get(key));
    }
}
