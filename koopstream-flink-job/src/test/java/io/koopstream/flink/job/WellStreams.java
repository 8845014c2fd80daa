package io.koopstream.flink.job;

import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.BenchmarkSystems;
import io.koopstream.systems.TrajectoryStreams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Particles in four wells, one trajectory a stream, as packed doubles (trajectory, step, x1, x2) under the stream's key. */
final class WellStreams {

    static final String KERNEL = "0.4*gaussian(0.4)+0.6*gaussian(0.7)";

    private final double[][][] states;

    WellStreams(int streams, int steps, long seed) {
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

    int streams() {
        return states.length;
    }

    int steps() {
        return states[0].length - 1;
    }

    double[] state(int stream, int step) {
        return states[stream][step];
    }

    static String key(int stream) {
        return "well-" + stream;
    }

    KafkaProducer<byte[], byte[]> producer(String brokers) {
        Properties settings = new Properties();
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
