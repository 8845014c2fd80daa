package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StreamFile;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Any bytes for any reader: a result or a typed error, within limits of memory and time for each input. Jazzer calls {@link #fuzzerTestOneInput} ({@code
 * lab/run fuzz}); {@link ReaderFuzzTest} replays what was found and mutates seeds.
 */
public final class ReaderFuzz {

    /** What may be taken for an input beside a multiple of its length: buffers and tables of the readers themselves. */
    private static final long MAX_BYTES = 192L << 20;

    private static final long MAX_BYTES_PER_BYTE = 2_000;
    private static final long MAX_CPU_NANOS = 20_000_000_000L;
    private static final int MAX_ROWS = 20_000;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final EngineConfig CONFIG = Workload.config(Durability.FSYNC, 10);
    private static final Workload WORK = new Workload(12, 5);
    private static final FaultyStorage FOLDER = folder();

    private static String chosen = "csv";
    private static Path file;

    private ReaderFuzz() {}

    /** Takes bytes. */
    private interface Reader {
        void read(byte[] bytes) throws IOException;
    }

    private static final Map<String, Reader> READERS = new LinkedHashMap<>();

    static {
        for (String kind : List.of("npy", "npz", "parquet", "csv", "json")) {
            READERS.put(kind, ReaderFuzz::samples);
        }
        READERS.put("model", ModelFile::decode);
        READERS.put("stream", StreamFile::decode);
        READERS.put("log", bytes -> inFolder(".log.", bytes));
        READERS.put("snapshot", bytes -> inFolder(".snapshot.", bytes));
        READERS.put("acknowledged", bytes -> inFolder(".acknowledged", bytes));
        READERS.put("settings", bytes -> inFolder(".settings", bytes));
        READERS.put("batch", bytes -> Batch.unpacked(ByteBuffer.wrap(bytes), "input"));
        READERS.put("state", ReaderFuzz::state);
    }

    /** The names of all readers. */
    static List<String> readers() {
        return List.copyOf(READERS.keySet());
    }

    /** @param args the reader */
    public static void fuzzerInitialize(String[] args) {
        chosen = args[0];
    }

    /** One input for the reader that was chosen. */
    public static void fuzzerTestOneInput(byte[] input) {
        read(chosen, input);
    }

    /** One input; anything but a result or a typed error within the limits is an error. */
    static void read(String reader, byte[] input) {
        String objection = measured(reader, input);
        // The first time classes may have been loaded, which is not the input's fault.
        objection = objection == null ? null : measured(reader, input);
        if (objection != null) {
            throw new AssertionError(reader + ": " + objection + " for an input of " + input.length + " bytes");
        }
    }

