package io.koopstream.architecture;

import io.koopstream.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** Makes one static site of the documents and the Javadoc, with a search that needs no server. Run with {@code -Psite}. */
final class Site {

    private static final List<String> PUBLIC_MODULES =
            List.of("core", "stream", "io", "answers", "control", "systems", "server", "flink");
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final TextContentRenderer TEXT =
            TextContentRenderer.builder().extensions(EXTENSIONS).build();

    private final Path root;
    private final Path target;
    private final Deque<Path> waiting = new ArrayDeque<>();
    private final Set<Path> met = new HashSet<>();
    private final Map<Path, Set<String>> anchors = new HashMap<>();
    private final List<String> jumps = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<List<String>> sections = new ArrayList<>();

    private Site(Path root, Path target) {
        this.root = root;
        this.target = target;
    }

    /** The argument is the folder to write to. */
    public static void main(String[] arguments) throws IOException {
        Path root = Repository.root();
        Path target = Path.of(arguments[0]).toAbsolutePath();
        List<String> problems = new ArrayList<>(write(root, target));
        if (javadoc(root, target.resolve("api")) != 0) {
            problems.add("javadoc failed");
        }
        if (!problems.isEmpty()) {
            throw new IllegalStateException(String.join("\n", problems));
        }
        System.out.println(target.resolve("index.html"));
    }

    /** Writes the pages that can be reached from the README, and returns links that lead nowhere. */
    static List<String> write(Path root, Path target) throws IOException {
        Site site = new Site(root, target);
        site.enqueue(Path.of("README.md"));
        try (Stream<Path> documents = Files.walk(root.resolve("docs"))) {
            documents
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(root::relativize)
                    .forEach(site::enqueue);
        }
        while (!site.waiting.isEmpty()) {
            site.write(site.waiting.remove());
        }
        for (String jump : site.jumps) {
            String[] parts = jump.split("#", 3);
            if (!site.anchors.getOrDefault(Path.of(parts[1]), Set.of()).contains(parts[2])) {
                site.problems.add(parts[0] + ": no heading #" + parts[2] + " in " + parts[1]);
            }
        }
        site.put(Path.of("search-index.js"), "const SECTIONS = " + Json.text(site.sections) + ";\n");
        for (String asset : List.of("site.css", "search.js")) {
            site.put(Path.of(asset), resource(asset));
        }
        return site.problems;
    }

    private void enqueue(Path source) {
        if (met.add(source)) {
            waiting.add(source);
        }
    }

    private void write(Path source) throws IOException {
        Path file = root.resolve(source);
        if (Files.isDirectory(file)) {
            writePage(source, PARSER.parse(listing(source)));
        } else if (source.toString().endsWith(".md")) {
            writePage(source, PARSER.parse(Files.readString(file)));
        } else {
            Path copy = target.resolve(source);
            Files.createDirectories(copy.getParent());
            Files.write(copy, Files.readAllBytes(file));
        }
    }

