package io.koopstream.lab.accuracy;

import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.tuning.Proposal;
import io.koopstream.tuning.SettingsAdvisor;

/** Settings proposed from a warm-up window against settings chosen by hand by somebody who knows the truth. */
final class ProposalStudy {

    private ProposalStudy() {}

    /** One system, with its second coordinate (if it has one) in another unit, which only the proposal has to cope with. */
    static void row(Table table, Subject subject, double unit, int pairs, int seeds) {
        double[] proposed = new double[seeds];
        double[] byHand = new double[seeds];
        int[] sizes = new int[seeds];
        Proposal last = null;
        for (int s = 0; s < seeds; s++) {
            int steps = Math.min(subject.steps(), pairs);
            PairStream stream = PairStream.of(subject.system(), pairs / steps, steps, s + 1);
            LeastSquaresConfig hand = LeastSquaresConfig.forState(
                            subject.system().dimension(), subject.kernel())
                    .holdOut(HoldOutConfig.DEFAULT_SHARE)
                    .epsilon(subject.epsilon())
                    .build();
            byHand[s] = error(subject, learn(hand, stream).snapshot());
            PairStream seen = unit == 1 ? stream : stream.inUnit(1, unit);
            last = SettingsAdvisor.propose(seen.inputs(), seen.outputs());
            LeastSquaresLearner<KoopmanOperator> learner = learn(last.leastSquares(), seen);
            proposed[s] = error(subject, learner.snapshot());
            sizes[s] = learner.dictionarySize();
        }
        table.row(
                subject.name() + (unit == 1 ? "" : Figures.format(", second coordinate times %.0f", unit)),
                subject.eigenvalues(),
                Figures.error(Figures.median(byHand)),
                Figures.error(Figures.largest(byHand)),
                Figures.error(Figures.median(proposed)),
                Figures.error(Figures.largest(proposed)),
                Figures.range(sizes),
                last == null
                        ? ""
                        : Figures.format(
                                "%s, %.2g", last.kernel().text(), last.epsilon().value()));
    }

    private static LeastSquaresLearner<KoopmanOperator> learn(LeastSquaresConfig config, PairStream stream) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
        stream.feed(learner, 0, stream.size());
        return learner;
    }

    private static double error(Subject subject, KoopmanOperator operator) {
        double[][] known = subject.known();
        return EigenvalueMatch.of(Spectrum.leading(operator, known.length).eigenvalues(), known)
                .largest(0, known.length);
    }
}
