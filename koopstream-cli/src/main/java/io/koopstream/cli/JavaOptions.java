package io.koopstream.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Prints the options with which the Java that runs this runs {@code koop} best, one a line, and stores them beside an archive of the classes that
 * common commands load (decision 0068). The archive appears by a rename when it is complete; where there cannot be one, the options do without.
 */
final class JavaOptions {

    /** The SIMD loops of the core live on this module (decision 0011). */
    private static final String VECTOR = "jdk.incubator.vector";

    /** The first Java that names its archives after AOT and warns of {@code sun.misc.Unsafe}, which the library that unpacks zstd and snappy uses. */
    private static final int NEWER = 24;

    private static final String COLLECTOR = "-XX:+UseSerialGC";

    private final Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    private final String classPath = System.getProperty("java.class.path");

    private JavaOptions() {}

    /** @param arguments the path of the files to write, without their endings; none only prints */
    public static void main(String[] arguments) throws IOException {
        JavaOptions options = new JavaOptions();
        List<String> lines = arguments.length == 0 ? options.plain() : options.withArchive(Path.of(arguments[0]));
        lines.forEach(System.out::println);
    }

    private List<String> plain() throws IOException {
        List<String> lines = new ArrayList<>(List.of(COLLECTOR, "-Xshare:auto", "-cp", classPath));
        lines.addAll(modules());
        if (isNewer()) {
            lines.add("--sun-misc-unsafe-memory-access=allow");
        }
        try (InputStream methods = JavaOptions.class.getResourceAsStream("java.options")) {
            new String(methods.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(lines::add);
        }
        return lines;
    }

    private static boolean isNewer() {
        return Runtime.version().feature() >= NEWER;
    }

    private static List<String> modules() {
        return ModuleFinder.ofSystem().find(VECTOR).isPresent() ? List.of("--add-modules", VECTOR) : List.of();
    }

    private List<String> withArchive(Path start) throws IOException {
        List<String> plain = plain();
        Path folder = start.getParent();
        Path work = Path.of(start + ".work");
        try {
            Files.createDirectories(folder);
            // Another run is at it: this one starts without.
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                return lock == null ? plain : store(start, work, plain);
            }
        } catch (IOException e) {
            // Nothing can be written there.
            return plain;
        }
    }

    private List<String> store(Path start, Path work, List<String> plain) throws IOException {
        if (Boolean.getBoolean("koop.terminal")) {
            System.err.println("koop: preparing faster starts with this Java; this is done once");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(work)));
        delete(work);
        Files.createDirectory(work);
        Path archive = Path.of(start + ".jsa");
        List<String> lines = new ArrayList<>(plain);
        Path made = work.resolve("archive");
        if (!dump(work, made)) {
            Files.write(made, new byte[0]);
        } else {
            // Java checks the archive itself and does without if it does not fit; there is nothing in that for the user
            // to read.
            lines.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off"));
            if (isNewer()) {
                lines.add("-Xlog:aot*=off");
            }
        }
        discardOlder(start.getParent());
        Files.setLastModifiedTime(made, latest());
        Path options = Files.write(work.resolve("options"), lines);
        Files.move(options, Path.of(start + ".options"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING);
        return lines;
    }

    /** Stores the classes, and returns whether this Java can. */
    private boolean dump(Path work, Path archive) throws IOException {
        Path loaded = work.resolve("loaded");
        List<String> command = new ArrayList<>(List.of(java.toString(), COLLECTOR));
        command.addAll(modules());
        List<String> rehearse = new ArrayList<>(command);
        rehearse.addAll(List.of("-XX:DumpLoadedClassList=" + loaded, "-cp", classPath, Rehearsal.class.getName()));
        rehearse.add(work.resolve("data").toString());
        if (!runs(rehearse)) {
            return false;
        }
        // Without the lines about resolved constants, which newer versions of Java write: resolving links picocli's
        // classes, and as they are of an
        // old class file format they could then not be stored.
        Path classes = work.resolve("classes");
        try (Stream<String> lines = Files.lines(loaded)) {
            Files.write(classes, lines.filter(line -> !line.startsWith("@cp ")).toList());
        }
        command.addAll(
                List.of("-Xshare:dump", "-XX:SharedClassListFile=" + classes, "-XX:SharedArchiveFile=" + archive));
        command.addAll(List.of("-cp", classPath));
        return runs(command) && Files.exists(archive) && Files.size(archive) > 0;
    }

    private static boolean runs(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().close();
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroy();
        }
    }

    /** Now, or the time of the newest jar: one from the future must not make every run believe that the archive is old. */
    private FileTime latest() throws IOException {
        FileTime latest = FileTime.fromMillis(System.currentTimeMillis());
        for (Path file : jars()) {
            FileTime time = Files.getLastModifiedTime(file);
            latest = time.compareTo(latest) > 0 ? time : latest;
        }
        return latest;
    }

    /** The jars of the class path, and the folder of those that the first names in its manifest. */
    private List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            jars.add(Path.of(entry));
        }
        Path lib = jars.get(0).resolveSibling("lib");
        if (Files.isDirectory(lib)) {
            jars.add(lib);
            try (Stream<Path> files = Files.list(lib)) {
                files.forEach(jars::add);
            }
        }
        return jars;
    }

    /** Archives that were made from jars before these, by a Java that may be gone. */
    private void discardOlder(Path folder) throws IOException {
        FileTime jar = Files.getLastModifiedTime(jars().get(0));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("lock") && Files.getLastModifiedTime(file).compareTo(jar) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