    /** A document that names what is in a folder. */
    private String listing(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("# " + folder.getFileName() + "\n\n");
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                String title = name.endsWith(".md") ? title(PARSER.parse(Files.readString(file)), name) : name;
                text.append("- [").append(title).append("](").append(name).append(")\n");
            }
        }
        return text.toString();
    }

    private void writePage(Path source, Node document) throws IOException {
        Map<Node, String> ids = new HashMap<>();
        Path page = page(source);
        Path base = Files.isDirectory(root.resolve(source)) ? source.resolve("x") : source;
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                String id = anchor(TEXT.render(heading));
                for (int n = 1; ids.containsValue(id); n++) {
                    id = anchor(TEXT.render(heading)) + "-" + n;
                }
                ids.put(heading, id);
                visitChildren(heading);
            }
        });
        anchors.put(page, Set.copyOf(ids.values()));
        String title = title(document, source.toString());
        remember(document, ids, title, page);
        relink(document, base, page);
        Node links = menu();
        relink(links, Path.of("README.md"), page);
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (ids.containsKey(node)) {
                        attributes.put("id", ids.get(node));
                    }
                })
                .build();
        String up = "../".repeat(page.getNameCount() - 1);
        put(
                page,
                resource("page.html")
                        .replace("{title}", escape(title.equals("Koopstream") ? title : title + " · Koopstream"))
                        .replace("{up}", up)
                        .replace("{menu}", renderer.render(links))
                        .replace("{content}", renderer.render(document)));
    }

    /** The list below "Read on" of the README is the menu of every page. */
    private Node menu() throws IOException {
        Node readme = PARSER.parse(Files.readString(root.resolve("README.md")));
        for (Node node = readme.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof BulletList && node.getPrevious() instanceof Heading heading) {
                if (TEXT.render(heading).equals("Read on")) {
                    return node;
                }
            }
        }
        throw new IllegalStateException("README.md has no list below 'Read on'");
    }

    /** Adds the sections of a page to what the search looks through. */
    private void remember(Node document, Map<Node, String> ids, String title, Path page) {
        String heading = title;
        String address = page.toString();
        StringBuilder text = new StringBuilder();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next) {
                remember(title, heading, address, text);
                heading = TEXT.render(next);
                address = page + "#" + ids.get(next);
                text.setLength(0);
            } else {
                text.append(TEXT.render(node)).append('\n');
            }
        }
        remember(title, heading, address, text);
    }

    private void remember(String title, String heading, String address, CharSequence text) {
        if (text.length() > 0) {
            sections.add(List.of(title, heading, address, text.toString().strip()));
        }
    }

    private void relink(Node document, Path source, Path page) {
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(relinked(link.getDestination(), source, page));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                image.setDestination(relinked(image.getDestination(), source, page));
                visitChildren(image);
            }
        });
    }

    private String relinked(String destination, Path source, Path page) {
        if (destination.matches("[a-z]+:.*")) {
            return destination;
        }
        int hash = destination.indexOf('#');
        String file = hash < 0 ? destination : destination.substring(0, hash);
        Path meant = file.isEmpty() ? source : source.resolveSibling(file).normalize();
        if (meant.startsWith("..") || !Files.exists(root.resolve(meant))) {
            problems.add(source + ": nothing at " + destination);
            return destination;
        }
        enqueue(meant);
        if (hash >= 0) {
            jumps.add(source + "#" + page(meant) + "#" + destination.substring(hash + 1));
        }
        String folder = "../".repeat(page.getNameCount() - 1);
        return folder + page(meant).toString().replace('\\', '/') + (hash < 0 ? "" : destination.substring(hash));
    }

    /** Where on the site a file or folder of the repository is. */
    private Path page(Path source) {
        if (source.equals(Path.of("README.md"))) {
            return Path.of("index.html");
        }
        if (Files.isDirectory(root.resolve(source))) {
            return source.resolve("index.html");
        }
        String name = source.getFileName().toString();
        return name.endsWith(".md") ? source.resolveSibling(name.replaceFirst("\\.md$", ".html")) : source;
    }

    private void put(Path page, String text) throws IOException {
        Path file = target.resolve(page);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String title(Node document, String otherwise) {
        return document.getFirstChild() instanceof Heading heading ? TEXT.render(heading) : otherwise;
    }

    /** The anchor of a heading, as hosting sites make it. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Site.class.getResourceAsStream("/site/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int javadoc(Path root, Path target) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-quiet",
                "-notimestamp",
                "-Xdoclint:none",
                "-encoding",
                "UTF-8",
                "--add-modules",
                "jdk.incubator.vector",
                "-windowtitle",
                "Koopstream API",
                "-doctitle",
                "Koopstream API",
                "-header",
                "<a href=\"{@docRoot}/../index.html\">Koopstream</a>",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                target.toString()));
        Map<String, String> packages = new TreeMap<>();
        for (String module : PUBLIC_MODULES) {
            Path sources = root.resolve("koopstream-" + module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                List<Path> java = files.filter(file -> file.toString().endsWith(".java"))
                        .sorted()
                        .toList();
                java.forEach(file -> arguments.add(file.toString()));
                packages.put(
                        module,
                        java.stream()
                                .map(file -> sources.relativize(file.getParent())
                                        .toString()
                                        .replace('\\', '.')
                                        .replace('/', '.'))
                                .distinct()
                                .collect(Collectors.joining(":")));
            }
        }
        for (String module : PUBLIC_MODULES) {
            arguments.addAll(0, List.of("-group", "koopstream-" + module, packages.get(module)));
        }
        return ToolProvider.findFirst("javadoc")
                .orElseThrow()
                .run(System.out, System.err, arguments.toArray(String[]::new));
    }
}
