package io.koopstream.flink;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * The models of a task by key, wherever the state backend keeps them.
 *
 * <p>On the heap backend a model is a value of the state, changed in place. With any other backend, which would write and read all of it with every record,
 * the models that were used last stay here, as many as fit; one that has to go is written, and all that changed are when a checkpoint begins. What is
 * written are the {@linkplain ModelSections sections} that changed. State of either kind is found by the other.
 */
final class TaskModels {

    /** The name of the state that holds whole models. */
    static final String WHOLE = "koopman-model";

    /** The name of the state that holds them in sections. */
    static final String SECTIONS = "koopman-model-sections";

    private final ValueState<KoopmanModel> whole;
    private final MapState<Integer, byte[]> sections;
    /** Makes a key the current one of the state; null on the heap backend. */
    private final Consumer<String> switchTo;

    private final long room;
    private final LearnMetrics metrics;

    /** The hot ones, least recently used first. */
    private final LinkedHashMap<String, Hot> hot = new LinkedHashMap<>(16, 0.75f, true);

    private long held;

    /** A model on the heap in front of the state. */
    private static final class Hot {
        private final KoopmanModel model;
        /** Of its sections in the state. */
        private long[] stored = {};

        /** Whether the state has it whole. */
        private boolean storedWhole;

        private boolean changed;
        private long weight;

        Hot(KoopmanModel model) {
            this.model = model;
        }
    }

    /**
     * @param switchTo makes a key the current one of the state; null on the heap backend
     * @param room bytes for hot models
     */
    TaskModels(RuntimeContext context, Consumer<String> switchTo, long room, LearnMetrics metrics) {
        this.whole = context.getState(new ValueStateDescriptor<>(WHOLE, ModelTypeInfo.INSTANCE));
        this.sections = context.getMapState(
                new MapStateDescriptor<>(SECTIONS, Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        this.switchTo = switchTo;
        this.room = room;
        this.metrics = metrics;
    }

    /** The model of the current key; null if it has none. To be asked for with every record: while a snapshot is written, this may be a copy. */
    KoopmanModel get(String key) throws Exception {
        if (switchTo == null) {
            KoopmanModel model = whole.value();
            return model != null ? model : moved();
        }
        Hot entry = hot.get(key);
        if (entry == null) {
            entry = loaded();
            if (entry == null) {
                return null;
            }
            metrics.loaded();
            hot.put(key, entry);
            weigh(key, entry);
        }
        return entry.model;
    }

    /** Keeps the model of the current key, after every change. */
    void put(String key, KoopmanModel model) throws Exception {
        if (switchTo == null) {
            whole.update(model);
            return;
        }
        Hot entry = hot.get(key);
        if (entry == null) {
            entry = new Hot(model);
            hot.put(key, entry);
        }
        entry.changed = true;
        weigh(key, entry);
    }

    /** Forgets the current key. */
    void clear(String key) {
        Hot entry = hot.remove(key);
        held -= entry == null ? 0 : entry.weight;
        whole.clear();
        sections.clear();
    }

    /** Writes all that changed. Leaves another key the current one, which only whoever sets it before every use may ask for. */
    void flush() throws Exception {
        for (Map.Entry<String, Hot> entry : hot.entrySet()) {
            if (entry.getValue().changed) {
                switchTo.accept(entry.getKey());
                store(entry.getValue());
            }
        }
    }

    /** From a savepoint of another backend. */
    private KoopmanModel moved() throws Exception {
        List<byte[]> stored = storedSections();
        if (stored.isEmpty()) {
            return null;
        }
        KoopmanModel model = ModelSections.model(stored);
        whole.update(model);
        sections.clear();
        return model;
    }

    private Hot loaded() throws Exception {
        List<byte[]> stored = storedSections();
        if (!stored.isEmpty()) {
            Hot entry = new Hot(ModelSections.model(stored));
            entry.stored = stored.stream().mapToLong(ModelSections::digest).toArray();
            return entry;
        }
        KoopmanModel model = whole.value();
        if (model == null) {
            return null;
        }
        Hot entry = new Hot(model);
        entry.storedWhole = true;
        return entry;
    }

    private List<byte[]> storedSections() throws Exception {
        List<byte[]> stored = new ArrayList<>();
        for (byte[] next = sections.get(0); next != null; next = sections.get(stored.size())) {
            stored.add(next);
        }
        return stored;
    }

    /** Writes the sections of the current key that changed. */
    private void store(Hot entry) throws Exception {
        List<byte[]> now = ModelSections.of(entry.model);
        long[] digests = now.stream().mapToLong(ModelSections::digest).toArray();
        for (int i = 0; i < digests.length; i++) {
            if (i >= entry.stored.length || entry.stored[i] != digests[i]) {
                sections.put(i, now.get(i));
                metrics.wrote(now.get(i).length);
            }
        }
        for (int i = digests.length; i < entry.stored.length; i++) {
            sections.remove(i);
        }
        if (entry.storedWhole) {
            whole.clear();
            entry.storedWhole = false;
        }
        entry.stored = digests;
        entry.changed = false;
    }

    /** Makes room for the current key's model. */
    private void weigh(String key, Hot current) throws Exception {
        long weight = current.model.weight();
        held += weight - current.weight;
        current.weight = weight;
        Iterator<Map.Entry<String, Hot>> oldest = hot.entrySet().iterator();
        boolean switched = false;
        while (held > room && hot.size() > 1) {
            Map.Entry<String, Hot> going = oldest.next();
            if (going.getValue().changed) {
                switchTo.accept(going.getKey());
                switched = true;
                store(going.getValue());
            }
            held -= going.getValue().weight;
            oldest.remove();
            metrics.evicted();
        }
        if (switched) {
            switchTo.accept(key);
        }
        metrics.hot(hot.size(), held);
    }
}
