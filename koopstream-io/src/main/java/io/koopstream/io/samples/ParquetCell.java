package io.koopstream.io.samples;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** What a column of a Parquet file holds in the present row, by its type. */
final class ParquetCell {

    private static final long JULIAN_DAY_OF_1970 = 2_440_588;
    private static final double SECONDS_PER_DAY = 86_400;

    private final PrimitiveTypeName stored;
    private final LogicalTypeAnnotation meaning;
    private final boolean timed;
    /** How a typed time would be written; null for other columns. */
    private final TimeStyle style;

    ParquetCell(PrimitiveType type) {
        stored = type.getPrimitiveTypeName();
        meaning = type.getLogicalTypeAnnotation();
        boolean date = meaning instanceof DateLogicalTypeAnnotation;
        boolean clock = meaning instanceof TimeLogicalTypeAnnotation;
        timed = date
                || clock
                || meaning instanceof TimestampLogicalTypeAnnotation
                || (stored == PrimitiveTypeName.INT96 && meaning == null);
        style = !timed ? null : TimeStyle.ofPattern(date ? "yyyy-MM-dd" : clock ? "HH:mm:ss" : "yyyy-MM-dd HH:mm:ss");
    }

    /** Whether values are times in seconds. */
    boolean isTimed() {
        return timed;
    }

    /** A value as it would stand in a CSV file. */
    String text(Object value) {
        return value == null ? null : timed ? style.format((Double) value) : String.valueOf(value);
    }

    /** The value of the present row: a {@link Double}, a {@link Long} or a {@link String}. */
    Object value(ColumnReader column) {
        return switch (stored) {
            case INT32 -> number(column.getInteger());
            case INT64 -> number(column.getLong());
            case FLOAT -> (double) column.getFloat();
            case DOUBLE -> column.getDouble();
            case BOOLEAN -> String.valueOf(column.getBoolean());
            case INT96 -> nanosAndDay(column.getBinary());
            case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(column.getBinary());
        };
    }

    private Object number(long value) {
        if (meaning instanceof DateLogicalTypeAnnotation) {
            return value * SECONDS_PER_DAY;
        }
        if (meaning instanceof TimestampLogicalTypeAnnotation timestamp) {
            return seconds(value, timestamp.getUnit());
        }
        if (meaning instanceof TimeLogicalTypeAnnotation time) {
            return seconds(value, time.getUnit());
        }
        if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
            return BigDecimal.valueOf(value, decimal.getScale()).doubleValue();
        }
        boolean unsigned = meaning instanceof IntLogicalTypeAnnotation whole && !whole.isSigned();
        return unsigned && value < 0
                ? stored == PrimitiveTypeName.INT32
                        ? Long.valueOf(Integer.toUnsignedLong((int) value))
                        : Double.valueOf(new BigInteger(Long.toUnsignedString(value)).doubleValue())
                : Long.valueOf(value);
    }

    private static double seconds(long value, TimeUnit unit) {
        return switch (unit) {
            case MILLIS -> TimeStyle.EPOCH_MILLIS.ofNumber(value);
            case MICROS -> TimeStyle.EPOCH_MICROS.ofNumber(value);
            case NANOS -> TimeStyle.EPOCH_NANOS.ofNumber(value);
        };
    }

    private static double nanosAndDay(Binary bytes) {
        ByteBuffer buffer = bytes.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        long nanos = buffer.getLong(buffer.position());
        long day = buffer.getInt(buffer.position() + 8);
        return (day - JULIAN_DAY_OF_1970) * SECONDS_PER_DAY + nanos / 1e9;
    }

    private Object bytes(Binary value) {
        return meaning instanceof DecimalLogicalTypeAnnotation decimal
                ? (Object) new BigDecimal(new BigInteger(value.getBytes()), decimal.getScale()).doubleValue()
                : value.toStringUsingUTF8();
    }
}
