package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.flink.ModelRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that become records, or files and pointers. */
class ModelPublisherTest {

    @TempDir
    Path folder;

    private final List<Outgoing> sent = new ArrayList<>();

    @Test
    void largeModelsBecomeFilesAndPointers() throws Exception {
        try (ModelPublisher publisher = new ModelPublisher(store(), 10, 2, sent::add)) {
            publisher.add(part("a", 1, 0, true, new byte[10]));
            publisher.add(part("a", 2, 0, false, new byte[8]));
            publisher.add(part("a", 2, 1, true, new byte[] {5, 6, 7}));
            publisher.flush();
        }
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0).pointer).isFalse();
        assertThat(sent.get(0).value).hasSize(10);
        assertThat(sent.get(1).pointer).isTrue();
        ModelPointer pointer = ModelPointer.parse(sent.get(1).value, "here");
        byte[] stored = Files.readAllBytes(Path.of(URI.create(pointer.path())));
        assertThat(stored).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7);
        assertThat(pointer.checksum()).isEqualTo(ModelPointer.checksum(stored)).isEqualTo(sent.get(1).checksum);
        assertThat(pointer.bytes()).isEqualTo(11);
        assertThat(pointer.version()).isEqualTo(2);
    }

    @Test
    void filesGoWhenANewerPointerHasBeenCommittedForAWholeCheckpoint() throws Exception {
        ModelStore store = store();
        try (ModelPublisher publisher = new ModelPublisher(store, -1, 1, sent::add)) {
            for (long round = 1; round <= 4; round++) {
                publisher.add(part("a", round, 0, true, new byte[1]));
                publisher.checkpoint(round);
                publisher.complete(round);
                // Deletions are done at the latest with the next checkpoint.
                publisher.flush();
                // The file of this round may not be committed yet, that of the round before is; what is older is
                // pruned next time.
                assertThat(store.versions("a")).contains(round).contains(Math.max(1, round - 1));
            }
            assertThat(store.versions("a")).containsExactly(4L, 3L);
        }
    }

    /** Each of four writes ends only while three others are under way; pointers keep the order of the models. */
    @Test
    void filesAreWrittenAtTheSameTimeAndToldInOrder() throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        ModelStore store = new ModelStore(folder.toUri().toString()) {
            private static final long serialVersionUID = 1L;

            @Override
            URI write(String key, long version, byte[] model) throws IOException {
                try {
                    together.await(1, TimeUnit.MINUTES);
                } catch (Exception e) {
                    throw new IOException("written alone", e);
                }
                return super.write(key, version, model);
            }
        };
        try (ModelPublisher publisher = new ModelPublisher(store, -1, 3, sent::add)) {
            for (String key : List.of("a", "b", "c", "d")) {
                publisher.add(part(key, 1, 0, true, new byte[] {1}));
            }
            for (String key : List.of("a", "b", "c", "d")) {
                publisher.add(part(key, 2, 0, true, new byte[] {2}));
            }
            publisher.checkpoint(1);
        }
        assertThat(sent).extracting(result -> result.key).containsExactly("a", "b", "c", "d", "a", "b", "c", "d");
        assertThat(sent).allMatch(result -> result.pointer);
    }

    @Test
    void theSameVersionAgainIsWrittenOneAfterTheOther() throws Exception {
        ModelStore store = store();
        try (ModelPublisher publisher = new ModelPublisher(store, -1, 1, sent::add)) {
            for (int i = 0; i < 50; i++) {
                publisher.add(part("a", 7, 0, true, new byte[] {7}));
            }
            publisher.flush();
        }
        assertThat(sent).hasSize(50);
        assertThat(store.versions("a")).containsExactly(7L);
    }

    @Test
    void aFileThatCannotBeWrittenFailsTheCheckpoint() throws Exception {
        ModelStore store = new ModelStore(folder.toUri().toString()) {
            private static final long serialVersionUID = 1L;

            @Override
            URI write(String key, long version, byte[] model) throws IOException {
                throw new IOException("no space");
            }
        };
        try (ModelPublisher publisher = new ModelPublisher(store, -1, 3, sent::add)) {
            assertThatThrownBy(() -> {
                        publisher.add(part("a", 1, 0, true, new byte[] {1}));
                        publisher.checkpoint(1);
                    })
                    .hasMessageContaining("no space");
        }
        assertThat(sent).isEmpty();
    }

    private ModelStore store() {
        return new ModelStore(folder.toUri().toString());
    }

    private static ModelRecord part(String key, long version, int part, boolean last, byte[] bytes) {
        ModelRecord record = new ModelRecord();
        record.key = key;
        record.version = version;
        record.part = part;
        record.last = last;
        record.bytes = bytes;
        return record;
    }
}
