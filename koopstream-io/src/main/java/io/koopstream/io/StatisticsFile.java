package io.koopstream.io;

import io.koopstream.KoopstreamException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Statistics that parts of one stream send to each other, as bytes: of S its lower half, of T and V all. Whatever bytes are read, the result was checked or is a
 * {@link ModelFormatException}. docs/formats.md has the layout.
 */
public final class StatisticsFile {

    private static final int MAGIC = 0x4b535355;
    private static final int VERSION = 2;
    /** Without what followed held-out runs; still read. */
    private static final int OLDEST = 1;

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
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 12);
        StateOutput out = new StateOutput(new DataOutputStream(bytes));
        out.size("magic", MAGIC);
        out.size("version", VERSION);
        out.size("kind", kind);
        save.accept(out);
        return bytes.toByteArray();
    }

    /** @param contents reads one kind, and is told whether what followed held-out runs was saved */
    private static <T> T decode(byte[] bytes, int kind, BiFunction<StateSource.Ordered, Boolean, T> contents) {
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        DataInputStream in = new DataInputStream(source);
        try {
            if (in.readInt() != MAGIC) {
                throw fault(Reason.FOREIGN, "statistics of a part", "other bytes", null);
            }
            int version = in.readInt();
            if (version < OLDEST || version > VERSION) {
                Reason reason = version > VERSION ? Reason.TOO_NEW : Reason.TOO_OLD;
                throw fault(reason, "version " + VERSION, "version " + version, null);
            }
            int found = in.readInt();
            if (found != kind) {
                throw fault(Reason.FOREIGN, "statistics of kind " + kind, "kind " + found, null);
            }
            T result = contents.apply(new StateInput("statistics", in, true), version > OLDEST);
            if (source.available() > 0) {
                throw fault(Reason.TRAILING_BYTES, "the end", source.available() + " more bytes", null);
            }
            return result;
        } catch (IOException | UncheckedIOException e) {
            throw fault(Reason.TRUNCATED, "more bytes", "the end", e);
        } catch (ModelFormatException e) {
            throw e;
        } catch (KoopstreamException e) {
            throw fault(Reason.BAD_SETTING, "statistics that add up", e.getMessage(), e);
        }
    }

    private static ModelFormatException fault(Reason reason, String expected, String found, Exception cause) {
        return new ModelFormatException(reason, "statistics", -1, expected, found, cause);
    }
}
