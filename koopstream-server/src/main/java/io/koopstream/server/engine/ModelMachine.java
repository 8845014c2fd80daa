package io.koopstream.server.engine;

import io.koopstream.answers.HeavyWork;
import io.koopstream.io.ModelFormatException;
import io.koopstream.io.StreamFile;
import io.koopstream.learner.Learner;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.OutdatedDataException;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamOption;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A model as a function of its settings and of the batches it was given, in order: no clock, no files, no threads, no chance. The same
 * batches give the same state, bit for bit, whether or not it was saved and restored in between. A {@link LearningStream} learns; the machine keeps
 * the numbers of streams, counts, and the newest rows.
 *
 * <p>One writer. Batches come checked and without what had come before, from {@link Acceptor}.
 */
final class ModelMachine {

    /** From 2,000 rows 30 to 60 samples are kept where settings are chosen; only a user who sets most of them gets more, and is counted with the next row. */
    private static final int KEPT_WHEN_CHOSEN = 100;

    private static final int MAX_RECENT = 500;
    private static final int MIN_RECENT = 20;
    /** Numbers in the ring at most, so that memory does not depend on how wide the rows are. */
    private static final int MAX_RECENT_NUMBERS = 400_000;

    private final ModelSettings settings;
    private final LearningStream stream;
    /** Streams in the order in which they came; null for those without numbers. */
    private final Map<String, StreamLedger> ledgers = new LinkedHashMap<>();

    private long batches;
    private long received;
    /** Items of the batch after those, which is being taken. */
    private int taken;

    private long pairs;
    /** Null where rows are not scored. */
    private final ScoreBoard scores;

    /** The newest rows; null while the dimension is unknown. */
    private RowRing recent;

    /** A new machine that has seen nothing. */
    ModelMachine(ModelSettings settings) {
        this(
                settings,
                settings.dimension() == 0
                        ? LearningStream.of(settings.stream())
                        : LearningStream.of(settings.stream(), settings.dimension()));
    }

    private ModelMachine(ModelSettings settings, LearningStream stream) {
        this.settings = settings;
        this.stream = stream;
        this.scores = settings.stream().scores() ? new ScoreBoard(stream) : null;
    }

    /**
     * Takes a batch: its stream goes on, its pairs are learned. Never refuses one: what cannot be learned is counted, and ends its trajectory.
     *
     * @param hashes of its items, when they have numbers
     */
    void apply(Batch batch, long[] hashes) {
        apply(batch, hashes, () -> false);
    }

    /**
     * Takes a batch as far as there is time; the next call goes on with it, and has to be about the same one, also after the machine was saved and restored in between.
     *
     * @param pause asked after every item: whether that is enough for now
     * @return whether all of it was taken
     */
    boolean apply(Batch batch, long[] hashes, BooleanSupplier pause) {
        if (taken == 0) {
            StreamLedger.enter(ledgers, batch, hashes);
        }
        double[] x = new double[batch.dimension()];
        double[] xNext = new double[batch.dimension()];
        for (int i = taken; i < batch.size(); i++) {
            if (i > taken && pause.getAsBoolean()) {
                taken = i;
                return false;
            }
            Observation observation = batch.observation(i, x, xNext).withRow(received + i + 1);
            Outcome outcome = stream.accept(observation);
            pairs += outcome.isPair() ? 1 : 0;
            if (isNews(outcome)) {
                recent().add(observation.isPair() ? xNext : x, 0);
            }
        }
        taken = 0;
        received += batch.size();
        batches++;
        return true;
    }

    /** Whether a part of a batch was taken. */
    boolean isWithinBatch() {
        return taken > 0;
    }

    /** Items taken so far, those of a batch that is not yet taken wholly among them: it grows whenever the machine changes. */
    long items() {
        return received + taken;
    }

    private static boolean isNews(Outcome outcome) {
        return switch (outcome.kind()) {
            case STARTED, GAP, WAITING, LEARNED, HELD_OUT, HELD_BACK -> true;
            case DUPLICATE, LATE, REFUSED, UNREADABLE, MISSING -> false;
        };
    }

    private RowRing recent() {
        if (recent == null) {
            int columns = stream.dimension();
            recent = new RowRing(Math.max(MIN_RECENT, Math.min(MAX_RECENT, MAX_RECENT_NUMBERS / columns)), columns);
        }
        return recent;
    }

    ModelSettings settings() {
        return settings;
    }

    /** Batches taken so far. */
    long batches() {
        return batches;
    }

    /** Items of batches taken so far. */
    long received() {
        return received;
    }

    /** Coordinates of an observation; 0 while it is unknown. */
    int dimension() {
        return stream.dimension();
    }

    /** The ledgers of streams with numbers, copied; null for those without. */
    Map<String, StreamLedger> ledgers() {
        Map<String, StreamLedger> copies = new LinkedHashMap<>();
        ledgers.forEach((name, ledger) -> copies.put(name, ledger == null ? null : ledger.copy()));
        return copies;
    }

