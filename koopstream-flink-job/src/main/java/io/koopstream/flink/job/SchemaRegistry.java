package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.io.Json;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A client of a schema registry, by the HTTP interface of Confluent's that others speak as well. A record with a schema there begins with the
 * byte 0 and the schema's number in four bytes, the highest first.
 */
final class SchemaRegistry implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Bytes before the record itself. */
    static final int HEADER = 5;

    private static final String TYPE = "application/vnd.schemaregistry.v1+json";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 4;
    /** So long is it believed that a number means nothing. */
    private static final Duration UNKNOWN_FOR = Duration.ofMinutes(1);

    private static final int MAX_UNKNOWN = 10_000;

    private final String url;
    /** Name and password with a colon between them; null: none are asked for. */
    private final String login;

    private transient HttpClient client;
    /** Numbers that mean nothing, and until when that is believed. */
    private transient Map<Integer, Long> unknown;

    private SchemaRegistry(String url, String login) {
        this.url = url;
        this.login = login;
    }

    /** The registry that the job file names, if it does. */
    static Optional<SchemaRegistry> of(Section file) {
        return file.optional("registry").map(section -> {
            try (section) {
                String url = section.text("url", "http://127.0.0.1:8081").replaceAll("/+$", "");
                if (!url.matches("https?://[^/].*")) {
                    throw section.wrong("url", url, "must begin with http:// or https://");
                }
                String login = section.optionalText("login")
                        .map(text -> Secrets.resolved("registry.login", text))
                        .orElse(null);
                if (login != null && !login.contains(":")) {
                    throw new InvalidConfigException("registry.login", "…", "must be NAME:PASSWORD");
                }
                return new SchemaRegistry(url, login);
            }
        });
    }

    /** What a number stands for. */
    record Entry(String type, String schema) {}

    /** The number in a record's header. */
    static int id(byte[] value) {
        if (value.length < HEADER || value[0] != 0) {
            throw new BadRecordException(
                    null,
                    value.length < HEADER
                            ? value.length + " bytes, fewer than the header of a record with a schema in a registry"
                            : "begins with the byte " + (value[0] & 0xff)
                                    + ", not with 0 as records with a schema in a registry do");
        }
        return ByteBuffer.wrap(value).getInt(1);
    }

    /** The header of records with a schema. */
    static byte[] header(int id) {
        return ByteBuffer.allocate(HEADER).putInt(1, id).array();
    }

    /**
     * What a number stands for.
     *
     * @throws BadRecordException when the registry does not know it, or it is of another type
     * @throws UnavailableException when it does not answer; a record that came meanwhile is not lost, the job goes back to its last checkpoint
     */
    Entry entry(int id, String type) {
        if (unknown == null) {
            unknown = new HashMap<>();
        }
        Long until = unknown.get(id);
        Entry entry = null;
        if (until == null || System.nanoTime() - until >= 0) {
            Map<String, String> answer = ask(HttpRequest.newBuilder(URI.create(url + "/schemas/ids/" + id)));
            if (answer == null) {
                if (unknown.size() >= MAX_UNKNOWN) {
                    unknown.clear();
                }
                unknown.put(id, System.nanoTime() + UNKNOWN_FOR.toNanos());
            } else {
                // Registries of the first kind knew Avro only, and do not say it.
                entry = new Entry(answer.getOrDefault("schemaType", "AVRO"), answer.get("schema"));
            }
        }
        if (entry == null || entry.schema() == null) {
            throw new BadRecordException(null, "names schema " + id + ", which the registry does not know");
        }
        if (!entry.type().equals(type)) {
            throw new BadRecordException(
                    null, "names schema " + id + ", which is of the type " + entry.type() + ", not " + type);
        }
        return entry;
    }

    /** Makes a schema known, unless it is; returns its number. */
    int register(String subject, String type, String schema) {
        byte[] body = Json.bytes(Map.of("schemaType", type, "schema", schema));
        String encoded = URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
        Map<String, String> answer = ask(HttpRequest.newBuilder(URI.create(url + "/subjects/" + encoded + "/versions"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
        try {
            return Integer.parseInt(answer == null ? "none" : answer.getOrDefault("id", "none"));
        } catch (NumberFormatException e) {
            throw new UnavailableException(url, "assigned no id to the schema of " + subject);
        }
    }

    /** The fields of the answer; null when what was asked for is not there. */
    private Map<String, String> ask(HttpRequest.Builder request) {
        request.header("Content-Type", TYPE)
                .header("Accept", TYPE + ", application/json")
                .timeout(PATIENCE);
        if (login != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        }
        if (client == null) {
            client = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
        }
        String trouble = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                if (attempt > 0) {
                    Thread.sleep(250L << attempt);
                }
                HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    return fields(answer.body());
                }
                if (answer.statusCode() == 404) {
                    return null;
                }
                trouble = "answers " + answer.statusCode() + " " + excerpt(answer.body());
                if (answer.statusCode() < 500 && answer.statusCode() != 429) {
                    break;
                }
            } catch (IOException | JacksonException e) {
                trouble = "cannot be reached: " + e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnavailableException(url, "was interrupted: the task is ending");
            }
        }
        throw new UnavailableException(url, trouble);
    }

    /** In words, for the plan. */
    @Override
    public String toString() {
        return "registry at " + url;
    }

    private static String excerpt(String body) {
        return body.substring(0, Math.min(200, body.length()));
    }

    /** The texts and numbers of a JSON object. */
    private static Map<String, String> fields(String body) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    if (parser.nextToken().isScalarValue()) {
                        fields.put(name, parser.getString());
                    } else {
                        parser.skipChildren();
                    }
                }
            }
        }
        return fields;
    }

    /** Nothing is wrong with a record: the registry does not answer. The job fails, goes back to its last checkpoint and tries again. */
    static final class UnavailableException extends KoopstreamException {

        private static final long serialVersionUID = 1L;

        private UnavailableException(String url, String problem) {
            super("the schema registry at " + url + " " + problem + "; check registry.url and registry.login");
        }
    }
}
