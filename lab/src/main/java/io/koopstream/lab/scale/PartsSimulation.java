package io.koopstream.lab.scale;

import io.koopstream.io.ModelFile;
import io.koopstream.io.StatisticsFile;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.systems.BenchmarkSystem;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * One stream in parts that learn side by side and tell what they have added in stages, in one thread: the same classes and bytes as in a Flink job, with
 * every byte and every number that is added counted. All parts tell once a round; where the dictionary grows, what was agreed on comes back after it.
 */
final class PartsSimulation {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Plan plan;
    private final BenchmarkSystem system;
    private final List<LeastSquaresLearner<KoopmanOperator>> learners = new ArrayList<>();
    private final List<DeltaSender> tellers = new ArrayList<>();
    /** By stage: the groups. */
    private final List<StatisticsGroup[]> groups = new ArrayList<>();

    private final List<Stage> stages = new ArrayList<>();
    private LeastSquaresState whole;
    private int round;
    private long bytesBack;
    private double[][][] paths;

    /**
     * What is simulated.
     *
     * @param parts how many
     * @param fanIn how many are told of together
     * @param pairs that a part takes in a round
     * @param rounds how many
     * @param grows whether the dictionary does
     * @param maxDictionary the most points to agree on
     * @param seed of the data
     */
    record Plan(int parts, int fanIn, int pairs, int rounds, boolean grows, int maxDictionary, long seed) {}

    /** What a stage has cost in all rounds. */
    static final class Stage {
        private final int tasks;
        private long bytes;
        private long mostBytes;
        private long additions;
        private long nanos;

        private Stage(int tasks) {
            this.tasks = tasks;
        }

        int tasks() {
            return tasks;
        }

        /** Bytes that came in. */
        long bytes() {
            return bytes;
        }

        /** The most that came to one task in one round. */
        long mostBytes() {
            return mostBytes;
        }

        /** Numbers that were added to others. */
        long additions() {
            return additions;
        }

        /** CPU time to read, add and write. */
        long nanos() {
            return nanos;
        }
    }

    /**
     * Parts that have learned nothing.
     *
     * @param start what all of them begin with
     */
    PartsSimulation(Plan plan, BenchmarkSystem system, LeastSquaresState start) {
        this.plan = plan;
        this.system = system;
        LeastSquaresState begin = plan.grows() ? start.emptied() : start.dictionaryOnly();
        whole = begin;
        for (int p = 0; p < plan.parts(); p++) {
            learners.add(begin.resumeKoopman());
            tellers.add(DeltaSender.startingFrom(begin));
        }
        int from = plan.parts();
        do {
            from = (from + plan.fanIn() - 1) / plan.fanIn();
            StatisticsGroup[] all = new StatisticsGroup[from];
            Arrays.fill(all, StatisticsGroup.NOTHING);
            groups.add(all);
            stages.add(new Stage(from));
        } while (from > 1);
    }

    private double[][] path(int part) {
        if (paths == null) {
            paths = system.simulate(plan.parts(), plan.pairs() * plan.rounds(), plan.seed());
        }
        return paths[part];
    }

    /**
     * One round.
     *
     * @param order which part tells as the i-th: what is agreed on must not depend on it
     */
    void round(IntUnaryOperator order) {
        long[] into = new long[groups.get(0).length];
        for (int i = 0; i < plan.parts(); i++) {
            int part = order.applyAsInt(i);
            double[][] path = path(part);
            LeastSquaresLearner<KoopmanOperator> learner = learners.get(part);
            for (int t = round * plan.pairs(); t < (round + 1) * plan.pairs(); t++) {
                learner.update(path[t], path[t + 1]);
            }
            StatisticsDelta.Sent<DeltaSender> told = tellers.get(part).send(learner.state(), plan.parts());
            tellers.set(part, told.next());
            into[part / plan.fanIn()] += take(0, part, StatisticsFile.encode(told.delta()));
        }
        round++;
        for (int s = 0; ; s++) {
            for (long bytes : into) {
                stages.get(s).mostBytes = Math.max(stages.get(s).mostBytes, bytes);
            }
            if (s + 1 == stages.size()) {
                break;
            }
            into = new long[groups.get(s + 1).length];
            for (int g = 0; g < groups.get(s).length; g++) {
                byte[] news = StatisticsFile.encode(tell(s, g));
                into[g / plan.fanIn()] += take(s + 1, g, news);
            }
        }
        whole = whole.plus(tell(stages.size() - 1, 0), plan.maxDictionary());
        if (plan.grows()) {
            agree();
        }
    }

