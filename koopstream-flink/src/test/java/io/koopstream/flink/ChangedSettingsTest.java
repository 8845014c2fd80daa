package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.testkit.Await;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job whose settings are not those of its savepoint ends when it starts, once and for all, before any key is touched; or only new keys take the new
 * settings.
 */
class ChangedSettingsTest {

    private static final int KEYS = 3;
    private static final long RECORDS = 1500;
    private static final long STOPPED_AFTER = 400;
    /** From here on, records have keys that were not there when the job was stopped. */
    private static final long NEW_KEYS = 900;

    @TempDir
    private Path folder;

    private static LearnSettings.Builder settings(String kernel) {
        return LearnSettings.of(Streams.words("method", "sogd", "kernel", kernel, "maxDictionary", "20"), 2)
                .names(List.of("x", "y"));
    }

    private static SampleEvent event(long n) {
        SampleEvent event = Streams.event(n, KEYS);
        if (n >= NEW_KEYS) {
            event.key = "new-" + event.key;
        }
        return event;
    }

    private StreamExecutionEnvironment job(String run, LearnSettings settings, String savepoint) {
        Map<String, String> more = new HashMap<>();
        if (savepoint != null) {
            more.put("execution.state-recovery.path", savepoint);
        }
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, more);
        SingleOutputStreamOperator<Learned> learned = Jobs.events(environment, ChangedSettingsTest::event, RECORDS, 50)
                .map(Faults.of(run, List.of()))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults")
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.sinkTo(new DiscardingSink<>()).uid("learned");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
        return environment;
    }

    private String stopped(LearnSettings settings, String from, long until) throws Exception {
        String run = Jobs.newRun();
        JobClient job = job(run, settings, from).executeAsync();
        Await.until("record " + until, () -> Faults.memory(run).newest() >= until);
        return job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
    }

    private void assertRefused(LearnSettings settings, String savepoint, String... words) {
        String run = Jobs.newRun();
        var refusal = assertThatThrownBy(() -> job(run, settings, savepoint).execute())
                .as("though a failed job is to be restarted twenty times")
                .hasStackTraceContaining("not recoverable")
                .hasStackTraceContaining("IncompatibleStateException")
                .hasStackTraceContaining("changedSettings: new-keys");
        for (String word : words) {
            refusal.hasStackTraceContaining(word);
        }
        assertThat(Faults.memory(run).firstAfterRestore()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void changedSettingsEndTheJobOrAreForNewKeys() throws Exception {
        LearnSettings old = settings("gaussian(0.5)").build();
        String savepoint = stopped(old, null, STOPPED_AFTER);
        assertRefused(settings("gaussian(0.9)").build(), savepoint, "gaussian(0.5)", "gaussian(0.9)");
        assertRefused(settings("gaussian(0.5)").names(List.of("y", "x")).build(), savepoint, "[x, y]", "[y, x]");

        // No change: another spelling of the kernel, a default said aloud, an option that may change.
        LearnSettings same = LearnSettings.of(
                        Streams.words(
                                "drift",
                                "false",
                                "method",
                                "sogd",
                                "kernel",
                                "gaussian(sigma=0.50)",
                                "criterion",
                                "exact",
                                "maxDictionary",
                                "20"),
                        2)
                .names(List.of("x", "y"))
                .build();
        savepoint = stopped(same, savepoint, STOPPED_AFTER + 100);

        LearnSettings forNewKeys = settings("gaussian(0.9)").newKeysOnly(true).build();
        String both = stopped(forNewKeys, savepoint, NEW_KEYS + 200);
        assertRefused(settings("gaussian(0.9)").build(), both, "gaussian(0.5)");
        String run = Jobs.newRun();
        job(run, forNewKeys, both).execute();

        Map<String, KoopmanModel> plain = new HashMap<>();
        for (long n = 0; n < RECORDS; n++) {
            SampleEvent event = event(n);
            plain.computeIfAbsent(event.key, key -> KoopmanModel.start(key.startsWith("new") ? forNewKeys : old))
                    .accept(event.key, event, false);
        }
        assertThat(plain).hasSize(2 * KEYS);
        plain.forEach(
                (key, model) -> assertThat(Jobs.last(run, key).model().state().digest())
                        .as(key)
                        .isEqualTo(model.state().digest()));
    }
}
