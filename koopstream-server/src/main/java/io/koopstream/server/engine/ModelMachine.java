package io.koopstream.server.engine;

import io.koopstream.InvalidSampleException;
import io.koopstream.KoopstreamException;
import io.koopstream.io.ModelFile;
import io.koopstream.io.ModelFormatException;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.DelayVectors;
import io.koopstream.learner.Discountable;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LearningCurve;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.OutdatedDataException;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import io.koopstream.tuning.AdvisorConfig;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.ChosenSettings.Explained;
import io.koopstream.tuning.Proposal;
import io.koopstream.tuning.SettingsAdvisor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model as a function of its settings and of the batches it was given, in order: no clock, no files, no threads, no chance. The same
 * batches give the same state, bit for bit, whether or not it was saved and restored in between.
 *
 * <p>One writer. Batches come checked and without what had come before, from {@link Acceptor}.
 */
final class ModelMachine {

    private static final int MOST_EVENTS = 100;
    private static final int MOST_RECENT = 500;
    /** Pairs that an older machine kept aside, in a part {@link MachineState#OLDER_REST}. */
    private static final int MOST_HELD_OUT = 1000;
    /** Numbers in the rings at most, so that memory does not depend on how wide the states are. */
    private static final int MOST_RING_NUMBERS = 400_000;
    /** How often the warm-up window is doubled when nothing can be told from it, e.g. because nothing moved yet. */
    private static final int MOST_DOUBLINGS = 6;

    private final ModelSettings settings;
    private final Map<String, Stream> streams = new LinkedHashMap<>();
    private final Deque<DriftEvent> events = new ArrayDeque<>();
    private LearningCurve curve = new LearningCurve();

    /** Where states live; that of the learner once there is one. */
    private Rkhs space;

    /** Coordinates of an observation; 0 before the first batch when the settings do not say. */
    private int dimension;

    private long batches;
    private long received;
    private long pairs;
    private long unlearnable;
    private RowRing recent;
    /** Pairs that wait for settings to be chosen, each x then x⁺; null when they are. */
    private List<double[]> warming;

    private int nextChoice;
    private List<Explained> explained = List.of();
    private List<String> warnings = List.of();
    private StorableLearner<KoopmanOperator> learner;
    private OneStepError error;
    private double[] x;
    private double[] xNext;

    /** What is known of one stream. */
    private static final class Stream {
        private StreamLedger ledger;
        private DelayVectors vectors;
        /** The newest state, with which the next one makes a pair; null at the start of a trajectory. */
        private double[] previous;

        void breakTrajectory() {
            vectors.clear();
            previous = null;
        }
    }

    /** A new machine that has seen nothing. */
    ModelMachine(ModelSettings settings) {
        this.settings = settings;
        if (settings.dimension() > 0) {
            begin(settings.dimension());
        }
    }

    /** The first time the dimension is known. */
    private void begin(int observed) {
        dimension = observed;
        int state = stateDimension();
        recent = new RowRing(ringSize(MOST_RECENT, observed), observed);
        x = new double[state];
        xNext = new double[state];
        space = new Rkhs(Kernels.gaussian(1), state);
        if (settings.method().wantsProposal()) {
            warming = new ArrayList<>();
            nextChoice = settings.warmUp();
        } else {
            learnWith(settings.method().choose(state, dimension, null));
        }
    }

    private static int ringSize(int most, int columns) {
        return Math.max(20, Math.min(most, MOST_RING_NUMBERS / columns));
    }

    private int stateDimension() {
        return DelayEmbedding.dimension(dimension, settings.delays());
    }

    private void learnWith(ChosenSettings chosen) {
        explained = chosen.explained();
        warnings = chosen.warnings();
        learnWith(chosen.newLearner());
    }

    private void learnWith(StorableLearner<KoopmanOperator> ready) {
        learner = ready;
        space = ready.input();
        error = new OneStepError(ready, curve, settings.drift());
    }

