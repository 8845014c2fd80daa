package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.samples.RowRoles;
import io.koopstream.io.samples.Sample;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;

/** The columns as 64-bit floating-point numbers, one after another and nothing else: the smallest record, and the quickest to read. */
final class DoublesFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    private static final VarHandle LITTLE =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);

    private final RowRoles roles;
    private final int doubles;
    private final boolean little;

    /** Columns that are left out are those that the layout names, in its order. */
    DoublesFormat(RecordLayout layout, List<String> columns, boolean little) {
        this.little = little;
        if (!layout.key().isEmpty()) {
            throw new InvalidConfigException(
                    "source.key", layout.key(), "packed doubles have no text; leave key out to take the record's key");
        }
        roles = layout.roles(columns.isEmpty() ? layout.required() : columns);
        doubles = IntStream.range(0, roles.count()).map(roles::width).sum();
    }

    @Override
    public void read(byte[] value, Sample into) {
        roles.begin(into, 0);
        if (value.length != doubles * Double.BYTES) {
            throw new BadRecordException(
                    null, value.length + " bytes, expected " + doubles * Double.BYTES + " for " + doubles + " doubles");
        }
        int at = 0;
        for (int column = 0; column < roles.count(); column++) {
            for (int i = 0; i < roles.width(column); i++, at += Double.BYTES) {
                double number = (double) (little ? LITTLE : BIG).get(value, at);
                if (roles.isText(column)) {
                    roles.put(into, column, whole(number, column));
                } else {
                    roles.put(into, column, i, number);
                }
            }
        }
    }

    private String whole(double number, int column) {
        if (number != Math.rint(number)) {
            throw new BadRecordException(roles.name(column), number + " is not the whole number of a trajectory");
        }
        return Long.toString((long) number);
    }
}
