package io.koopstream.lab.speed;

import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Rows of text as samples. */
public class ReadingBenchmark {

    static final int ROWS = 10_000;

    /** Rows with a trajectory, a step and two coordinates of full precision. */
    @State(Scope.Thread)
    public static class Text {
        /** How a row is written. */
        public enum Format {
            /** With a header. */
            CSV("%1$d,%2$d,%3$s,%4$s%n", "trajectory,step,x,y\n"),
            /** The same with a date and a clock in place of the step. */
            DATED("%1$d,%5$tF %5$tT,%3$s,%4$s%n", "trajectory,date,x,y\n"),
            /** An object a line. */
            JSON("{\"trajectory\": %1$d, \"step\": %2$d, \"x\": %3$s, \"y\": %4$s}%n", "");

            private final String row;
            private final String header;

            Format(String row, String header) {
                this.row = row;
                this.header = header;
            }
        }

        /** How rows are written. */
        @Param("CSV")
        public Format format;

        private byte[] bytes;

        /** Writes the rows. */
        @Setup
        public void write() {
            SplittableRandom random = new SplittableRandom(3);
            StringBuilder text = new StringBuilder(format.header);
            for (int i = 0; i < ROWS; i++) {
                text.append(String.format(
                        Locale.ROOT,
                        format.row,
                        i / 500,
                        i % 500,
                        random.nextDouble() - 0.5,
                        random.nextDouble() - 0.5,
                        LocalDateTime.of(2020, 1, 1, 0, 0).plusMinutes(i)));
            }
            bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    /** All rows. */
    @Benchmark
    public double rows(Text text) throws IOException {
        double sum = 0;
        Sample sample = new Sample();
        try (SampleReader reader = SampleReaders.open(new ByteArrayInputStream(text.bytes), "memory")) {
            while (reader.read(sample)) {
                sum += sample.state()[0];
            }
        }
        return sum;
    }
}