    /**
     * Takes a batch: its stream goes on, its pairs are learned. Never refuses one: what cannot be learned is counted, and ends its trajectory.
     *
     * @param hashes of its items, when they have numbers
     */
    void apply(Batch batch, long[] hashes) {
        if (dimension == 0) {
            begin(batch.dimension());
        }
        Stream stream = streams.computeIfAbsent(batch.stream(), name -> new Stream());
        if (batch.isNumbered()) {
            if (stream.ledger == null) {
                stream.ledger = new StreamLedger(batch.first());
            }
            stream.ledger.accept(hashes, 0);
        }
        if (batch.kind() == Batch.Kind.PAIRS) {
            applyPairs(batch);
        } else {
            applyStates(batch, stream);
        }
        received += batch.size();
        batches++;
    }

    private void applyPairs(Batch batch) {
        double[] values = batch.values();
        for (int i = 0; i < values.length; i += 2 * dimension) {
            System.arraycopy(values, i, x, 0, dimension);
            System.arraycopy(values, i + dimension, xNext, 0, dimension);
            recent.add(xNext, 0);
            try {
                pair(x, xNext);
            } catch (InvalidSampleException e) {
                unlearnable++;
            }
        }
    }

    private void applyStates(Batch batch, Stream stream) {
        if (stream.vectors == null) {
            stream.vectors = new DelayVectors(dimension, settings.delays(), settings.stride());
        } else if (batch.newTrajectory()) {
            stream.breakTrajectory();
        }
        double[] values = batch.values();
        double[] observation = new double[dimension];
        for (int i = 0; i < values.length; i += dimension) {
            System.arraycopy(values, i, observation, 0, dimension);
            recent.add(observation, 0);
            try {
                follow(stream, observation);
            } catch (InvalidSampleException e) {
                unlearnable++;
                stream.breakTrajectory();
            }
        }
    }

    private void follow(Stream stream, double[] observation) {
        stream.vectors.add(observation);
        if (stream.vectors.isComplete()) {
            double[] state = stream.vectors.current();
            if (stream.previous != null) {
                pair(stream.previous, state);
            }
            stream.previous = state;
        }
    }

    /** Pairs of all streams come together here. */
    private void pair(double[] from, double[] to) {
        space.requireSample(from, "x");
        space.requireSample(to, "xNext");
        if (warming == null) {
            learn(from, to);
            return;
        }
        double[] pair = new double[2 * from.length];
        System.arraycopy(from, 0, pair, 0, from.length);
        System.arraycopy(to, 0, pair, from.length, to.length);
        warming.add(pair);
        if (warming.size() == nextChoice) {
            choose();
        }
    }

    private void learn(double[] from, double[] to) {
        error.before(pairs, from, to).ifPresent(this::changed);
        learner.update(from, to);
        pairs++;
    }

    private void changed(DriftEvent event) {
        if (events.size() == MOST_EVENTS) {
            events.removeFirst();
        }
        events.addLast(event);
        if (settings.driftDiscount() < 1) {
            Discountable.of(learner).discount(settings.driftDiscount());
        }
    }

    /** Chooses settings from the pairs that wait, and learns those; waits for more when nothing can be told from them. */
    private void choose() {
        int state = stateDimension();
        double[][] inputs = new double[warming.size()][];
        double[][] outputs = new double[warming.size()][];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = java.util.Arrays.copyOf(warming.get(i), state);
            outputs[i] = java.util.Arrays.copyOfRange(warming.get(i), state, 2 * state);
        }
        AdvisorConfig usual = AdvisorConfig.defaults();
        int window = Math.max(usual.window(), inputs.length);
        Proposal proposal = null;
        try {
            proposal = SettingsAdvisor.suggest(inputs, outputs, new AdvisorConfig(window, usual.maxDictionary()));
        } catch (KoopstreamException e) {
            if (nextChoice < (long) settings.warmUp() << MOST_DOUBLINGS
                    && 4L * nextChoice * state < MOST_RING_NUMBERS) {
                nextChoice *= 2;
                return;
            }
        }
        warming = null;
        learnWith(settings.method().choose(state, dimension, proposal));
        for (int i = 0; i < inputs.length; i++) {
            learn(inputs[i], outputs[i]);
        }
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