    private long take(int stage, int part, byte[] bytes) {
        long begin = THREADS.getCurrentThreadCpuTime();
        StatisticsDelta news = StatisticsFile.decodeNews(bytes);
        int group = part / plan.fanIn();
        groups.get(stage)[group] = groups.get(stage)[group].plus(part, news);
        Stage count = stages.get(stage);
        count.nanos += THREADS.getCurrentThreadCpuTime() - begin;
        count.bytes += bytes.length;
        long m = news.added().points();
        count.additions += m * (m + 1) / 2 + m * m + m * (whole.config().targets() + 1);
        return bytes.length;
    }

    private StatisticsDelta tell(int stage, int group) {
        long begin = THREADS.getCurrentThreadCpuTime();
        StatisticsDelta.Sent<StatisticsGroup> told =
                groups.get(stage)[group].send(whole.config(), stages.get(stage).tasks);
        groups.get(stage)[group] = told.next();
        stages.get(stage).nanos += THREADS.getCurrentThreadCpuTime() - begin;
        return told.delta();
    }

    /** The dictionary comes back to all parts. */
    private void agree() {
        for (int p = 0; p < plan.parts(); p++) {
            if (whole.dictionarySize() > tellers.get(p).agreed()) {
                LeastSquaresState moved = learners.get(p).state().on(whole);
                learners.set(p, moved.resumeKoopman());
                tellers.set(p, tellers.get(p).agreeing(moved));
            }
        }
        bytesBack += ModelFile.encode(whole).length;
    }

    /** What is known of the whole, from what was told. */
    LeastSquaresState whole() {
        return whole;
    }

    /** The same at the end of the stream: the models of all parts put together, stage by stage. */
    LeastSquaresState end() {
        List<LeastSquaresState> states = new ArrayList<>(
                learners.stream().map(LeastSquaresLearner::state).toList());
        while (states.size() > 1) {
            List<LeastSquaresState> sums = new ArrayList<>();
            for (int i = 0; i < states.size(); i += plan.fanIn()) {
                List<LeastSquaresState> some = states.subList(i, Math.min(states.size(), i + plan.fanIn()));
                sums.add(
                        plan.grows()
                                ? LeastSquaresState.united(some, plan.maxDictionary())
                                : LeastSquaresState.merged(some));
            }
            states = sums;
        }
        return states.get(0);
    }

    /** One learner over all that the parts have taken, part after part, with the same dictionary to begin with. */
    LeastSquaresState single(LeastSquaresConfig config, LeastSquaresState start) {
        LeastSquaresLearner<KoopmanOperator> one = plan.grows()
                ? LeastSquaresLearner.koopman(config)
                : start.dictionaryOnly().resumeKoopman();
        for (int p = 0; p < plan.parts(); p++) {
            double[][] path = path(p);
            for (int t = 0; t < round * plan.pairs(); t++) {
                one.update(path[t], path[t + 1]);
            }
        }
        return one.state();
    }

    /** From the first stage to the last. */
    List<Stage> stages() {
        return List.copyOf(stages);
    }

    /** Bytes of what came back, to one part, in all rounds. */
    long bytesBack() {
        return bytesBack;
    }

    /** Bytes that the whole model of a part has, for comparison. */
    long modelBytes() {
        return ModelFile.encode(learners.get(0).state()).length;
    }
}
