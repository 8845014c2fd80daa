package io.koopstream.lab.accuracy;

import io.koopstream.io.samples.TimeStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Which spans of time of which files somebody has labelled as unusual. */
final class WindowLabels {

    /** A span of time, both ends in it: seconds since 1970, or plain numbers as the data has them. */
    record Span(double from, double to) {}

    private static final TimeStyle DATE = TimeStyle.ofPattern("yyyy-MM-dd HH:mm:ss");

    private WindowLabels() {}

    /**
     * Reads labels: an object of lists of pairs of times by file, as the benchmark has them in {@code combined_windows.json}; or CSV with the columns
     * {@code file,from,to}, with both times empty for a file without a window.
     */
    static Map<String, List<Span>> read(Path file) throws IOException {
        String text = Files.readString(file);
        return text.stripLeading().startsWith("{") ? json(file, text) : csv(file, text);
    }

    private static Map<String, List<Span>> json(Path file, String text) throws IOException {
        Map<String, List<Span>> labels = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                List<Span> spans = new ArrayList<>();
                require(parser.nextToken() == JsonToken.START_ARRAY, file, name, "a list of windows");
                while (parser.nextToken() == JsonToken.START_ARRAY) {
                    List<String> times = new ArrayList<>();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        times.add(parser.getString());
                    }
                    require(times.size() == 2, file, name, "two times for every window");
                    spans.add(span(file, name, times.get(0), times.get(1)));
                }
                labels.put(name, spans);
            }
        }
        return labels;
    }

    private static Map<String, List<Span>> csv(Path file, String text) throws IOException {
        Map<String, List<Span>> labels = new LinkedHashMap<>();
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        require(!lines.isEmpty() && lines.get(0).equals("file,from,to"), file, "line 1", "the header file,from,to");
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            require(cells.length == 3, file, line, "three cells");
            List<Span> spans = labels.computeIfAbsent(cells[0], name -> new ArrayList<>());
            if (!cells[1].isBlank() || !cells[2].isBlank()) {
                spans.add(span(file, cells[0], cells[1], cells[2]));
            }
        }
        return labels;
    }

    private static Span span(Path file, String name, String from, String to) throws IOException {
        Span span = new Span(time(from), time(to));
        require(span.from <= span.to, file, name, "two times in their order, not " + from + " and " + to);
        return span;
    }

    private static double time(String text) {
        double number = TimeStyle.NUMBER.read(text.strip());
        return Double.isNaN(number) ? DATE.read(text.strip().replace('T', ' ')) : number;
    }

    private static void require(boolean holds, Path file, String where, String expected) throws IOException {
        if (!holds) {
            throw new IOException(file + ": " + where + ": expected " + expected);
        }
    }
}