    /** What an input takes too much of; null when it does not. */
    private static String measured(String reader, byte[] input) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long nanos = THREADS.getCurrentThreadCpuTime();
        try {
            READERS.get(reader).read(input);
        } catch (KoopstreamException | IOException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("an error that says nothing", e);
            }
        }
        long taken = THREADS.getCurrentThreadAllocatedBytes() - bytes;
        if (taken > MAX_BYTES + MAX_BYTES_PER_BYTE * input.length) {
            return taken + " bytes of memory";
        }
        return THREADS.getCurrentThreadCpuTime() - nanos > MAX_CPU_NANOS ? "too much time" : null;
    }

    private static void samples(byte[] bytes) throws IOException {
        if (file == null) {
            file = Files.createTempFile("koop-fuzz", ".data");
            file.toFile().deleteOnExit();
        }
        Files.write(file, bytes);
        try (SampleReader reader = SampleReaders.open(file, ColumnOptions.NONE)) {
            Sample sample = new Sample();
            boolean more = true;
            for (int row = 0; more && row < MAX_ROWS; row++) {
                try {
                    more = reader.read(sample);
                } catch (BadRowException e) {
                    // One row, and reading goes on.
                }
            }
        }
    }

    private static void state(byte[] bytes) {
        int cut = bytes.length == 0 ? 0 : (bytes[0] & 0xff) * bytes.length / 256;
        ModelMachine.restore(
                WORK.settings(),
                Map.of(
                        MachineState.STREAM,
                        ByteBuffer.wrap(bytes, 0, cut).slice(),
                        MachineState.BOOKS,
                        ByteBuffer.wrap(bytes, cut, bytes.length - cut).slice()),
                "input");
    }

    private static void inFolder(String part, byte[] bytes) {
        FaultyStorage storage = FOLDER.copy();
        storage.overwrite(last(storage, part), bytes);
        for (DataFolder.Finding finding : new DataFolder(storage, Workload.DIRECTORY).check()) {
            if (!finding.digest().isEmpty() && WORK.prefix(finding.digest()) < 0) {
                throw new AssertionError("a model that no batches lead to: " + finding);
            }
        }
    }

    private static Path last(FaultyStorage storage, String part) {
        Path found = null;
        for (Path one : storage.files()) {
            found = one.getFileName().toString().contains(part) ? one : found;
        }
        return found;
    }

    private static FaultyStorage folder() {
        FaultyStorage storage = new FaultyStorage();
        LiveModels models = Workload.open(storage, CONFIG);
        LiveModel model = models.create(Workload.MODEL, WORK.settings());
        for (Batch batch : WORK.batches()) {
            // Learned before the next one comes, so that there is a snapshot in every run.
            model.viewAfter(model.submit(batch).join().samples()).join();
        }
        model.awaitSnapshot();
        storage.losePower();
        models.close();
        return storage.afterPowerLoss(FaultyStorage.Loss.NOTHING, 0);
    }

    /** Valid inputs of a reader, to begin with. */
    static List<byte[]> seeds(String reader) throws IOException {
        return switch (reader) {
            case "csv" ->
                texts(
                        "x1,x2\n1,2\n3,4\n",
                        "date,trajectory,a;b\n2024-01-01 00:00,1,5\n",
                        "t;v\n0,5;1,5\n1,0;NA\n",
                        "a,b,a_next,b_next\n1,2,3,4\n\n\"x,\"\"y\",1,2,3\n");
            case "json" ->
                texts(
                        "{\"x1\":1,\"x2\":null}\n{\"x1\":2,\"x2\":3}\n",
                        "[{\"t\":\"2024-01-01\",\"v\":1e3},{\"t\":\"2024-01-02\",\"v\":2}]",
                        "[1,2]\n[3,4]\n");
            case "npy" -> List.of(npy());
            case "npz" -> List.of(npz());
            case "parquet" -> {
                Path folder = Path.of("..", "koopstream-io", "src", "test", "resources", "samples");
                List<byte[]> files = new ArrayList<>();
                for (String name : List.of("uncompressed", "snappy", "gzip", "dates")) {
                    files.add(Files.readAllBytes(folder.resolve("duckdb-" + name + ".parquet")));
                }
                yield files;
            }
            case "model" ->
                List.of(ModelFile.encode(learned().capture().stream().learner()));
            case "stream" -> List.of(StreamFile.encode(learned().capture().stream()));
            case "state" -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                learned().capture().parts().values().forEach(part -> {
                    byte[] bytes = new byte[part.remaining()];
                    part.get(bytes);
                    all.writeBytes(bytes);
                });
                yield List.of(all.toByteArray());
            }
            case "batch" ->
                WORK.batches().stream()
                        .map(batch -> {
                            byte[] bytes = new byte[batch.packed().remaining()];
                            batch.packed().get(bytes);
                            return bytes;
                        })
                        .toList();
            default -> {
                String part = reader.equals("log") || reader.equals("snapshot") ? "." + reader + "." : "." + reader;
                yield List.of(FOLDER.peek(last(FOLDER, part)));
            }
        };
    }

    private static ModelMachine learned() {
        ModelMachine machine = new ModelMachine(WORK.settings());
        WORK.batches().forEach(batch -> machine.apply(batch, batch.hashes()));
        return machine;
    }

    private static List<byte[]> texts(String... all) {
        List<byte[]> bytes = new ArrayList<>();
        for (String text : all) {
            bytes.add(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes;
    }

    private static byte[] npy() {
        String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
        String padded = header + " ".repeat(117 - header.length()) + "\n";
        ByteBuffer out = ByteBuffer.allocate(128 + 48).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 0);
        out.putShort((short) 118).put(padded.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 6; i++) {
            out.putDouble(0.5 * i);
        }
        return out.array();
    }

    private static byte[] npz() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : List.of("a.npy", "b.npy")) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(npy());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /**
     * Runs Jazzer, which has to be on the class path, on all readers or some, one after another.
     *
     * @param args seconds for each, folder for what it finds, readers
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> wanted = args.length > 2 ? List.of(args).subList(2, args.length) : readers();
        boolean clean = true;
        for (String reader : wanted) {
            Path corpus = Files.createDirectories(Path.of(args[1], reader));
            int number = 0;
            for (byte[] seed : seeds(reader)) {
                Files.write(corpus.resolve("seed-" + number++), seed);
            }
            Process jazzer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx1g",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "com.code_intelligence.jazzer.Jazzer",
                            "--target_class=" + ReaderFuzz.class.getName(),
                            "--target_args=" + reader,
                            "--instrumentation_includes=io.koopstream.**",
                            "--reproducer_path=" + args[1],
                            "-artifact_prefix=" + args[1] + "/" + reader + "-",
                            "-max_total_time=" + args[0],
                            "-timeout=20",
                            "-rss_limit_mb=3000",
                            "-max_len=20000",
                            "-print_final_stats=1",
                            corpus.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(corpus.resolveSibling(reader + ".log").toFile())
                    .start();
            int code = jazzer.waitFor();
            clean &= code == 0;
            String said = Files.readString(corpus.resolveSibling(reader + ".log"));
            String runs = said.replaceFirst("(?s).*number_of_executed_units: (\\d+).*", "$1");
            System.out.println(reader + ": " + runs + " inputs, "
                    + (code == 0 ? "nothing found" : "FOUND SOMETHING, see " + reader + ".log"));
        }
        System.exit(clean ? 0 : 1);
    }
}
