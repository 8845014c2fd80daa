package io.koopstream.io;

import io.koopstream.KoopstreamException;
import io.koopstream.change.Watch;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.MissingValues;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Trajectories;
import io.koopstream.score.ScorerState;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamSettings;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The one codec of a {@link LearningStreamState}: what the command keeps in a model file, the server in its snapshots and a job in its savepoints.
 * One state has one sequence of bytes, so equal bytes are equal states; whatever bytes are read, the result is a state that was checked or a
 * {@link ModelFormatException}. docs/formats.md has the layout.
 */
public final class StreamFile {

    /**
     * A target that keeps what it is given in sections, so that one that did not change need not be stored again. A section begins where what changes
     * rarely (a dictionary) and what changes with every record (statistics) meet; one behind the other they are the bytes that any target gets.
     */
    public interface SectionedOutput extends DataOutput {

        /** What follows belongs to another section than what came before. */
        void section() throws IOException;
    }

    private static final int MAGIC = 0x4b535452;
    private static final int VERSION = 3;
    /** Differs in the checksums of its models only. */
    private static final int VERSION_SHA = 2;
    /** Beside the kind of an observation: its number follows. */
    private static final int NUMBERED = 16;

    private static final int MAX_TEXT = 1 << 24;
    /** No list announces more than what makes sense, and none is made before its items are read. */
    private static final int MAX_ITEMS = 1 << 28;

    private final DataInput in;
    private int version = VERSION;

    private StreamFile(DataInput in) {
        this.in = in;
    }

