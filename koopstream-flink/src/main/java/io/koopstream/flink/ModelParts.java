package io.koopstream.flink;

import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.io.CustomSchedules;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StatisticsFile;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A published model while its parts arrive, and the way there and back. A POJO to Flink, so that it can wait in state. */
public final class ModelParts {

    /** The model's key. */
    public String key;

    /** The version whose parts these are. */
    public long version;

    /** Whether the stream had ended when it was published. */
    public boolean end;

    /** Whether these are no model but what was added to statistics. */
    public boolean difference;

    /** The parts so far, in order. */
    public byte[][] parts = {};

    /** Whether the last part is there. */
    public boolean complete;

    /** For Flink, which fills the fields. */
    public ModelParts() {}

    /**
     * Cuts a model into records.
     *
     * @param version pairs it has taken, those that were held out among them
     * @param blockBytes the most bytes of one
     * @param target takes them, in order
     */
    public static void publish(
            String key, long version, StoredModel model, int blockBytes, boolean end, Consumer<ModelRecord> target) {
        ModelRecord head = new ModelRecord();
        head.key = key;
        head.version = version;
        head.end = end;
        head.dictionary = model.state().dictionarySize();
        cut(head, blockBytes, bytes -> ModelFile.write(bytes, model), target);
    }

    /** Cuts what was added to statistics into records. */
    static void publish(String key, StatisticsDelta news, int blockBytes, Consumer<ModelRecord> target) {
        ModelRecord head = new ModelRecord();
        head.key = key;
        head.version = news.pairs();
        head.difference = true;
        head.dictionary = news.added().points();
        cut(head, blockBytes, bytes -> bytes.write(StatisticsFile.encode(news)), target);
    }

    /** What writes the bytes that are cut. */
    private interface Writer {
        void write(OutputStream bytes) throws IOException;
    }

    private static void cut(ModelRecord head, int blockBytes, Writer writer, Consumer<ModelRecord> target) {
        Consumer<Block> emit = block -> {
            ModelRecord record = new ModelRecord();
            record.key = head.key;
            record.version = head.version;
            record.part = block.number();
            record.last = block.last();
            record.end = head.end;
            record.difference = head.difference;
            record.dictionary = head.dictionary;
            record.bytes = block.bytes;
            target.accept(record);
        };
        try (Blocks blocks = new Blocks(blockBytes, emit)) {
            writer.write(blocks);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does no input or output", e);
        }
    }

    /**
     * Takes the next record. The first part of a version replaces whatever was there; a part that does not follow is refused.
     *
     * @return this model, when the record completed it
     * @throws IncompatibleStateException if the record is not the next part
     */
    public Optional<ModelParts> add(ModelRecord record) {
        if (record.part == 0) {
            key = record.key;
            version = record.version;
            end = record.end;
            difference = record.difference;
            parts = new byte[0][];
            complete = false;
        }
        if (complete || record.part != parts.length || record.version != version || record.bytes == null) {
            throw new IncompatibleStateException(
                    IncompatibleStateException.Reason.DAMAGED,
                    "model " + record.key + ": part " + record.part + " of version " + record.version
                            + " does not follow part " + (parts.length - 1) + " of version " + version
                            + "; send the parts of a model in order, through one partition");
        }
        parts = Arrays.copyOf(parts, parts.length + 1);
        parts[parts.length - 1] = record.bytes;
        complete = record.last;
        return complete ? Optional.of(this) : Optional.empty();
    }

    /**
     * The model.
     *
     * @throws io.koopstream.io.ModelFormatException if the bytes are not a model
     */
    public StoredModel model() {
        try (InputStream bytes = bytes()) {
            return ModelFile.read(bytes, length(), CustomSchedules.none());
        } catch (IOException e) {
            throw new UncheckedIOException("memory does no input or output", e);
        }
    }

    /**
     * What was added to statistics.
     *
     * @throws io.koopstream.io.ModelFormatException if the bytes are something else
     */
    StatisticsDelta news() {
        try (InputStream bytes = bytes()) {
            return StatisticsFile.decodeNews(bytes.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("memory does no input or output", e);
        }
    }

    private InputStream bytes() {
        Stream<InputStream> streams = Stream.of(parts).map(ByteArrayInputStream::new);
        return new SequenceInputStream(Collections.enumeration(streams.toList()));
    }

    private long length() {
        return Stream.of(parts).mapToLong(part -> part.length).sum();
    }

    /** One part on its way out. */
    private static final class Block {
        private final int number;
        private final boolean last;
        private final byte[] bytes;

        Block(int number, boolean last, byte[] bytes) {
            this.number = number;
            this.last = last;
            this.bytes = bytes;
        }

        int number() {
            return number;
        }

        boolean last() {
            return last;
        }
    }

    /** A stream that is cut into blocks of one size. */
    private static final class Blocks extends OutputStream {

        private final int size;
        private final Consumer<Block> target;
        private byte[] block;
        private int filled;
        private int number;

        Blocks(int size, Consumer<Block> target) {
            this.size = size;
            this.target = target;
            this.block = new byte[size];
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            int done = 0;
            while (done < length) {
                if (filled == size) {
                    // Only now is it known that this was not the last one.
                    target.accept(new Block(number++, false, block));
                    block = new byte[size];
                    filled = 0;
                }
                int count = Math.min(size - filled, length - done);
                System.arraycopy(bytes, offset + done, block, filled, count);
                filled += count;
                done += count;
            }
        }

        @Override
        public void close() {
            target.accept(new Block(number, true, Arrays.copyOf(block, filled)));
        }
    }
}
