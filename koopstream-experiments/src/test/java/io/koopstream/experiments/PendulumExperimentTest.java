package io.koopstream.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.control.ControlSettings;
import io.koopstream.control.StageRecord;
import io.koopstream.control.StagedLoop;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.ScoreSummary;
import io.koopstream.control.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reduced versions of the experiments of lab/records/control.md, on the same quantities; the full ones are run by ControlBenchmark. */
class PendulumExperimentTest {

    private final List<StageRecord> published = new ArrayList<>();
    private final PendulumExperiment experiment = new PendulumExperiment(50, () -> 0L, published::add);

    @Test
    void dynamicProgrammingOnACoarseGridIsNearTheReference() {
        StageRecord reference = experiment.reference(61, 0.98, 11);
        // The fine grid has −121 and −135; a coarse one loses some near the top.
        assertThat(reference.score().median()).isBetween(-145.0, -105.0);
        assertThat(reference.score().mean()).isBetween(-165.0, -105.0);
        assertThat(reference.residual()).isLessThanOrEqualTo(1e-6);
        assertThat(published).containsExactly(reference);
    }

    @Test
    void threeThousandRandomTransitionsGiveAControllerNearTheReference() {
        StageRecord result = experiment.uniform(ControlSettings.pendulum(), 3000, 1);
        assertThat(result.score().median()).isGreaterThan(-135);
        assertThat(result.score().mean()).isGreaterThan(-180);
        assertThat(result.dictionary()).isLessThanOrEqualTo(1000);
        assertThat(result.residual()).isLessThanOrEqualTo(1e-5);
        assertThat(result.csv().split(",", -1)).hasSameSizeAs(StageRecord.HEADER.split(",", -1));
    }

    @Test
    void stagesContinueTheSameDictionary() {
        for (Behaviour behaviour : Behaviour.values()) {
            List<StageRecord> stages = new PendulumExperiment(2, () -> 0L, published::add)
                    .staged(ControlSettings.pendulum(), behaviour, 3, 200, 4);
            assertThat(stages).extracting(StageRecord::transitions).containsExactly(200, 400, 600);
            assertThat(stages).extracting(StageRecord::dictionary).isSorted();
        }
        // The first stage has no plan to be greedy with: it is the same for all.
        assertThat(published.get(0).score()).isEqualTo(published.get(3).score());
        assertThat(published.get(1).score()).isNotEqualTo(published.get(4).score());
        assertThat(published.get(4).score()).isNotEqualTo(published.get(7).score());
    }

    @Test
    void thePapersSettingsRun() {
        List<StageRecord> stages = new PendulumExperiment(2, () -> 0L, published::add).paper(1, 1, 1);
        assertThat(stages.get(0).transitions()).isEqualTo(400);
        // With both sides of the residual nearly everything is new to the paper's narrow kernel; in wider units less
        // is.
        assertThat(stages.get(0).dictionary()).isBetween(300, 400);
        List<StageRecord> rescaled = new PendulumExperiment(2, () -> 0L, published::add).paper(1, 4, 1);
        assertThat(rescaled.get(0).dictionary()).isBetween(100, 300);
    }

    @Test
    void theSameCodeDrivesTheMountainCar() {
        StageRecord car = new PendulumExperiment(10, () -> 0L, published::add).mountainCar(2000, 1);
        assertThat(car.score().mean()).isGreaterThan(90);
    }

    @Test
    void valueFunctionsAreNormalised() {
        Plan plan = PendulumExperiment.referencePlan(21, 0, 0.9, 5);
        double[][] places = new double[81][];
        for (int i = 0; i < 81; i++) {
            places[i] = new double[] {Math.PI * (i / 9 - 4) / 4, 2.0 * (i % 9 - 4)};
        }
        double[] values = PendulumExperiment.normalisedValues(plan, places);
        assertThat(values).contains(0.0).contains(1.0);
        // Upright and at rest is the best of all: θ = 0 and θ̇ = 0 are in the middle.
        assertThat(values[40]).isEqualTo(0.0);
    }

    @Test
    void transitionsNeededAreThoseFromWhichOnAllStagesAreGood() {
        List<StageRecord> stages = new ArrayList<>();
        double[] means = {-500, -150, -300, -150, -140};
        for (int stage = 0; stage < means.length; stage++) {
            ScoreSummary score = ScoreSummary.of(new double[] {means[stage]});
            stages.add(new StageRecord("e", "s", "b", 1, stage, 400 * (stage + 1), 1, 1, 0, 0, score));
        }
        assertThat(PendulumExperiment.transitionsNeeded(stages, -180)).isEqualTo(1600);
        assertThat(PendulumExperiment.transitionsNeeded(stages, -600)).isEqualTo(400);
        assertThat(PendulumExperiment.transitionsNeeded(stages, -100)).isEqualTo(-1);
    }

    @Test
    void scoresAreSummarised() {
        ScoreSummary summary = ScoreSummary.of(new double[] {4, 1, 3, 2});
        assertThat(summary.median()).isEqualTo(2.5);
        assertThat(summary.mean()).isEqualTo(2.5);
        assertThat(summary.min()).isEqualTo(1);
        assertThat(summary.max()).isEqualTo(4);
        assertThat(summary.toString()).contains("median 2.5");
        assertThatExceptionOfType(InvalidQueryException.class).isThrownBy(() -> ScoreSummary.of(new double[0]));
    }

    @Test
    void behavioursExploreAsTheySay() {
        Box torques = new Pendulum().actionSpace();
        Policy greedy = observation -> new double[] {7};
        Policy mixed = Policy.epsilonGreedy(greedy, torques, 0.25, 1);
        int explored = 0;
        for (int i = 0; i < 4000; i++) {
            explored += mixed.action(new double[3])[0] == 7 ? 0 : 1;
        }
        assertThat(explored).isBetween(900, 1100);
        Policy held = Policy.held(Policy.uniform(torques, 1), 3);
        double[] actions = new double[6];
        for (int i = 0; i < 6; i++) {
            actions[i] = held.action(new double[3])[0];
        }
        assertThat(actions[1]).isEqualTo(actions[0]);
        assertThat(actions[2]).isEqualTo(actions[0]);
        assertThat(actions[3]).isNotEqualTo(actions[0]);
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Policy.epsilonGreedy(greedy, torques, 1.5, 1));
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> Policy.held(greedy, 0));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new StagedLoop(0, 1, Behaviour.UNIFORM, 1));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Episodes.collect(new Pendulum(), greedy, 0, 1));
    }
}
