package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.stream.Outcome;
import io.koopstream.stream.StreamSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.junit.jupiter.api.Test;

/** The head of a merged stream makes the pairs that a key of its own would make, whether or not it is stored in between. */
class PairStateTest {

    private static LearnSettings settings() {
        return LearnSettings.of(Streams.words("kernel", "gaussian(0.5)", "delays", "1", "openTrajectories", "2"), 2)
                .build();
    }

    private static SampleEvent event(int n) {
        SampleEvent event =
                SampleEvent.atStep("s", n % 2 == 0 ? "a" : "b", Math.floor(0.5 * n), new double[] {n, 0.5 * n});
        if (n % 2 == 1) {
            event.step = Double.NaN;
        }
        event.source = "p";
        event.lost = n / 12;
        switch (n % 20) {
            case 7 -> event.state = null;
            case 9 -> event.state[1] = Double.NaN;
            case 12 -> event.step -= 1;
            case 14 -> event.step -= 3;
            case 16 -> event.step += 1;
            case 17 -> event.unreadable = true;
            case 18 -> event.trajectory = "c";
            default -> {}
        }
        return event;
    }

    private static PairState restored(PairState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PairState.SERIALIZER.serialize(state, new DataOutputViewStreamWrapper(bytes));
        return PairState.SERIALIZER.deserialize(
                new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes.toByteArray())));
    }

    @Test
    void pairsAreThoseOfAModel() throws IOException {
        KoopmanModel model = KoopmanModel.start(settings());
        PairState state = PairState.start(settings());
        List<Outcome.Kind> kinds = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            SampleEvent event = event(n);
            PairState copy = PairState.SERIALIZER.copy(state);
            Outcome outcome = state.next(event);
            kinds.add(outcome.kind());
            KoopmanModel.Step step = model.accept("s", event, false);

            assertThat(outcome.isPair())
                    .as("record %d", n)
                    .isEqualTo(step.learned().isPresent());
            assertThat(RejectedSample.of("s", event, outcome).map(RejectedSample::toString))
                    .isEqualTo(step.rejected().map(RejectedSample::toString));
            assertThat(copy.next(event)).isEqualTo(outcome);
            state = restored(state);
        }
        assertThat(kinds)
                .contains(
                        Outcome.Kind.STARTED,
                        Outcome.Kind.WAITING,
                        Outcome.Kind.GAP,
                        Outcome.Kind.DUPLICATE,
                        Outcome.Kind.LATE,
                        Outcome.Kind.REFUSED,
                        Outcome.Kind.UNREADABLE);
    }

    @Test
    void partsNeedAKernelBeforeTheStreamBegins() {
        LearnSettings without = LearnSettings.of(StreamSettings.defaults(), 2).build();

        assertThatThrownBy(() -> new PairFunction(without, Partitioning.of("s", 2)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("kernel");
    }
}
