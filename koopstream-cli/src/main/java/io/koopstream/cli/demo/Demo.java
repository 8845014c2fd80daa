package io.koopstream.cli.demo;

import io.koopstream.answers.Clock;
import io.koopstream.change.LearningCurve;
import io.koopstream.cli.learn.Training;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Progress;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.TrajectoryStreams;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;

/** The main job end to end on a system whose spectrum is known: simulate, learn from the stream, compare. */
final class Demo {

    static final int MIN_SAMPLES = 2_000;

    /** Particles observed at once, tick by tick, so that neighbouring samples are independent. */
    private static final int PARTICLES = 2_000;

    private static final int EIGENVALUES = 6;
    /** More of them in the picture, where they cost no room. */
    static final int DRAWN_EIGENVALUES = 15;

    private static final String KERNEL = "0.4*gaussian(0.4)+0.6*gaussian(0.7)";

    private final Console console;
    private final long seed;
    private final int samples;
    private final FourWell system = new FourWell();
    private final double[][] particles = new double[PARTICLES][];
    private Training learner;
    private KoopmanOperator operator;
    private Spectrum spectrum;
    private double seconds;

    Demo(Console console, long seed, int samples) {
        this.console = console;
        this.seed = seed;
        this.samples = samples;
    }

    /** Simulates and learns in one pass; nothing is stored but the particles' present states. */
    void learn() {
        console.tell(
                "Four wells (%s): %,d particles observed in turn, %,d transitions, seed %d",
                system.id(), PARTICLES, samples, seed);
        LearningStream stream = LearningStream.of(
                StreamConfig.parse(Map.of("kernel", KERNEL, "lambda", "1e-6", "holdout", "0")), system.dimension());
        learner = new Training(stream, system.coordinateNames());
        UniformRandomProvider[] random = new UniformRandomProvider[PARTICLES];
        for (int i = 0; i < PARTICLES; i++) {
            random[i] = TrajectoryStreams.of(seed, i);
            particles[i] = system.initialState(random[i]);
        }
        Progress progress = new Progress(console, System::nanoTime);
        for (int t = 0; t < samples; t++) {
            int i = t % PARTICLES;
            double[] next = particles[i].clone();
            system.step(next, random[i]);
            stream.accept(Observation.pair(particles[i], next));
            particles[i] = next;
            if (t % 64 == 0) {
                progress.at(
                        (double) t / samples,
                        learner.samples(),
                        learner.dictionarySize(),
                        learner.curve().error());
            }
        }
        seconds = progress.seconds();
        progress.done(
                1, learner.samples(), learner.dictionarySize(), learner.curve().error());
        operator = learner.snapshot();
        spectrum = Spectrum.leading(operator, EIGENVALUES);
    }

    void printTable() {
        double[][] exact = exact();
        double[] timescales = spectrum.timescales(system.dt());
        console.say(
                "Learned from %,d transitions in %.1f s (%,.0f per second); the dictionary keeps %d of them.",
                samples, seconds, samples / seconds, operator.dictionarySize());
        console.say("");
        console.say("   k   eigenvalue learned    exact   time scale learned    exact");
        for (int k = 0; k < exact.length; k++) {
            Complex value = spectrum.eigenvalue(k);
            console.say(
                    "  %2d   %-18s %8.4f   %18s %8s",
                    k + 1,
                    Numbers.complex(value),
                    exact[k][0],
                    Clock.timescale(timescales[k]),
                    Clock.timescale(timescale(exact[k])));
        }
        console.say("");
        console.say(
                "Three slow modes, then a gap: four sets that the process rarely leaves (times in units of the equation).");
    }

    private double timescale(double[] eigenvalue) {
        return -system.dt() / Math.log(Math.hypot(eigenvalue[0], eigenvalue[1]));
    }

    Map<String, Object> results(Path folder) {
        List<Object> eigenvalues = new ArrayList<>();
        double[][] exact = exact();
        double[] timescales = spectrum.timescales(system.dt());
        for (int k = 0; k < exact.length; k++) {
            Complex value = spectrum.eigenvalue(k);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("re", value.re());
            entry.put("im", value.im());
            entry.put("modulus", value.modulus());
            entry.put("timescale", timescales[k]);
            entry.put("exact", exact[k][0]);
            eigenvalues.add(entry);
        }
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("system", system.id());
        results.put("seed", seed);
        results.put("kernel", KERNEL);
        results.put("samples", samples);
        results.put("dictionary", operator.dictionarySize());
        results.put("seconds", seconds);
        results.put("samplesPerSecond", samples / seconds);
        results.put("norm", operator.norm());
        results.put("oneStepError", learner.curve().error());
        results.put("eigenvalues", eigenvalues);
        results.put("folder", folder.toString());
        results.put("model", DemoPictures.MODEL);
        results.put("pictures", DemoPictures.files());
        return results;
    }

    private double[][] exact() {
        return system.exactEigenvalues(EIGENVALUES).orElseThrow();
    }

    FourWell system() {
        return system;
    }

    Forecast forecast(double[] start, int steps) {
        Start place = new Start(List.of(start), Arrays.stream(start).boxed().toList(), Double.NaN);
        return new ObservedForecaster(Forecaster.of(learner.state()), Preparation.NONE, system.dt())
                .forecast(place, ForecastRequest.of(steps), List.of());
    }

    KoopmanOperator operator() {
        return operator;
    }

    Spectrum spectrum() {
        return spectrum;
    }

    LearningCurve curve() {
        return learner.curve();
    }

    long seed() {
        return seed;
    }

    /** Writes the model, for the commands that ask it questions. */
    void save(Path file) {
        learner.save(file);
    }

    /** What a reader may want to do with it. */
    List<String> next(Path model) {
        return List.of(
                "koop spectrum " + model + " --dt " + system.dt() + " -k 12",
                "koop forecast " + model + " --from 0.3,-1.5 --steps 20",
                "koop sets " + model + " -k 4 --plot sets.png",
                "koop simulate duffing -o duffing.csv && koop learn duffing.csv -o duffing.safetensors --report duffing.html",
                "koop learn YOUR.csv -o your.safetensors");
    }

    /** Where the particles are at the end: a sample of the stationary law. */
    double[][] states() {
        return particles;
    }
}