    /** What readers see of it now. */
    ModelView view(HeavyWork heavy) {
        List<ModelView.StreamInfo> infos = new ArrayList<>(ledgers.size());
        ledgers.forEach(
                (name, ledger) -> infos.add(new ModelView.StreamInfo(name, ledger == null ? -1 : ledger.next())));
        return new ModelView(
                settings,
                heavy,
                stream,
                pairs,
                received,
                infos,
                scores == null ? null : scores.facts(),
                recent == null ? new double[0][] : recent.rows());
    }

    /** Samples kept so far. */
    int kept() {
        return stream.learner().map(Learner::dictionarySize).orElse(0);
    }

    /** The most samples that may be kept of the next row: those that wait for their block come with it, and those from which settings are chosen with the last of them. */
    int keptAtOnce() {
        int most = !stream.isWarmingUp()
                ? settings.stream().get(StreamOption.BLOCK)
                : stream.awaited() - stream.waiting() > 1 ? 0 : KEPT_WHEN_CHOSEN;
        return Math.min(most, settings.mostKept() - kept());
    }

    /** About how many bytes it takes with so many kept samples, what is published of it included. */
    long bytes(int kept) {
        int wide = Math.max(1, DelayVectors.dimension(stream.preparation().dimension(dimension()), stream.delays()));
        return settings.bytes(Math.min(kept, settings.mostKept()), wide, dimension())
                + (long) Double.BYTES * dimension() * stream.waiting()
                + (recent == null ? 0 : recent.bytes())
                + (scores == null ? 0 : scores.bytes())
                + ledgers.values().stream().filter(Objects::nonNull).count() * StreamLedger.WINDOW * Long.BYTES;
    }

    /** Everything needed to go on. */
    MachineState capture() {
        Packer out = new Packer(1 << 14);
        out.put(batches).put(received).put(pairs).put(ledgers.size());
        ledgers.forEach((name, ledger) -> {
            out.put(name).put(ledger != null);
            if (ledger != null) {
                ledger.pack(out);
            }
        });
        out.put(recent != null);
        if (recent != null) {
            recent.pack(out);
        }
        if (taken > 0) {
            out.put(taken);
        }
        return new MachineState(stream.state(), out.toByteArray());
    }

    /**
     * Goes on from stored parts.
     *
     * @param parts those of {@link MachineState#parts()}
     * @param source where they come from, for messages
     * @throws OutdatedDataException if an older release wrote them
     * @throws DamagedDataException if they are not the parts of a machine with these settings
     */
    static ModelMachine restore(ModelSettings settings, Map<String, ByteBuffer> parts, String source) {
        if (parts.containsKey("REST") || parts.containsKey("RST2")) {
            throw new OutdatedDataException(source, "a state from before one stream served all doors");
        }
        ByteBuffer books = parts.get(MachineState.BOOKS);
        ByteBuffer learned = parts.get(MachineState.STREAM);
        if (books == null || learned == null) {
            throw new DamagedDataException(
                    source, -1, "the parts " + MachineState.STREAM + " and " + MachineState.BOOKS, parts.keySet() + "");
        }
        LearningStreamState state = decoded(learned, source);
        int expected = settings.dimension();
        if (!state.settings().equals(settings.stream()) || (expected != 0 && state.dimension() != expected)) {
            throw new DamagedDataException(
                    source,
                    -1,
                    "a stream of " + settings,
                    state.settings() + " with " + state.dimension() + " coordinates");
        }
        ModelMachine machine = new ModelMachine(settings, LearningStream.resume(state));
        machine.unpack(new Unpacker(books, source));
        return machine;
    }

    /** The settings that the parts of a snapshot tell: all but the names of coordinates. */
    static ModelSettings settings(Map<String, ByteBuffer> parts, String source) {
        ByteBuffer learned = parts.get(MachineState.STREAM);
        if (learned == null) {
            throw new DamagedDataException(source, -1, "the part " + MachineState.STREAM, parts.keySet() + "");
        }
        LearningStreamState state = decoded(learned, source);
        Map<String, String> words = new LinkedHashMap<>(state.settings().given());
        words.put("dimension", Integer.toString(state.dimension()));
        return ModelSettings.of(words);
    }

    private static LearningStreamState decoded(ByteBuffer part, String source) {
        byte[] bytes = new byte[part.remaining()];
        part.duplicate().get(bytes);
        try {
            return StreamFile.decode(bytes);
        } catch (ModelFormatException e) {
            if (e.reason() == ModelFormatException.Reason.TOO_OLD) {
                throw new OutdatedDataException(source, e.getMessage());
            }
            throw new DamagedDataException(source, -1, "part " + MachineState.STREAM, e.getMessage());
        }
    }

    private void unpack(Unpacker in) {
        batches = in.number();
        received = in.number();
        pairs = in.number();
        for (int i = in.count(5); i > 0; i--) {
            String name = in.text();
            ledgers.put(name, in.flag() ? StreamLedger.unpack(in) : null);
        }
        if (in.flag()) {
            if (dimension() == 0) {
                throw in.fault("no rows, as their dimension is unknown", "rows");
            }
            recent().unpack(in);
        }
        taken = in.hasMore() ? in.whole() : 0;
        if (taken < 0) {
            throw in.fault("items of a batch", Integer.toString(taken));
        }
        in.requireEnd();
    }
}
