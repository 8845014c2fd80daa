package io.koopstream.lab.speed;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one benchmark and returns the time of its fastest invocation: on a shared machine everything slower is the neighbours'. All figures and
 * all limits are taken in this one way.
 */
final class Measured {

    /** A new JVM may compile the same code better or worse. */
    private static final int FORKS = 2;

    private static final long ITERATION_MILLISECONDS = 100;
    /** Vector code that is not compiled yet is hundreds of times slower, so there is a least time for the compiler whatever the patience. */
    private static final int MIN_WARMUPS = 40;

    private final int iterations;

    /**
     * Measures with a given patience.
     *
     * @param seconds time of a figure, without that to set it up and to compile
     */
    Measured(double seconds) {
        this.iterations = (int) Math.max(1, Math.round(seconds * 1e3 / ITERATION_MILLISECONDS / FORKS));
    }

    /**
     * Seconds of one operation.
     *
     * @param parameters names and values in turn
     */
    double seconds(Class<?> benchmarks, String method, Object... parameters) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\Q" + benchmarks.getName() + "." + method + "\\E$")
                .mode(Mode.SampleTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(FORKS)
                .warmupIterations(Math.max(MIN_WARMUPS, iterations / 2))
                .warmupTime(TimeValue.milliseconds(ITERATION_MILLISECONDS))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(ITERATION_MILLISECONDS))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        for (int i = 0; i < parameters.length; i += 2) {
            options.param(parameters[i].toString(), parameters[i + 1].toString());
        }
        return new Runner(options.build())
                        .runSingle()
                        .getPrimaryResult()
                        .getStatistics()
                        .getMin()
                * 1e-9;
    }
}
