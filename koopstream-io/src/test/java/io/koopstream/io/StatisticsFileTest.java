package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.operator.KoopmanOperator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What parts tell each other comes back bit for bit, and bytes that are something else are refused. */
class StatisticsFileTest {

    private static final LeastSquaresConfig CONFIG = LeastSquaresConfig.forState(2, Kernels.gaussian(0.5))
            .epsilon(0.2)
            .holdOut(0.2)
            .build();

    private static StatisticsDelta.Sent<DeltaSender> told() {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(CONFIG);
        DeltaSender teller = DeltaSender.startingFrom(learner.state());
        SplittableRandom random = new SplittableRandom(3);
        double[] x = {0.1, 0.2};
        for (int t = 0; t < 100; t++) {
            double[] next = {0.9 * x[0] + random.nextDouble(), random.nextDouble() - 0.5 * x[1]};
            learner.update(x, next);
            x = next;
        }
        LeastSquaresState moved = learner.state().on(learner.state());
        return teller.agreeing(moved).send(moved, 1);
    }

    @Test
    void everythingComesBackBitForBit() {
        StatisticsDelta.Sent<DeltaSender> told = told();
        byte[] news = StatisticsFile.encode(told.delta());
        byte[] teller = StatisticsFile.encode(told.next());
        StatisticsDelta.Sent<StatisticsGroup> passed =
                StatisticsGroup.NOTHING.plus(2, told.delta()).send(CONFIG, 1);
        byte[] group = StatisticsFile.encode(StatisticsGroup.NOTHING.plus(2, told.delta()));
        byte[] empty = StatisticsFile.encode(passed.next());

        assertThat(StatisticsFile.encode(StatisticsFile.decodeNews(news))).isEqualTo(news);
        assertThat(StatisticsFile.encode(StatisticsFile.decodeTeller(teller))).isEqualTo(teller);
        assertThat(StatisticsFile.encode(StatisticsFile.decodeGroup(group))).isEqualTo(group);
        assertThat(StatisticsFile.encode(StatisticsFile.decodeGroup(empty))).isEqualTo(empty);
        StatisticsDelta read = StatisticsFile.decodeNews(news);
        assertThat(read.added().points()).isEqualTo(told.next().agreed()).isGreaterThan(5);
        assertThat(read.added().crossStatistics().toRows())
                .isDeepEqualTo(told.delta().added().crossStatistics().toRows());
        assertThat(read.added().inputStatistics().toRows())
                .isDeepEqualTo(told.delta().added().inputStatistics().toRows());
        assertThat(read.held().inputs())
                .isDeepEqualTo(told.delta().held().inputs())
                .isNotEmpty();
        assertThat(read.held().after())
                .isDeepEqualTo(told.delta().held().after())
                .isNotEmpty();
        assertThat(read.pairs()).isEqualTo(100);
    }

    @Test
    void whatReleasesBeforeWroteIsReadWithoutWhatFollowedRuns() {
        StatisticsDelta now = told().delta();
        byte[] news = StatisticsFile.encode(now);
        // Behind it: one base and no proposals. In it: count, width, and each row with the number of its run.
        int behind = (4 + 4 + 8) + (4 + 4);
        int after = 8 + now.held().after().length * (2 * Double.BYTES + Long.BYTES);
        ByteBuffer before = ByteBuffer.allocate(news.length - after)
                .put(news, 0, news.length - after - behind)
                .put(news, news.length - behind, behind)
                .putInt(4, 1);

        StatisticsDelta read = StatisticsFile.decodeNews(before.array());

        assertThat(read.held().after()).isEmpty();
        assertThat(read.held().outputs()).isDeepEqualTo(now.held().outputs());
        assertThat(read.bases()).isEqualTo(now.bases());
    }

    /** Nothing is proposed by a part that knows all its points: then only their dimension is there. */
    @Test
    void aStateOfManyCoordinatesNeedsNoProposals() {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(40, Kernels.gaussian(0.5))
                        .epsilon(0.2)
                        .build());
        StatisticsDelta news = DeltaSender.startingFrom(learner.state())
                .send(learner.state(), 1)
                .delta();

        StatisticsDelta read = StatisticsFile.decodeNews(StatisticsFile.encode(news));

        assertThat(read.proposals().dimension()).isEqualTo(40);
        assertThat(read.proposals().size()).isZero();
    }

    /** SHA-256 over the bytes as they were before statistics wrote themselves. */
    @Test
    void theBytesAreThoseOfEarlierReleases() {
        Checksum all = Checksum.sha256();
        all.update(StatisticsFile.encode(told().delta()));
        all.update(StatisticsFile.encode(told().next()));
        all.update(StatisticsFile.encode(StatisticsGroup.NOTHING.plus(2, told().delta())));
        assertThat(all.digits()).isEqualTo("aec60087ab385d3d7c172b223825bd47f8bb5f4d28fe5abba20dd7723678783e");
    }

    @Test
    void whatIsCutShortOrSomethingElseIsRefused() {
        byte[] news = StatisticsFile.encode(told().delta());
        for (int length = 0; length < news.length; length += 7) {
            byte[] some = Arrays.copyOf(news, length);
            assertThatThrownBy(() -> StatisticsFile.decodeNews(some))
                    .as("%d bytes", length)
                    .isInstanceOf(ModelFormatException.class);
        }
        assertThatThrownBy(() -> StatisticsFile.decodeNews(Arrays.copyOf(news, news.length + 1)))
                .isInstanceOf(ModelFormatException.class);
        assertThatThrownBy(() -> StatisticsFile.decodeGroup(news)).isInstanceOf(ModelFormatException.class);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = news.clone();
            damaged[random.nextInt(news.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                StatisticsFile.decodeNews(damaged);
            } catch (ModelFormatException e) {
                assertThat(e).hasMessageContaining("statistics");
            }
        }
    }
}
