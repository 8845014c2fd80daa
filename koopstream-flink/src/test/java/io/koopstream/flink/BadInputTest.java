package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.io.StreamFile;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.stream.StreamConfig;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes in, a job goes on, nothing is paired wrongly, and every record that was not learned from says why. */
class BadInputTest {

    private static final double[] FIRST = {0.1, 0.0};
    private static final double[] SECOND = {0.9, 0.03};
    private static final double[] THIRD = {0.1, 0.27};

    @TempDir
    private Path folder;

    private static KoopmanModel model() {
        return KoopmanModel.start(Streams.leastSquaresSettings().build());
    }

    private static KoopmanModel.Step at(KoopmanModel model, double step, double... state) {
        return model.accept("k", SampleEvent.atStep("k", "t", step, state), false);
    }

    private static Reason reason(KoopmanModel.Step step) {
        assertThat(step.learned()).isEmpty();
        return step.rejected().orElseThrow().reason;
    }

    /** A plain learner that was told exactly these pairs. */
    private static String learnedFrom(double[]... pairs) {
        LeastSquaresLearner<?> learner = LeastSquaresLearner.koopman(Streams.leastSquares());
        for (int i = 0; i < pairs.length; i += 2) {
            learner.update(pairs[i], pairs[i + 1]);
        }
        return learner.state().digest();
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aNumberThatIsNoneBreaksTheTrajectory(double bad) {
        KoopmanModel model = model();
        at(model, 0, FIRST);
        assertThat(reason(at(model, 1, bad, 0))).isEqualTo(Double.isNaN(bad) ? Reason.MISSING : Reason.NOT_FINITE);
        assertThat(at(model, 2, SECOND).rejected()).isEmpty();
        at(model, 3, THIRD);

        assertThat(model.state().digest()).isEqualTo(learnedFrom(SECOND, THIRD));
    }

    @Test
    void aDimensionThatChangesIsRefused() {
        KoopmanModel model = model();
        at(model, 0, FIRST);
        assertThat(reason(at(model, 1, 0.5))).isEqualTo(Reason.WRONG_DIMENSION);
        assertThat(reason(at(model, 2, 0.5, 0.5, 0.5))).isEqualTo(Reason.WRONG_DIMENSION);
        at(model, 3, SECOND);
        at(model, 4, THIRD);

        assertThat(model.state().digest()).isEqualTo(learnedFrom(SECOND, THIRD));
    }

    @Test
    void hugeNumbersInfiniteStepsAndMissingStatesAreRefused() {
        KoopmanModel model = model();
        assertThat(reason(at(model, 0, 1e200, 0))).isEqualTo(Reason.TOO_LARGE);
        assertThat(reason(at(model, Double.POSITIVE_INFINITY, FIRST))).isEqualTo(Reason.NOT_FINITE);
        assertThat(reason(model.accept("k", SampleEvent.of("k", "t", null), false)))
                .isEqualTo(Reason.NULL);
        assertThat(model.version()).isZero();
    }

    @Test
    void aMissingStateInterruptsItsTrajectoryOrAllWhenItNamesNone() {
        KoopmanModel model = model();
        for (String gap : new String[] {"t", null}) {
            for (String trajectory : List.of("t", "u")) {
                model.accept("k", SampleEvent.of("k", trajectory, FIRST), false);
            }
            model.accept("k", SampleEvent.of("k", gap, null), false);
            boolean[] paired = new boolean[2];
            for (int i = 0; i < 2; i++) {
                SampleEvent event = SampleEvent.of("k", List.of("t", "u").get(i), SECOND);
                paired[i] = model.accept("k", event, false).learned().isPresent();
            }
            assertThat(paired).as("after a gap in " + gap).containsExactly(false, gap != null);
        }
    }

    @Test
    void duplicatesAndLateComersAreLeftOutAndTheTrajectoryGoesOn() {
        KoopmanModel model = model();
        at(model, 4, FIRST);
        assertThat(reason(at(model, 4, THIRD))).isEqualTo(Reason.DUPLICATE);
        assertThat(reason(at(model, 3, THIRD))).isEqualTo(Reason.OUT_OF_ORDER);
        at(model, 5, SECOND);

        assertThat(model.state().digest()).isEqualTo(learnedFrom(FIRST, SECOND));
    }

    @Test
    void aGapIsNamedAndNoPairGoesOverIt() {
        KoopmanModel model = model();
        at(model, 0, FIRST);
        KoopmanModel.Step gap = at(model, 2, SECOND);
        assertThat(reason(gap)).isEqualTo(Reason.GAP);
        assertThat(gap.rejected().orElseThrow().message).contains("step 2.0 after step 0.0");
        at(model, 3, THIRD);

        assertThat(model.state().digest())
                .as("the record after the gap is a start")
                .isEqualTo(learnedFrom(SECOND, THIRD));
    }

    @Test
    void nothingPairsAcrossARecordThatCouldNotBeRead() {
        KoopmanModel model = model();
        model.accept("k", SampleEvent.of("k", "a", FIRST), false);
        model.accept("k", SampleEvent.of("k", "b", FIRST), false);
        assertThat(reason(model.accept("k", SampleEvent.unreadable("k", "a"), false)))
                .isEqualTo(Reason.UNREADABLE);
        model.accept("k", SampleEvent.of("k", "a", THIRD), false);
        model.accept("k", SampleEvent.of("k", "b", SECOND), false);
        assertThat(model.state().digest()).as("b goes on").isEqualTo(learnedFrom(FIRST, SECOND));

        model.accept("k", SampleEvent.unreadable("k", null), false);
        model.accept("k", SampleEvent.of("k", "a", FIRST), false);
        model.accept("k", SampleEvent.of("k", "b", THIRD), false);
        assertThat(model.state().digest()).as("neither goes on").isEqualTo(learnedFrom(FIRST, SECOND));
    }

    @Test
    void nothingPairsAcrossRecordsOfASourceThatWereLostWithTheirKey() {
        KoopmanModel model = model();
        List<double[]> states = List.of(FIRST, SECOND, THIRD, FIRST, SECOND, THIRD, FIRST);
        long[] lost = {2, 2, 3, 3, 3, 1, 1};
        String[] sources = {"p0", "p0", "p0", "p0", "p1", "p0", "p0"};
        for (int i = 0; i < lost.length; i++) {
            SampleEvent event = SampleEvent.of("k", null, states.get(i));
            event.lost = lost[i];
            event.source = sources[i];
            assertThat(model.accept("k", event, false).rejected()).isEmpty();
        }

        assertThat(model.state().digest())
                .as("pairs where the number stayed; a source that is new, or counts anew, may have lost something too")
                .isEqualTo(learnedFrom(FIRST, SECOND, THIRD, FIRST, THIRD, FIRST));
        assertThat(model.stream().counts().unreadable()).isEqualTo(2 + 1 + 3);
    }

    /** Neither bad records nor unreadable ones wait for settings. */
    @Test
    void whatWaitsForSettingsIsBounded() {
        KoopmanModel model =
                KoopmanModel.start(LearnSettings.of(StreamConfig.defaults(), 2).build());
        at(model, 0, FIRST);
        for (int i = 0; i < 1000; i++) {
            assertThat(reason(at(model, 1 + i, Double.NaN, 0))).isEqualTo(Reason.MISSING);
            assertThat(reason(at(model, 1 + i, Double.POSITIVE_INFINITY, 0))).isEqualTo(Reason.NOT_FINITE);
            model.accept("k", SampleEvent.unreadable("k", null), false);
        }

        assertThat(model.stream().waiting()).hasSizeLessThan(4);
        assertThat(model.isWarmingUp()).isTrue();
    }

    /** What is learned does not depend on whether anybody wants to know predictions. */
    @Test
    void predictionsChangeNothing() {
        KoopmanModel told = model();
        KoopmanModel silent = model();
        for (long n = 0; n < 400; n++) {
            Optional<Learned> learned =
                    told.accept("k", Streams.event(n, 1), true).learned();
            assertThat(silent.accept("k", Streams.event(n, 1), false).learned().isPresent())
                    .isEqualTo(learned.isPresent());
            learned.filter(pair -> pair.version > 4).ifPresent(pair -> {
                assertThat(pair.prediction).hasSize(2);
                assertThat(pair.error).isPositive();
            });
        }

        assertThat(StreamFile.digest(told.stream())).isEqualTo(StreamFile.digest(silent.stream()));
    }

    @Test
    void timesShowGapsWhereThereAreNoSteps() {
        KoopmanModel model = model();
        List<Reason> reasons = new ArrayList<>();
        double[] times = {0, 0.1, 0.2, 0.5, 0.6, 0.55, 0.6};
        double[][] states = {FIRST, SECOND, THIRD, FIRST, SECOND, THIRD, THIRD};
        for (int i = 0; i < times.length; i++) {
            model.accept("k", SampleEvent.atTime("k", null, times[i], states[i]), false)
                    .rejected()
                    .ifPresent(rejected -> reasons.add(rejected.reason));
        }

        assertThat(reasons).containsExactly(Reason.GAP, Reason.OUT_OF_ORDER, Reason.DUPLICATE);
        assertThat(model.state().digest()).isEqualTo(learnedFrom(FIRST, SECOND, SECOND, THIRD, FIRST, SECOND));
    }

    @Test
    void trajectoriesOfAKeyAreNotMixed() {
        KoopmanModel model = model();
        model.accept("k", SampleEvent.of("k", "a", FIRST), false);
        model.accept("k", SampleEvent.of("k", "b", THIRD), false);
        model.accept("k", SampleEvent.of("k", "a", SECOND), false);

        assertThat(model.state().digest()).isEqualTo(learnedFrom(FIRST, SECOND));
    }

    /** They would become one in a checkpoint, or make it fail. */
    @Test
    void namesThatCannotBeStoredAreRejected() throws IOException {
        KoopmanModel model = model();
        for (int i = 0; i < 2 * YoungRecords.MAX_RECORDS; i++) {
            for (String name : List.of("\ud800", "a\udc00", "\ufffd")) {
                SampleEvent event = SampleEvent.of("k", name, i % 2 == 0 ? FIRST : SECOND);
                assertThat(model.accept("k", event, false).rejected().orElseThrow().reason)
                        .isEqualTo(Reason.UNREADABLE);
            }
            model.accept("k", SampleEvent.of("k", "?", i % 2 == 0 ? FIRST : SECOND), false);
        }
        SampleEvent lossy = SampleEvent.of("k", "?", FIRST);
        lossy.source = "\ud800";
        assertThat(model.accept("k", lossy, false).rejected()).isPresent();

        model.writeTo(new DataOutputStream(OutputStream.nullOutputStream()));
        assertThat(model.version()).isEqualTo(2L * YoungRecords.MAX_RECORDS - 1);
    }

    @Test
    void trajectoriesBeyondTheLimitAreForgottenOldestFirst() {
        KoopmanModel model =
                KoopmanModel.start(Streams.leastSquaresSettings().stream(Streams.words("openTrajectories", "2"))
                        .build());
        List<RejectedSample> told = new ArrayList<>();
        for (String name : List.of("a", "b", "a", "c", "b", "c")) {
            double[] state = told.isEmpty() ? FIRST : SECOND;
            model.accept("k", SampleEvent.of("k", name, state), false)
                    .forgotten()
                    .ifPresent(told::add);
        }

        assertThat(told).extracting(rejected -> rejected.trajectory).containsExactly("b", "a");
        assertThat(told).allSatisfy(rejected -> {
            assertThat(rejected.reason).isEqualTo(Reason.FORGOTTEN);
            assertThat(rejected.message).contains("openTrajectories = 2").contains("raise openTrajectories");
            assertThat(rejected.state).isEqualTo(FIRST);
        });
        assertThat(model.state().digest())
                .as("b began anew, a and c were followed")
                .isEqualTo(learnedFrom(FIRST, FIRST, FIRST, SECOND));
    }

    /** Records of more trajectories than are followed, in turn: no pair is ever made, and every record is held or told of. */
    @Test
    void everyRecordIsHeldOrToldWhereTooManyTrajectoriesAreOpen() {
        KoopmanModel model =
                KoopmanModel.start(Streams.leastSquaresSettings().stream(Streams.words("openTrajectories", "100"))
                        .build());
        int told = 0;
        for (int n = 0; n < 330; n++) {
            KoopmanModel.Step step = model.accept("k", SampleEvent.of("k", "t" + n % 110, FIRST), false);
            assertThat(step.learned()).isEmpty();
            told += step.forgotten().isPresent() ? 1 : 0;
        }

        assertThat(told).isEqualTo(330 - 100);
    }

    /** What waits for settings is gone through again when they are chosen: what is given up then is told then. */
    @Test
    void trajectoriesGivenUpWhenSettingsAreChosenAreTold() {
        KoopmanModel model =
                KoopmanModel.start(LearnSettings.of(Streams.words("openTrajectories", "5", "warmUp", "200"), 2)
                        .build());
        List<String> told = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            long trajectory = n / 10;
            model.accept("k", SampleEvent.of("k", "t" + trajectory, Streams.state(1, trajectory, n % 10)), false)
                    .forgotten()
                    .ifPresent(rejected -> told.add(rejected.trajectory + ": " + rejected.message));
        }

        assertThat(model.isWarmingUp()).isFalse();
        assertThat(told).singleElement().asString().startsWith("t14: ").contains("this one and 14 more");
    }