    /** The bytes of a state. */
    public static byte[] encode(LearningStreamState state) {
        long points = state.learner() == null ? 0 : state.learner().dictionarySize();
        // Two m × m matrices, a factor and a watched operator: about what is written, so that it is not copied again
        // and again.
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream((int) Math.min((1 << 16) + 48 * points * points, 1 << 30));
        try {
            write(new DataOutputStream(bytes), state);
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
        return bytes.toByteArray();
    }

    /** SHA-256 over every bit of a state, as 64 hexadecimal digits: equal exactly when two states are. */
    public static String digest(LearningStreamState state) {
        Checksum checksum = Checksum.sha256();
        checksum.update(encode(state));
        return checksum.digits();
    }

    /** The state in these bytes, and in nothing after them. */
    public static LearningStreamState decode(byte[] bytes) {
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        try {
            LearningStreamState state = read(new DataInputStream(source));
            if (source.available() > 0) {
                throw fault(Reason.TRAILING_BYTES, "the end", source.available() + " more bytes", null);
            }
            return state;
        } catch (IOException e) {
            throw new IllegalStateException("memory does no input or output", e);
        }
    }

    /** Writes a state. */
    public static void write(DataOutput out, LearningStreamState state) throws IOException {
        try {
            writeParts(out, state);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void writeParts(DataOutput out, LearningStreamState state) throws IOException {
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        writeSettings(out, state.settings());
        out.writeInt(state.dimension());
        out.writeInt(state.delays());
        out.writeInt(state.stride());
        LearningStreamState.Counts counts = state.counts();
        out.writeLong(counts.observations());
        out.writeLong(counts.pairs());
        out.writeLong(counts.refused());
        out.writeLong(counts.unreadable());
        out.writeLong(counts.missing());
        out.writeLong(counts.filled());
        boolean rows = state.settings().scores() || state.settings().tellsChanges();
        out.writeInt(state.missing().size());
        for (MissingValues.Track track : state.missing()) {
            writeObservation(out, track.whole(), rows);
            out.writeInt(track.pending().size());
            for (Observation observation : track.pending()) {
                writeObservation(out, observation, rows);
            }
        }
        state.watch().save(new StateOutput(out));
        out.writeBoolean(state.learner() != null);
        if (state.learner() == null) {
            out.writeInt(state.nextChoice());
            out.writeInt(state.waiting().size());
            for (Observation observation : state.waiting()) {
                writeObservation(out, observation, rows);
            }
            return;
        }
        out.writeInt(state.explained().size());
        for (Explained setting : state.explained()) {
            writeText(out, setting.name());
            writeText(out, setting.value());
            writeText(out, setting.reason());
        }
        out.writeInt(state.warnings().size());
        for (String warning : state.warnings()) {
            writeText(out, warning);
        }
        writeTrajectories(out, state.trajectories());
        ModelFile.writeFramed(out, new StoredModel(state.learner(), StateLabels.NONE));
        // There is one exactly where the settings ask for scores.
        if (state.scorer() != null) {
            ScorerCodec.write(out, state.scorer());
        }
    }

    /** Writes settings. */
    public static void writeSettings(DataOutput out, StreamSettings settings) throws IOException {
        Map<String, String> words = settings.given();
        out.writeInt(words.size());
        for (Map.Entry<String, String> word : words.entrySet()) {
            writeText(out, word.getKey());
            writeText(out, word.getValue());
        }
    }

    /** Reads settings, and nothing of what follows. */
    public static StreamSettings readSettings(DataInput in) throws IOException {
        return new StreamFile(in).settings();
    }

    private StreamSettings settings() throws IOException {
        Map<String, String> words = new LinkedHashMap<>();
        for (int i = count("settings"); i > 0; i--) {
            String name = text();
            words.put(name, text());
        }
        return StreamSettings.of(words);
    }

    /** Reads a state, and nothing of what follows it. */
    public static LearningStreamState read(DataInput in) throws IOException {
        try {
            return new StreamFile(in).state();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof EOFException) {
                throw fault(Reason.TRUNCATED, "more bytes", "the end", e);
            }
            throw e.getCause();
        } catch (EOFException e) {
            throw fault(Reason.TRUNCATED, "more bytes", "the end", e);
        } catch (ModelFormatException e) {
            throw e;
        } catch (KoopstreamException e) {
            throw fault(Reason.BAD_SETTING, "parts that make up the state of a stream", e.getMessage(), e);
        }
    }

    private LearningStreamState state() throws IOException {
        int magic = in.readInt();
        if (magic != MAGIC) {
            throw fault(Reason.FOREIGN, "the state of a stream", "bytes that begin with " + Integer.toHexString(magic));
        }
        version = in.readInt();
        if (version != VERSION && version != VERSION_SHA) {
            throw fault(
                    version > VERSION ? Reason.TOO_NEW : Reason.TOO_OLD,
                    "version " + VERSION_SHA + " or " + VERSION,
                    "version " + version);
        }
        StreamSettings settings = settings();
        int dimension = in.readInt();
        int delays = in.readInt();
        int stride = in.readInt();
        LearningStreamState.Counts counts = new LearningStreamState.Counts(
                in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        List<MissingValues.Track> missing = new ArrayList<>();
        for (int i = count("trajectories"); i > 0; i--) {
            missing.add(new MissingValues.Track(observation(), observations()));
        }
        Watch watch = Watch.read(new StateInput(in, version > VERSION_SHA), settings.tellsChanges());
        List<Observation> waiting = List.of();
        List<Explained> explained = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Trajectories.State trajectories = null;
        LearnerState learner = null;
        ScorerState scorer = null;
        int nextChoice = 0;
        if (in.readBoolean()) {
            for (int i = count("settings"); i > 0; i--) {
                explained.add(new Explained(text(), text(), text()));
            }
            for (int i = count("warnings"); i > 0; i--) {
                warnings.add(text());
            }
            trajectories = trajectories();
            learner = model();
            scorer = settings.scores() ? ScorerCodec.read(this, in, learner.input()) : null;
        } else {
            nextChoice = count("observations");
            waiting = observations();
        }
        return new LearningStreamState(
                settings,
                dimension,
                delays,
                stride,
                counts,
                trajectories,
                missing,
                waiting,
                nextChoice,
                explained,
                warnings,
                watch,
                learner,
                scorer);
    }

    private List<Observation> observations() throws IOException {
        List<Observation> all = new ArrayList<>();
        for (int i = count("observations"); i > 0; i--) {
            all.add(observation());
        }
        return all;
    }

    private LearnerState model() throws IOException {
        return ModelFile.readFramed(in, version > VERSION_SHA).state();
    }

    /** Writes where the trajectories stand. */
    public static void writeTrajectories(DataOutput out, Trajectories.State state) throws IOException {
        out.writeDouble(state.interval());
        writeNumbers(out, state.differences());
        out.writeLong(state.gaps());
        out.writeLong(state.late());
        out.writeLong(state.duplicates());
        out.writeLong(state.forgotten());
        out.writeInt(state.open().size());
        for (Trajectories.Open open : state.open()) {
            writeText(out, open.name());
            out.writeDouble(open.step());
            out.writeDouble(open.time());
            out.writeInt(open.recent().size());
            for (double[] row : open.recent()) {
                writeNumbers(out, row);
            }
            writeNumbers(out, open.level());
            out.writeBoolean(open.late() != null);
            if (open.late() != null) {
                writeObservation(out, open.late(), false);
            }
        }
    }

    /** Reads where trajectories stand, and nothing of what follows. */
    public static Trajectories.State readTrajectories(DataInput in) throws IOException {
        return new StreamFile(in).trajectories();
    }

    private Trajectories.State trajectories() throws IOException {
        double interval = in.readDouble();
        List<Double> differences = list();
        long gaps = in.readLong();
        long late = in.readLong();
        long duplicates = in.readLong();
        long forgotten = in.readLong();
        List<Trajectories.Open> open = new ArrayList<>();
        for (int i = count("trajectories"); i > 0; i--) {
            String name = text();
            double step = in.readDouble();
            double time = in.readDouble();
            List<double[]> recent = new ArrayList<>();
            for (int k = count("observations"); k > 0; k--) {
                recent.add(numbers());
            }
            open.add(new Trajectories.Open(name, step, time, recent, list(), in.readBoolean() ? observation() : null));
        }
        return new Trajectories.State(interval, differences, gaps, late, duplicates, forgotten, open);
    }

    /** @param rows whether their numbers will be told with them, when they are learned at last */
    private static void writeObservation(DataOutput out, Observation observation, boolean rows) throws IOException {
        out.writeBoolean(observation.trajectory() != null);
        if (observation.trajectory() != null) {
            writeText(out, observation.trajectory());
        }
        out.writeDouble(observation.step());
        out.writeDouble(observation.time());
        boolean numbered = rows && observation.row() > 0;
        out.writeByte((observation.isUnreadable() ? 0 : observation.isPair() ? 2 : observation.isFirst() ? 3 : 1)
                + (numbered ? NUMBERED : 0));
        if (!observation.isUnreadable()) {
            writeNumbers(out, observation.values());
        }
        if (observation.isPair()) {
            writeNumbers(out, observation.next());
        }
        if (numbered) {
            out.writeLong(observation.row());
        }
    }

    private Observation observation() throws IOException {
        String trajectory = in.readBoolean() ? text() : null;
        double step = in.readDouble();
        double time = in.readDouble();
        int kind = in.readByte();
        boolean numbered = (kind & NUMBERED) != 0;
        Observation observation = switch (kind & ~NUMBERED) {
            case 0 -> Observation.unreadable(trajectory);
            case 1 -> Observation.at(trajectory, step, time, numbers());
            case 3 -> Observation.at(trajectory, step, time, numbers()).asFirst();
            case 2 -> Observation.pair(numbers(), numbers());
            default -> throw fault(Reason.BAD_COUNT, "a kind of observation", Integer.toString(kind));
        };
        return numbered ? observation.withRow(in.readLong()) : observation;
    }

    static void writeNumbers(DataOutput out, double[] numbers) throws IOException {
        byte[] bytes = new byte[Math.multiplyExact(numbers.length, Double.BYTES)];
        ByteBuffer.wrap(bytes).asDoubleBuffer().put(numbers);
        out.writeInt(numbers.length);
        out.write(bytes);
    }

    static void writeNumbers(DataOutput out, List<Double> numbers) throws IOException {
        writeNumbers(out, numbers.stream().mapToDouble(Double::doubleValue).toArray());
    }

    List<Double> list() throws IOException {
        return Arrays.stream(numbers()).boxed().toList();
    }

    double[] numbers() throws IOException {
        int count = in.readInt();
        if (count < 0 || count > ModelFile.MAX_DIMENSION) {
            throw fault(Reason.BAD_COUNT, "0 to " + ModelFile.MAX_DIMENSION + " coordinates", count + " of them");
        }
        byte[] bytes = new byte[count * Double.BYTES];
        in.readFully(bytes);
        double[] numbers = new double[count];
        ByteBuffer.wrap(bytes).asDoubleBuffer().get(numbers);
        return numbers;
    }

    static double finite(double number) {
        if (!Double.isFinite(number)) {
            throw fault(Reason.BAD_COUNT, "finite numbers", Double.toString(number));
        }
        return number;
    }

    int count(String what) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_ITEMS) {
            throw fault(Reason.BAD_COUNT, "0 to " + MAX_ITEMS + " " + what, Integer.toString(count));
        }
        return count;
    }

    private static void writeText(DataOutput out, String text) throws IOException {
        byte[] bytes = EncodableText.utf8(text);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private String text() throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_TEXT) {
            throw fault(Reason.BAD_COUNT, "a text of at most " + MAX_TEXT + " bytes", length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw fault(Reason.NOT_UTF8, "text in UTF-8", "other bytes", e);
        }
    }

    private static ModelFormatException fault(Reason reason, String expected, String actual) {
        return fault(reason, expected, actual, null);
    }

    private static ModelFormatException fault(Reason reason, String expected, String actual, Throwable cause) {
        return new ModelFormatException(reason, "state of a stream", -1, expected, actual, cause);
    }
}
