package io.koopstream.io.samples;

import java.nio.ByteBuffer;

/** The numbers that an NPY file may hold, by the name that numpy has for them. */
enum NpyNumber {
    F2(2),
    F4(4),
    F8(8),
    I1(1),
    I2(2),
    I4(4),
    I8(8),
    U1(1),
    U2(2),
    U4(4),
    U8(8),
    B1(1);

    private final int size;

    NpyNumber(int size) {
        this.size = size;
    }

    /** The kind of a dtype such as {@code <f8}; null for one that is no number. */
    static NpyNumber of(String dtype) {
        for (NpyNumber number : values()) {
            if (dtype.replaceAll("^[<>=|]", "").equalsIgnoreCase(number.name())) {
                return number;
            }
        }
        return null;
    }

    /** Bytes that one takes. */
    int size() {
        return size;
    }

    double read(ByteBuffer bytes, int at) {
        return switch (this) {
            case F2 -> half(bytes.getShort(at));
            case F4 -> bytes.getFloat(at);
            case F8 -> bytes.getDouble(at);
            case I1 -> bytes.get(at);
            case I2 -> bytes.getShort(at);
            case I4 -> bytes.getInt(at);
            case I8 -> bytes.getLong(at);
            case U1, B1 -> Byte.toUnsignedInt(bytes.get(at));
            case U2 -> Short.toUnsignedInt(bytes.getShort(at));
            case U4 -> Integer.toUnsignedLong(bytes.getInt(at));
            case U8 -> unsigned(bytes.getLong(at));
        };
    }

    private static double unsigned(long bits) {
        // The last bit of a number this large is lost in any case.
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }

    /** IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction. */
    private static double half(short bits) {
        int exponent = bits >> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        double size = exponent == 0x1f
                ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : exponent == 0 ? fraction * 0x1p-24 : (fraction | 0x400) * Math.scalb(1.0, exponent - 25);
        return bits < 0 ? -size : size;
    }
}