    @Test
    void pairsNeedNoTrajectoryButWholeStates() {
        KoopmanModel model = model();
        model.accept("k", SampleEvent.pair("k", FIRST, SECOND), false);
        assertThat(model.state().digest()).isEqualTo(learnedFrom(FIRST, SECOND));
        assertThat(reason(model.accept("k", SampleEvent.pair("k", FIRST, new double[] {1}), false)))
                .isEqualTo(Reason.WRONG_DIMENSION);

        LearnerState ofFour = LeastSquaresLearner.koopman(
                        LeastSquaresConfig.forState(4, Kernels.gaussian(1)).build())
                .state();
        KoopmanModel delayed =
                KoopmanModel.start(LearnSettings.startingFrom(new StoredModel(ofFour, new StateLabels(List.of(), 1, 1)))
                        .build());
        assertThat(reason(delayed.accept("k", SampleEvent.pair("k", FIRST, SECOND), false)))
                .isEqualTo(Reason.PAIR_WITH_DELAYS);
    }

    @Test
    void everythingThatTravelsIsAPojoOrHasASerializerOfItsOwn() {
        for (Class<?> type : List.of(
                Learned.class,
                ModelRecord.class,
                ModelParts.class,
                DriftNotice.class,
                RejectedSample.class,
                Prediction.class)) {
            TypeInformation<?> information = TypeInformation.of(type);
            assertThat(information).as(type.getSimpleName()).isInstanceOf(PojoTypeInfo.class);
            assertThat(information.toString()).doesNotContain("GenericType");
        }
        assertThat(TypeInformation.of(SampleEvent.class)).isEqualTo(SampleEventTypeInfo.INSTANCE);
    }

