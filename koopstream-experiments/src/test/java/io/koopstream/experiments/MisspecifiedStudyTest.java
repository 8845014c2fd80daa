package io.koopstream.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.experiments.MisspecifiedStudy.Learned;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.StepSize;
import org.junit.jupiter.api.Test;

/** Assumption 2 (assumption.src), lemma.Kt and thm.Koopman.FT.general where K is not in the smooth spaces. */
class MisspecifiedStudyTest {

    private static final FiniteChain SMOOTH = new FiniteChain(0.3, 0);
    private static final FiniteChain JUMPING = new FiniteChain(0, 0.4);
    private static final double[] LAMBDAS = {1, 0.1, 0.01, 1e-3, 1e-4};

    /** Without a jump it is the chain whose constants ChainTheoryTest computes by itself. */
    @Test
    void withoutAJumpItIsTheGridChain() {
        assertThat(SMOOTH.source(0.1)).isCloseTo(0.62, within(0.005));
        assertThat(SMOOTH.source(0.9)).isCloseTo(1.42, within(0.005));
        ConvergenceExperiment known = new ConvergenceExperiment(1, 1);
        assertThat(SMOOTH.minimiser(0.05).distance(known.minimiser(0.05))).isLessThan(1e-9);
        assertThat(SMOOTH.mixing().rate()).isCloseTo(known.mixing().rate(), within(1e-12));
    }

    /** assumption.src: a jump leaves B_src² small where [H]^β is large, and makes it huge where it is smooth. */
    @Test
    void aJumpIsMisspecified() {
        assertThat(JUMPING.source(0.1)).isLessThan(1);
        assertThat(JUMPING.source(0.5)).isGreaterThan(100 * JUMPING.source(0.1));
    }

    /** lemma.Kt with erratum 12: the bias is within λ^(β−γ) B_src² for every β, and falls much more slowly than on the smooth chain. */
    @Test
    void theBiasIsWithinItsBound() {
        for (FiniteChain chain : new FiniteChain[] {SMOOTH, JUMPING}) {
            MisspecifiedStudy study = new MisspecifiedStudy(chain);
            for (double gamma : new double[] {0, 0.2, 0.4}) {
                double[] bias = study.bias(gamma, LAMBDAS);
                double[] bound = study.biasBound(gamma, LAMBDAS);
                for (int i = 0; i < bias.length; i++) {
                    assertThat(bias[i])
                            .as("gamma %s, lambda %s", gamma, LAMBDAS[i])
                            .isLessThanOrEqualTo(bound[i]);
                }
            }
        }
        double slow = new MisspecifiedStudy(JUMPING).bias(0, LAMBDAS)[4];
        assertThat(slow).isGreaterThan(10 * new MisspecifiedStudy(SMOOTH).bias(0, LAMBDAS)[4]);
    }

    /** lemma.Kt along learning: the measured error stays within the lemma and comes down towards the bias. */
    @Test
    void errorsInInterpolationNormsFallToTheBias() {
        SogdConfig config = ConvergenceExperiment.config(0.05, StepSize.decay(5, 50, 0.6), Budget.constant(0));
        Learned learned =
                new MisspecifiedStudy(JUMPING).learn(config, new double[] {0.1, 0.3}, new int[] {10, 100, 4000}, 4, 1);
        for (int g = 0; g < 2; g++) {
            double[] errors = learned.errors().get(g);
            for (int i = 0; i < errors.length; i++) {
                assertThat(errors[i]).isLessThanOrEqualTo(learned.lemma().get(g)[i]);
            }
            assertThat(errors[2])
                    .isLessThan(errors[0])
                    .isBetween(
                            0.5 * learned.biases().get(g), 2 * learned.biases().get(g));
        }
    }
}
