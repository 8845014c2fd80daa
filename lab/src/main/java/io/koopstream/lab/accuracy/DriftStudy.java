package io.koopstream.lab.accuracy;

import io.koopstream.change.DriftEvent;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.rows.Observation;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.LinearOscillator;
import io.koopstream.systems.NoisyLogistic;
import io.koopstream.systems.NoisyRotation;
import io.koopstream.systems.OrnsteinUhlenbeck;
import io.koopstream.systems.VanDerPol;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether a switch of the dynamics is noticed, how soon, whether the spectrum follows it, and how often there is a false alarm. */
final class DriftStudy {

    private static final double EPSILON = 0.15;
    private static final double DISCOUNT = 0.01;
    private static final int FIRST_SEED = 2001;

    private DriftStudy() {}

    /** A switch from one system to another, both in the plane; the state goes on from where it is. */
    private record Switch(String text, BenchmarkSystem before, BenchmarkSystem after, Kernel kernel, int eigenvalues) {}

    private static final List<Switch> SWITCHES = List.of(
            new Switch(
                    "rotation by 0.5 to 0.8",
                    new NoisyRotation(),
                    new NoisyRotation(0.95, 0.8, 0.2),
                    Kernels.gaussian(0.8),
                    3),
            new Switch(
                    "rotation by 0.5 to 0.6",
                    new NoisyRotation(),
                    new NoisyRotation(0.95, 0.6, 0.2),
                    Kernels.gaussian(0.8),
                    3),
            new Switch(
                    "Ornstein–Uhlenbeck, first rate 0.5 to 2, noise 1 to 2",
                    new OrnsteinUhlenbeck(),
                    new OrnsteinUhlenbeck(new double[] {2, 0.8}, new double[] {2, 0.7}, 0.2),
                    Kernels.gaussian(1.5),
                    3),
            new Switch(
                    "oscillator, frequency 2 to 3",
                    new LinearOscillator(),
                    new LinearOscillator(3, 0.4, 1.5),
                    Kernels.gaussian(1),
                    3));

    private static LearningStream stream(Kernel kernel, double discount) {
        return LearningStream.of(StreamConfig.parse(Map.of(
                "kernel",
                kernel.text(),
                "epsilon",
                Double.toString(EPSILON),
                "driftDiscount",
                Double.toString(discount))));
    }

    private static void feed(LearningStream stream, PairStream pairs) {
        for (int i = 0; i < pairs.size(); i++) {
            stream.accept(Observation.pair(pairs.inputs()[i], pairs.outputs()[i]));
        }
    }

    /** The switches: noticed, delay, and errors of the leading eigenvalues. */
    static void switches(PrintStream out, int seeds, int before, int after) {
        Table table = new Table(
                out,
                "switch",
                "noticed",
                "alarms before",
                "delay: median",
                "largest",
                "error before",
                "error after, adapting",
                "error after, not adapting");
        for (Switch change : SWITCHES) {
            List<Double> delays = new ArrayList<>();
            int early = 0;
            double[][] errors = new double[3][seeds];
            for (int s = 0; s < seeds; s++) {
                PairStream first = PairStream.of(change.before, 1, before, FIRST_SEED + s);
                PairStream second = PairStream.of(change.after, 1, after, FIRST_SEED + seeds + s);
                LearningStream adapting = stream(change.kernel, DISCOUNT);
                LearningStream keeping = stream(change.kernel, 1);
                feed(adapting, first);
                feed(keeping, first);
                errors[0][s] = error(adapting, change.before, change.eigenvalues);
                int alarms = keeping.watch().events().size();
                early += alarms;
                feed(adapting, second);
                feed(keeping, second);
                List<DriftEvent> events = keeping.watch().events();
                if (events.size() > alarms) {
                    delays.add((double) (events.get(alarms).sample() - before));
                }
                errors[1][s] = error(adapting, change.after, change.eigenvalues);
                errors[2][s] = error(keeping, change.after, change.eigenvalues);
            }
            double[] waited = delays.stream().mapToDouble(d -> d).toArray();
            table.row(
                    change.text,
                    waited.length + " of " + seeds,
                    early,
                    waited.length == 0 ? "–" : Figures.format("%.0f", Figures.median(waited)),
                    waited.length == 0 ? "–" : Figures.format("%.0f", Figures.largest(waited)),
                    Figures.error(Figures.median(errors[0])),
                    Figures.error(Figures.median(errors[1])),
                    Figures.error(Figures.median(errors[2])));
        }
    }

    private static double error(LearningStream stream, BenchmarkSystem system, int eigenvalues) {
        return EigenvalueMatch.of(
                        Spectrum.leading(stream.learner().orElseThrow().snapshot(), eigenvalues)
                                .eigenvalues(),
                        system.exactEigenvalues(eigenvalues).orElseThrow())
                .largest(0, eigenvalues);
    }

    /** Streams without a change. */
    static void falseAlarms(PrintStream out, int seeds, int pairs) {
        Table table = new Table(out, "stream", "pairs in all", "false alarms", "per 100,000 pairs");
        falseAlarms(table, "Ornstein–Uhlenbeck", new OrnsteinUhlenbeck(), pairs, Kernels.gaussian(1.5), seeds, pairs);
        falseAlarms(table, "noisy rotation", new NoisyRotation(), pairs, Kernels.gaussian(0.8), seeds, pairs);
        falseAlarms(table, "oscillator", new LinearOscillator(), pairs, Kernels.gaussian(1), seeds, pairs);
        falseAlarms(table, "noisy logistic map", new NoisyLogistic(), pairs, Kernels.gaussian(0.2), seeds, pairs);
        falseAlarms(table, "van der Pol", new VanDerPol(), pairs, Kernels.gaussian(1), seeds, pairs);
        falseAlarms(table, "four wells, paths of 100", new FourWell(), 100, Kernels.gaussian(0.5), seeds, pairs);
    }

    private static void falseAlarms(
            Table table, String text, BenchmarkSystem system, int steps, Kernel kernel, int seeds, int pairs) {
        int alarms = 0;
        for (int s = 0; s < seeds; s++) {
            LearningStream stream = stream(kernel, 1);
            feed(stream, PairStream.of(system, pairs / steps, steps, FIRST_SEED + s));
            alarms += stream.watch().events().size();
        }
        double all = (double) seeds * pairs;
        table.row(text, Figures.format("%,.0f", all), alarms, Figures.format("%.2f", alarms * 1e5 / all));
    }
}