    @Test
    void aFunctionMayBeClosedTwiceAndBeforeItWasOpened() {
        LearnFunction function =
                new LearnFunction(Streams.leastSquaresSettings().build());

        assertThatCode(() -> {
                    function.close();
                    function.close();
                })
                .doesNotThrowAnyException();
    }

    /** The stream of the job below: good and bad records of one key. */
    private static SampleEvent record(long n) {
        return switch ((int) n) {
            case 0 -> SampleEvent.request("k");
            case 1 -> SampleEvent.atStep("k", "t", 0, FIRST);
            case 2 -> SampleEvent.atStep("k", "t", 1, SECOND);
            case 3 -> null;
            case 4 -> SampleEvent.atStep(null, "t", 2, THIRD);
            case 5 -> SampleEvent.atStep("k", "t", 2, THIRD);
            case 6 -> SampleEvent.of("k", "no steps", FIRST);
            // Behind the watermark.
            case 7 -> SampleEvent.of("k", "no steps", SECOND);
            case 8 -> SampleEvent.of("k", "no steps", THIRD);
            default -> SampleEvent.request("k");
        };
    }

    /** One second per record; the record before the last two comes three seconds late. */
    private static final class Times implements TimestampAssigner<SampleEvent> {
        private long count;

        @Override
        public long extractTimestamp(SampleEvent event, long before) {
            long n = count++;
            return 1000 * (n == 7 ? 3 : n);
        }
    }

