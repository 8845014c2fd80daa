package io.koopstream.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The evidence of streams whose prediction is known: what a threshold means, what is news, and what is usual again. */
class EvidenceTest {

    private static final int ROWS = 100_000;

    private static final int SYSTEMS = 10;

    /** A stationary system with the error of its own best prediction. */
    private static final class Made {
        private final int system;
        private final SplittableRandom random;
        private double x;
        private double y;
        private double variance = 1;
        private int t;

        Made(int system) {
            this.system = system;
            this.random = new SplittableRandom(4100 + system);
        }

        private double step(double e) {
            double before = x;
            switch (system) {
                case 0 -> x = e;
                case 1 -> x = 0.8 * x + e;
                case 2 -> x = 0.98 * x + e;
                case 3 -> {
                    double heavy = e / StrictMath.sqrt(0.05 - StrictMath.log(1 - random.nextDouble()));
                    x = 0.5 * x + heavy;
                    return heavy;
                }
                case 4 -> x = 3 * StrictMath.sin(0.13 * t) + 0.3 * e;
                case 5 -> {
                    y = 0.9 * y + 0.3 * e;
                    x = StrictMath.exp(y);
                    return (x - StrictMath.pow(Math.max(before, 1e-9), 0.9)) / Math.max(before, 0.2);
                }
                case 6 -> x = 10 * StrictMath.sin(2 * Math.PI * t / 288) + e;
                case 7 -> {
                    // Volatility in clusters.
                    variance = 0.05 + 0.1 * y * y + 0.85 * variance;
                    y = StrictMath.sqrt(variance) * e;
                    x = 0.3 * x + y;
                    return y;
                }
                case 8 -> x += 0.1 * (x - x * x * x) + (x > 0 ? 0.3 : 0.15) * e;
                default -> {
                    // Counts.
                    x = Math.rint(5 * StrictMath.exp(0.3 * e));
                    return x - 5.2;
                }
            }
            return e;
        }

        /** What is found in the rows of a stream. */
        List<Evidence.Finding> findings(double alarmRate) {
            Evidence evidence = new Evidence(1);
            double[] from = {0};
            List<Evidence.Finding> findings = new ArrayList<>();
            for (t = 0; t < ROWS; t++) {
                double error = step(random.nextGaussian());
                double[] to = {x};
                findings.add(evidence.judge(to, from, new double[] {error}, Double.NaN, alarmRate));
                from = to;
            }
            return findings;
        }
    }

    /** Of ten systems the rates got over those asked for, in rows that are as many; and their mean. */
    private static double ratio(double rate, double alarmRate, Predicate<Evidence.Finding> told, double most) {
        double[] got = IntStream.range(0, SYSTEMS)
                .mapToDouble(system -> new Made(system)
                                .findings(alarmRate).stream().filter(told).count()
                        / (rate * ROWS))
                .toArray();
        double mean = Arrays.stream(got).average().orElseThrow();
        String all = rate + ": " + mean + " " + Arrays.toString(got);
        System.getLogger("rates").log(System.Logger.Level.INFO, all);
        assertTrue(Arrays.stream(got).allMatch(one -> one > 1 / most - 0.1 && one < most), all);
        return mean;
    }

    /** Ten systems, 10⁶ rows in all: of rows as many pass a score as it says. */
    @ParameterizedTest
    @CsvSource({"1e-2, 1.4, 0.15", "1e-3, 1.8, 0.2", "1e-4, 20, 0.5"})
    void asManyRowsPassAScoreAsItSays(double rate, double most, double off) {
        double score = Score.of(rate);
        assertEquals(1, ratio(rate, Score.DEFAULT_ALARM_RATE, finding -> finding.score() >= score, most), off);
    }

    /** The rate of alarms is the rate asked for, or a little less, as alarms are apart from each other. */
    @ParameterizedTest
    @CsvSource({"1e-3, 2.5, 0.35", "2e-4, 5, 0.4"})
    void theRateAskedForIsTheRateGot(double rate, double most, double off) {
        assertEquals(1, ratio(rate, rate, Evidence.Finding::alarm, most), off);
    }

    /** The evidence of white noise, with some rows changed: scores of the rows from the first change on. */
    private static double[] scores(int before, int after, IntToDoubleFunction change, IntConsumer alarm) {
        SplittableRandom random = new SplittableRandom(7);
        Evidence evidence = new Evidence(1);
        double[] from = {0};
        double[] scores = new double[after];
        for (int t = 0; t < before + after; t++) {
            double e = random.nextGaussian() + (t < before ? 0 : change.applyAsDouble(t - before));
            double[] to = {e};
            Evidence.Finding finding = evidence.judge(to, from, new double[] {e}, Double.NaN, 2e-4);
            if (t >= before) {
                scores[t - before] = finding.score();
                if (finding.alarm()) {
                    alarm.accept(t - before);
                }
            }
            from = to;
        }
        return scores;
    }

    /** A level that lasts is one alarm; from the next row on the score says that there is nothing new. */
    @Test
    void aLastingShiftIsOneAlarmAndOneHighScore() {
        StringBuilder alarms = new StringBuilder();
        double[] scores = scores(3000, 1000, t -> 8, row -> alarms.append(row).append(' '));
        assertEquals("0 ", alarms.toString());
        assertTrue(scores[0] > 0.4);
        assertTrue(Arrays.stream(scores).filter(score -> score > 0.3).count() <= 4, () -> Arrays.toString(scores));
    }

    /** The second of two events, long after the first, is news again. */
    @Test
    void anEventThatReturnsLateIsNewsAgain() {
        StringBuilder alarms = new StringBuilder();
        scores(
                3000,
                1500,
                t -> t == 0 || t == 1000 ? 9 : 0,
                row -> alarms.append(row).append(' '));
        assertTrue(alarms.toString().startsWith("0 1000 "), alarms::toString);
    }
}
