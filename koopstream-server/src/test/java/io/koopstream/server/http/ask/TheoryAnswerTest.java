package io.koopstream.server.http.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.answers.HeavyWork;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.TheoryAnswer;
import io.koopstream.io.StateLabels;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.systems.GridChain;
import io.koopstream.theory.ConvergenceTheory;
import io.koopstream.theory.Mixing;
import io.koopstream.theory.RegularisedRisk;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The paper's theory as the server puts it, on a model whose settings it covers. */
class TheoryAnswerTest {

    private static final Kernel KERNEL = Kernels.gaussian(0.5);

    private static final int SAMPLES = 200;

    private final double[][] path = new GridChain().simulate(1, SAMPLES, 1)[0];

    private final SogdConfig config =
            SogdConfig.forState(1, KERNEL).lambda(1).stepSize(1e-4).budget(0).build();

    private TheoryAnswer answer() {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config);
        for (int t = 0; t < SAMPLES; t++) {
            learner.update(path[t], path[t + 1]);
        }
        return TheoryAnswer.of(
                new LearnedModel(
                        learner.state(),
                        StateLabels.NONE,
                        Optional::empty,
                        TrustRule.stochastic(),
                        new HeavyWork(Integer.MAX_VALUE)),
                null,
                0);
    }

    private double floor(TheoryAnswer answer, double norm) {
        Mixing mixing = new Mixing(1, answer.mixing().estimate().rate());
        return ConvergenceTheory.of(config, mixing, norm, SAMPLES)
                .bound()
                .orElseThrow()
                .floor();
    }

    /** corollary.FT.const needs ‖U_λ‖ or more. The norm of what little has been learned is less, and a bound with it would be none. */
    @Test
    void theBoundIsOneBeforeMuchIsLearned() {
        TheoryAnswer answer = answer();
        double minimiser = new RegularisedRisk(
                        Arrays.copyOf(path, SAMPLES), Arrays.copyOfRange(path, 1, SAMPLES + 1), 1)
                .minimiser(new Rkhs(KERNEL, 1), new Rkhs(KERNEL, 1))
                .norm();
        assertThat(answer.norm()).isPositive().isLessThan(minimiser / 10);
        assertThat(floor(answer, answer.norm())).isLessThan(floor(answer, minimiser));
        assertThat(answer.checks())
                .filteredOn(check -> check.statement().equals("Corollary 10"))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.holds()).isTrue();
                    double stated = Double.parseDouble(
                            check.reason().replaceAll("the error falls to at most (\\S+) in .*", "$1"));
                    assertThat(stated).isGreaterThan(floor(answer, minimiser));
                });
    }

    /** corollary.Koopman.asy: streams are trajectories. */
    @Test
    void oneTrajectoryIsOutsideTheoremSix() {
        assertThat(answer().checks())
                .filteredOn(check -> check.statement().equals(ConvergenceTheory.TRAJECTORY))
                .singleElement()
                .satisfies(check -> assertThat(check.holds()).isFalse());
    }
}
