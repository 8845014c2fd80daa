package io.koopstream.flink.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.koopstream.io.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A registry that speaks the part of the interface that the job uses; schemas are numbered from 1. */
final class TestRegistry implements AutoCloseable {

    private final HttpServer server;
    private final List<String[]> schemas = Collections.synchronizedList(new ArrayList<>());
    /** Method and path of every request. */
    final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    final AtomicInteger failures = new AtomicInteger();
    volatile String login;

    TestRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    int add(String type, String schema) {
        synchronized (schemas) {
            for (int i = 0; i < schemas.size(); i++) {
                if (schemas.get(i)[1].equals(schema)) {
                    return i + 1;
                }
            }
            schemas.add(new String[] {type, schema});
            return schemas.size();
        }
    }

    String schema(int id) {
        return schemas.get(id - 1)[1];
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    SchemaRegistry client() {
        return SchemaRegistry.of(Section.parse("registry: {url: \"" + url() + "/\"}"))
                .orElseThrow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        requests.add(exchange.getRequestMethod() + " " + path);
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            send(exchange, 503, Map.of("error_code", 50001));
        } else if (login != null && !login.equals(given)) {
            send(exchange, 401, Map.of("error_code", 401));
        } else if (path.startsWith("/schemas/ids/")) {
            int id = Integer.parseInt(path.substring("/schemas/ids/".length()));
            if (id < 1 || id > schemas.size()) {
                send(exchange, 404, Map.of("error_code", 40403, "message", "Schema not found"));
            } else {
                String[] schema = schemas.get(id - 1);
                send(exchange, 200, Map.of("references", List.of(), "schemaType", schema[0], "schema", schema[1]));
            }
        } else {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            send(exchange, 200, Map.of("id", add(field(body, "schemaType"), field(body, "schema"))));
        }
    }

    private static String field(String body, String name) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), body)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.PROPERTY_NAME
                        && parser.currentName().equals(name)) {
                    return parser.nextStringValue();
                }
            }
        }
        throw new IllegalArgumentException("no " + name + " in " + body);
    }

    private static void send(HttpExchange exchange, int status, Map<String, Object> body) throws IOException {
        byte[] bytes = Json.bytes(body);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream to = exchange.getResponseBody()) {
            to.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
