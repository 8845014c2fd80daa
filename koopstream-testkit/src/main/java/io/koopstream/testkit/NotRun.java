package io.koopstream.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Names the tests of a build that were not run for want of a program ({@link Needs}); the last module of the build starts it. */
public final class NotRun {

    private NotRun() {}

    /** Prints a line per reason. Arguments: the folder of all modules, and the time at which the build began. */
    public static void main(String[] arguments) throws Exception {
        lines(Path.of(arguments[0]), Instant.parse(arguments[1])).forEach(System.out::println);
    }

    /** What the reports say that were written since a time. */
    static List<String> lines(Path root, Instant since) throws IOException, ParserConfigurationException, SAXException {
        Map<String, Set<String>> classes = new TreeMap<>();
        for (Path report : reports(root)) {
            if (Files.getLastModifiedTime(report).toInstant().isBefore(since)) {
                continue;
            }
            NodeList skipped = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("skipped");
            for (int i = 0; i < skipped.getLength(); i++) {
                Element element = (Element) skipped.item(i);
                String reason = element.getAttribute("message");
                if (reason.startsWith(Needs.NOT_RUN)) {
                    String name = ((Element) element.getParentNode()).getAttribute("classname");
                    classes.computeIfAbsent(reason, key -> new TreeSet<>())
                            .add(name.substring(name.lastIndexOf('.') + 1));
                }
            }
        }
        return classes.entrySet().stream()
                .map(entry -> Needs.NOT_RUN + String.join(", ", entry.getValue()) + " ("
                        + entry.getKey().substring(Needs.NOT_RUN.length()) + ")")
                .toList();
    }

    private static List<Path> reports(Path root) throws IOException {
        try (Stream<Path> files = Files.find(
                root,
                4,
                (file, attributes) -> file.getFileName().toString().matches("TEST-.*\\.xml")
                        && file.getParent().getFileName().toString().startsWith("surefire-reports"))) {
            return files.sorted().toList();
        }
    }
}