    /** Pairs seen so far, learned, kept aside or waiting: it grows with everything that changes the model. */
    long version() {
        return pairs + (warming == null ? 0 : warming.size());
    }

    /** Coordinates of an observation; 0 while it is unknown. */
    int dimension() {
        return dimension;
    }

    /** The ledgers of streams with numbers, copied. */
    Map<String, StreamLedger> ledgers() {
        Map<String, StreamLedger> copies = new LinkedHashMap<>();
        streams.forEach((name, stream) -> copies.put(name, stream.ledger == null ? null : stream.ledger.copy()));
        return copies;
    }

    /** What readers see of it now. */
    ModelView view(HeavyWork heavy) {
        List<ModelView.StreamInfo> infos = new ArrayList<>(streams.size());
        streams.forEach((name, stream) ->
                infos.add(new ModelView.StreamInfo(name, stream.ledger == null ? -1 : stream.ledger.next())));
        return new ModelView(
                settings,
                heavy,
                new ModelView.Facts(
                        version(),
                        received,
                        unlearnable,
                        dimension,
                        warming == null && learner != null ? Phase.LEARNING : Phase.WARMING,
                        explained,
                        warnings,
                        curve.error(),
                        curve.readings(),
                        List.copyOf(events),
                        infos),
                learner == null ? null : learner.state(),
                recent == null ? new double[0][] : recent.rows(0, dimension));
    }

    /** Everything needed to go on. */
    MachineState capture() {
        Packer out = new Packer(1 << 14);
        out.put(dimension).put(batches).put(received).put(pairs).put(unlearnable);
        packCurve(out);
        out.put(events.size());
        for (DriftEvent event : events) {
            out.put(event.sample())
                    .put(event.since())
                    .put(event.errorBefore())
                    .put(event.errorAfter())
                    .put(event.score());
        }
        packStreams(out);
        if (dimension > 0) {
            recent.pack(out);
            out.put(warming != null);
            if (warming != null) {
                out.put(nextChoice).put(warming.size());
                warming.forEach(pair -> out.put(pair, 0, pair.length));
            } else {
                packTexts(out);
                error.pack(out);
            }
        }
        return new MachineState(
                learner == null ? null : learner.state(), error == null ? null : error.reference(), out.toByteArray());
    }

    private void packStreams(Packer out) {
        out.put(streams.size());
        streams.forEach((name, stream) -> {
            out.put(name).put(stream.ledger != null);
            if (stream.ledger != null) {
                stream.ledger.pack(out);
            }
            out.put(stream.vectors != null);
            if (stream.vectors != null) {
                double[][] rows = stream.vectors.recent();
                out.put(rows.length);
                for (double[] row : rows) {
                    out.put(row, 0, row.length);
                }
            }
        });
    }

    private void packTexts(Packer out) {
        out.put(explained.size());
        for (Explained setting : explained) {
            out.put(setting.name()).put(setting.value()).put(setting.reason());
        }
        out.put(warnings.size());
        warnings.forEach(out::put);
    }

    /**
     * Goes on from stored parts.
     *
     * @param parts those of {@link MachineState#parts()}
     * @param source where they come from, for messages
     */
    static ModelMachine restore(ModelSettings settings, Map<String, ByteBuffer> parts, String source) {
        boolean older = parts.containsKey(MachineState.OLDER_REST);
        ByteBuffer rest = parts.get(older ? MachineState.OLDER_REST : MachineState.REST);
        if (rest == null) {
            throw new DamagedDataException(source, -1, "a part " + MachineState.REST, "none");
        }
        ModelMachine machine = new ModelMachine(settings);
        machine.unpack(new Unpacker(rest, source), parts, older);
        return machine;
    }

