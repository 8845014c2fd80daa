package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.job.RecordLayout.Role;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The columns as 64-bit floating-point numbers, one after another and nothing else: the smallest record, and the quickest to read. */
final class DoublesFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    private static final VarHandle LITTLE =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);

    private final RecordLayout layout;
    private final boolean little;
    private final Role[] roles;
    private final int[] coordinates;

    /** Columns that are left out are those that the layout names, in its order. */
    DoublesFormat(RecordLayout layout, List<String> columns, boolean little) {
        this.layout = layout;
        this.little = little;
        List<String> all = new ArrayList<>(columns);
        if (all.isEmpty()) {
            all.addAll(layout.required());
        }
        CsvFormat.requireColumns(layout, all);
        List<Role> meanings = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (String column : all) {
            Role role = layout.role(column);
            boolean vector = layout.arrays() && (role == Role.STATE || role == Role.NEXT);
            for (int c = 0; c < (vector ? layout.dimension() : 1); c++) {
                meanings.add(role);
                places.add(vector ? c : layout.coordinate(column));
            }
        }
        if (meanings.contains(Role.KEY)) {
            throw new InvalidConfigException(
                    "source.key", layout.key(), "packed doubles have no text; leave key out to take the record's key");
        }
        roles = meanings.toArray(Role[]::new);
        coordinates = places.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public void read(byte[] value, RecordFields into) {
        into.begin(layout);
        if (value.length != roles.length * Double.BYTES) {
            throw new BadRecordException(
                    null,
                    value.length + " bytes, expected " + roles.length * Double.BYTES + " for " + roles.length
                            + " doubles");
        }
        for (int i = 0; i < roles.length; i++) {
            double number = (double) (little ? LITTLE : BIG).get(value, i * Double.BYTES);
            switch (roles[i]) {
                case TRAJECTORY -> into.trajectory = whole(number);
                case STEP -> into.step = number;
                case TIME -> into.time = number;
                case STATE -> into.state[coordinates[i]] = number;
                case NEXT -> into.next[coordinates[i]] = number;
                case KEY, IGNORED -> {}
            }
        }
    }

    private String whole(double number) {
        if (number != Math.rint(number)) {
            throw new BadRecordException(layout.trajectory(), number + " is not the whole number of a trajectory");
        }
        return Long.toString((long) number);
    }
}
