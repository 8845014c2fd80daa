package io.koopstream.internal.text;

import java.math.BigDecimal;
import java.math.MathContext;

/** Text of numbers: the shortest decimal that reads back to the same bits, on every JDK. */
public final class Decimals {

    private Decimals() {}

    /** The shortest decimal that {@link Double#parseDouble} reads back to the same number. */
    public static String text(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return value == 0 ? "0" : Double.toString(value);
        }
        BigDecimal exact = new BigDecimal(value);
        // A decimal of up to 15 digits survives a double of full precision: the shortest is that of 15, or has more.
        int least = Math.abs(value) >= Double.MIN_NORMAL ? 15 : 1;
        for (int digits = least; digits < 17; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits));
            if (rounded.doubleValue() == value) {
                return plain(rounded);
            }
        }
        return plain(exact.round(new MathContext(17)));
    }

    private static String plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        // 1E+1 would be read as "1E" plus 1 by a person; small whole numbers are written out.
        return stripped.scale() < 0 && stripped.precision() - stripped.scale() <= 15
                ? stripped.setScale(0).toString()
                : stripped.toString();
    }
}
