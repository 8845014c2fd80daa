package io.koopstream.flink.job;

import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.BenchmarkSystems;
import io.koopstream.systems.TrajectoryStreams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/** Particles in four wells, one trajectory a stream, as packed doubles (trajectory, step, x1, x2) under the stream's key. */
final class WellStreams {

    static final String KERNEL = "0.4*gaussian(0.4)+0.6*gaussian(0.7)";

    private final double[][][] states;
    private final List<String> keys;

    WellStreams(int streams, int steps, long seed) {
        this(IntStream.range(0, streams).mapToObj(WellStreams::usualKey).toList(), steps, seed);
    }

    private WellStreams(List<String> keys, int steps, long seed) {
        this.keys = keys;
        int streams = keys.size();
        BenchmarkSystem system = BenchmarkSystems.of("fourwell");
        states = new double[streams][steps + 1][];
        for (int i = 0; i < streams; i++) {
            UniformRandomProvider random = TrajectoryStreams.of(seed, i);
            double[] state = system.initialState(random);
            states[i][0] = state.clone();
            for (int t = 1; t <= steps; t++) {
                system.step(state, random);
                states[i][t] = state.clone();
            }
        }
    }

    /**
     * Streams whose keys are named so that every one of these slots, and every partition of the topic, gets as many as the next. A hash deals
     * keys out: of 64 keys one of two slots may well get 42, which says nothing about the engine.
     */
    static WellStreams even(int streams, int steps, long seed, int slots, int maxParallelism, int partitions) {
        List<String> keys = new ArrayList<>();
        int[][] dealt = new int[slots][partitions];
        for (int i = 0; keys.size() < streams; i++) {
            String key = usualKey(i);
            int slot = KeyGroupRangeAssignment.assignKeyToParallelOperator(key, maxParallelism, slots);
            int partition = Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % partitions;
            if (dealt[slot][partition] < streams / (slots * partitions)) {
                dealt[slot][partition]++;
                keys.add(key);
            }
        }
        return new WellStreams(keys, steps, seed);
    }

    int streams() {
        return states.length;
    }

    int steps() {
        return states[0].length - 1;
    }

    double[] state(int stream, int step) {
        return states[stream][step];
    }

    /** The key of a stream unless keys are dealt out evenly. */
    static String usualKey(int stream) {
        return "well-" + stream;
    }

    String key(int stream) {
        return keys.get(stream);
    }

    KafkaProducer<byte[], byte[]> producer(String brokers, Map<String, String> properties) {
        Properties settings = new Properties();
        settings.putAll(properties);
        settings.put("bootstrap.servers", brokers);
        settings.put("acks", "all");
        settings.put("linger.ms", "20");
        settings.put("batch.size", "131072");
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Sends all streams from a step on, up to another, side by side. */
    void send(KafkaProducer<byte[], byte[]> producer, String topic, int from, int to) {
        AtomicReference<Exception> failure = new AtomicReference<>();
        for (int t = from; t < to; t++) {
            for (int i = 0; i < streams(); i++) {
                double[] state = states[i][t];
                byte[] value = ByteBuffer.allocate(4 * Double.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putDouble(i)
                        .putDouble(t)
                        .putDouble(state[0])
                        .putDouble(state[1])
                        .array();
                var unused = producer.send(
                        new ProducerRecord<>(topic, key(i).getBytes(StandardCharsets.UTF_8), value),
                        (place, trouble) -> failure.compareAndSet(null, trouble));
            }
        }
        producer.flush();
        if (failure.get() != null) {
            throw new IllegalStateException("a sample was not sent", failure.get());
        }
    }
}