    /** A watermark right behind every record. */
    private static final class AtEveryRecord implements WatermarkGenerator<SampleEvent> {
        @Override
        public void onEvent(SampleEvent event, long timestamp, WatermarkOutput output) {
            output.emitWatermark(new Watermark(timestamp));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {
            // Only records move the clock.
        }
    }

    @Test
    void aJobTellsWhatItLeftOutAndGoesOn() throws Exception {
        String run = Jobs.newRun();
        LearnSettings settings = Streams.leastSquaresSettings()
                .allowedLateness(Duration.ofSeconds(2))
                .build();
        StreamExecutionEnvironment environment = Jobs.environment(folder, 1, Map.of());
        SingleOutputStreamOperator<Learned> learned = Jobs.events(environment, BadInputTest::record, 10, 100)
                .assignTimestampsAndWatermarks(WatermarkStrategy.<SampleEvent>forGenerator(c -> new AtEveryRecord())
                        .withTimestampAssigner(c -> new Times()))
                .uid("times")
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .uid("remember")
                .map(version -> version)
                .returns(TypeInformation.of(Long.class))
                .sinkTo(new org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink<>())
                .uid("remembered");
        List<Reason> reasons = new ArrayList<>();
        Jobs.collect(learned.getSideOutput(LearnFunction.REJECTED), rejected -> reasons.add(rejected.reason));

        assertThat(reasons)
                .as("a request before any sample, a missing record, a missing key, a record behind the watermark")
                .containsExactly(Reason.NO_MODEL, Reason.NULL, Reason.NULL, Reason.LATE);
        assertThat(Jobs.published(run, "k", 2L).model().state().digest())
                .as(
                        "the answer to the last request: no pair across the late record, where no steps would show that it is missing")
                .isEqualTo(learnedFrom(FIRST, SECOND, SECOND, THIRD));
    }
}
