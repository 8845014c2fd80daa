package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Statistics that parts of one stream send to each other, as bytes: of S its lower half, of T and V all. Whatever bytes are read, the result was checked or is a
 * {@link ModelFormatException}. docs/formats.md has the layout.
 */
public final class StatisticsFile {

    /** Version 1 is without what followed held-out runs. */
    private static final StateFormat FORMAT = new StateFormat("statistics of a part", 0x4b535355, 1, 2, 0);

    private static final int NEWS = 1;
    private static final int TELLER = 2;
    private static final int GROUP = 3;

    private StatisticsFile() {}

    /** News as bytes. */
    public static byte[] encode(StatisticsDelta news) {
        return encode(NEWS, news::save);
    }

    /** The news in these bytes. */
    public static StatisticsDelta decodeNews(byte[] bytes) {
        return decode(bytes, NEWS, StatisticsDelta::read);
    }

    /** Who tells, as bytes. */
    public static byte[] encode(DeltaSender teller) {
        return encode(TELLER, teller::save);
    }

    /** The teller in these bytes. */
    public static DeltaSender decodeTeller(byte[] bytes) {
        return decode(bytes, TELLER, (source, following) -> DeltaSender.read(source));
    }

    /** A group as bytes. */
    public static byte[] encode(StatisticsGroup group) {
        return encode(GROUP, group::save);
    }

    /** The group in these bytes. */
    public static StatisticsGroup decodeGroup(byte[] bytes) {
        return decode(bytes, GROUP, StatisticsGroup::read);
    }

    private static byte[] encode(int kind, Consumer<StateSink.Ordered> save) {
        return FORMAT.encode(1 << 12, out -> {
            out.size("kind", kind);
            save.accept(out);
        });
    }

    /** @param contents reads one kind, and is told whether what followed held-out runs was saved */
    private static <T> T decode(byte[] bytes, int kind, BiFunction<StateSource.Ordered, Boolean, T> contents) {
        return FORMAT.decode(bytes, (source, version) -> {
            int found = source.size("kind");
            if (found != kind) {
                throw FORMAT.fault(Reason.FOREIGN, "statistics of kind " + kind, "kind " + found, null);
            }
            return contents.apply(source, version > 1);
        });
    }
}
