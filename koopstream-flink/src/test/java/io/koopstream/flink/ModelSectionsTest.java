package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.StreamFile;
import io.koopstream.stream.StreamConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.junit.jupiter.api.Test;

/** Sections are the stored model, and only those that changed are others afterwards. */
class ModelSectionsTest {

    private static KoopmanModel fed(LearnSettings settings, int records) {
        KoopmanModel model = KoopmanModel.start(settings);
        for (long n = 0; n < records; n++) {
            SampleEvent event = Streams.event(n, 1);
            model.accept(event.key, event, false);
        }
        return model;
    }

    private static byte[] joined(List<byte[]> sections) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] section : sections) {
            all.write(section);
        }
        return all.toByteArray();
    }

    @Test
    void oneBehindTheOtherTheyAreTheStoredModel() throws IOException {
        for (int records : new int[] {1, 20, 33, 2000}) {
            KoopmanModel model = fed(Streams.leastSquaresSettings().build(), records);
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            ModelSerializer.INSTANCE.serialize(model, new DataOutputViewStreamWrapper(whole));
            List<byte[]> sections = ModelSections.of(model);

            assertThat(joined(sections)).isEqualTo(whole.toByteArray());
            KoopmanModel read = ModelSections.model(sections);
            read.follow(Streams.leastSquaresSettings().build());
            assertThat(StreamFile.digest(read.stream())).isEqualTo(StreamFile.digest(model.stream()));
        }
    }

    /** A sample that is not kept changes the statistics and the open forecasts, not the dictionary and not the copy of it that forecasts use. */
    @Test
    void aRecordThatIsNotKeptLeavesBothDictionariesAsTheyAre() throws IOException {
        StreamConfig words =
                Streams.words("kernel", "gaussian(0.5)", "epsilon", "0.02", "holdout", "0", "openTrajectories", "2");
        LearnSettings settings = LearnSettings.of(words, 2).build();
        KoopmanModel model = fed(settings, 5000);
        int kept = model.dictionarySize();
        List<byte[]> before = ModelSections.of(model);
        for (long n = 5000; n < 5010; n++) {
            SampleEvent event = Streams.event(n, 1);
            model.accept(event.key, event, false);
        }
        List<byte[]> after = ModelSections.of(model);

        assertThat(model.dictionarySize()).as("the dictionary is as it was").isEqualTo(kept);
        assertThat(after).hasSameSizeAs(before);
        long changed = 0;
        long all = 0;
        for (int i = 0; i < after.size(); i++) {
            boolean same = Arrays.equals(before.get(i), after.get(i));
            assertThat(ModelSections.digest(before.get(i)) == ModelSections.digest(after.get(i)))
                    .isEqualTo(same);
            changed += same ? 0 : after.get(i).length;
            all += after.get(i).length;
        }
        long dictionary = 8L * kept * (kept + 1) / 2;
        assertThat(changed).isPositive().isLessThan(all - 2 * dictionary);
    }

    @Test
    void everyBitCounts() {
        byte[] section = new byte[29];
        Map<Long, Integer> seen = new HashMap<>(Map.of(ModelSections.digest(section), -1));
        for (int bit = 0; bit < 8 * section.length; bit++) {
            byte[] other = section.clone();
            other[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(seen.put(ModelSections.digest(other), bit))
                    .as("bit %d", bit)
                    .isNull();
        }
        assertThat(seen).doesNotContainKey(ModelSections.digest(new byte[28]));
    }
}