    private void unpack(Unpacker in, Map<String, ByteBuffer> parts, boolean older) {
        int observed = in.whole();
        if (observed != dimension && dimension != 0) {
            throw in.fault("dimension " + dimension, Integer.toString(observed));
        }
        if (observed > 0 && dimension == 0) {
            begin(observed);
        }
        batches = in.number();
        received = in.number();
        pairs = in.number();
        unlearnable = in.number();
        curve = unpackCurve(in);
        for (int i = in.count(40); i > 0; i--) {
            events.addLast(new DriftEvent(in.number(), in.number(), in.real(), in.real(), in.real()));
        }
        for (int i = in.count(6); i > 0; i--) {
            unpackStream(in);
        }
        if (dimension > 0) {
            recent.unpack(in);
            if (older) {
                // Pairs that were kept aside outside the learner; it holds out its own, or learns all of them.
                int columns = 2 * stateDimension();
                new RowRing(ringSize(MOST_HELD_OUT, columns), columns).unpack(in);
            }
            if (in.flag()) {
                nextChoice = in.whole();
                warming = new ArrayList<>();
                for (int i = in.count(16L * stateDimension()); i > 0; i--) {
                    warming.add(in.reals(2 * stateDimension()));
                }
            } else {
                unpackLearner(in, parts);
            }
        }
        in.requireEnd();
    }

    private void unpackStream(Unpacker in) {
        Stream stream = new Stream();
        streams.put(in.text(), stream);
        if (in.flag()) {
            stream.ledger = StreamLedger.unpack(in);
        }
        if (in.flag()) {
            stream.vectors = new DelayVectors(dimension, settings.delays(), settings.stride());
            for (int i = in.count(8L * dimension); i > 0; i--) {
                stream.vectors.add(in.reals(dimension));
            }
            stream.previous = stream.vectors.isComplete() ? stream.vectors.current() : null;
        }
    }

    private void unpackLearner(Unpacker in, Map<String, ByteBuffer> parts) {
        warming = null;
        List<Explained> texts = new ArrayList<>();
        for (int i = in.count(12); i > 0; i--) {
            texts.add(new Explained(in.text(), in.text(), in.text()));
        }
        explained = List.copyOf(texts);
        List<String> words = new ArrayList<>();
        for (int i = in.count(4); i > 0; i--) {
            words.add(in.text());
        }
        warnings = List.copyOf(words);
        ByteBuffer model = parts.get(MachineState.MODEL);
        if (model == null) {
            throw in.fault("a part " + MachineState.MODEL, "none");
        }
        LearnerState state = decoded(model, in);
        if (state.input().dimension() != stateDimension()) {
            throw in.fault(
                    "a model of dimension " + stateDimension(), state.input().toString());
        }
        learnWith(state.resumeKoopman());
        error.unpack(in, parts.get(MachineState.REFERENCE));
    }

    private static LearnerState decoded(ByteBuffer model, Unpacker in) {
        try {
            return ModelFile.decode(model);
        } catch (ModelFormatException e) {
            if (e.reason() == ModelFormatException.Reason.TOO_OLD) {
                throw new OutdatedDataException(in.source(), e);
            }
            throw e;
        }
    }

    private void packCurve(Packer out) {
        LearningCurve.State state = curve.state();
        out.put(state.growth())
                .put(state.nextReading())
                .put(state.errors())
                .put(state.error())
                .put(state.readings().size());
        for (LearningCurve.Reading reading : state.readings()) {
            out.put(reading.pairs()).put(reading.error()).put(reading.dictionary());
        }
    }

    private static LearningCurve unpackCurve(Unpacker in) {
        double growth = in.real();
        long nextReading = in.number();
        long errors = in.number();
        double error = in.real();
        List<LearningCurve.Reading> readings = new ArrayList<>();
        for (int i = in.count(20); i > 0; i--) {
            readings.add(new LearningCurve.Reading(in.number(), in.real(), in.whole()));
        }
        return LearningCurve.resume(new LearningCurve.State(growth, nextReading, errors, error, readings));
    }
}
