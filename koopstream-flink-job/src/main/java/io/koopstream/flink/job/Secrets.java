package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that do not belong into a file of settings: {@code ${env:NAME}} and {@code ${file:PATH}} within a value stand for what is there. */
final class Secrets {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^}]+)}");

    private Secrets() {}

    /** The value with its references replaced; {@code field} is whose value it is, for messages, which never tell what was found. */
    static String resolved(String field, String value) {
        Matcher references = REFERENCE.matcher(value);
        return references.replaceAll(one -> Matcher.quoteReplacement(
                one.group(1).equals("env") ? environment(field, one.group(2)) : content(field, one.group(2))));
    }

    private static String environment(String field, String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new InvalidConfigException(field, "${env:" + name + "}", "no such environment variable here");
        }
        return value;
    }

    private static String content(String field, String path) {
        try {
            // Secrets in files mostly end with the line.
            return Files.readString(Path.of(path)).strip();
        } catch (IOException e) {
            throw new InvalidConfigException(field, "${file:" + path + "}", "this file cannot be read here: " + e);
        }
    }
}
