package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over every bit of a learner's state. */
public final class StateDigest {

    private final MessageDigest sha;

    public StateDigest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public StateDigest add(String text) {
        sha.update(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public StateDigest add(long value) {
        sha.update(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    public StateDigest add(double value) {
        return add(Double.doubleToRawLongBits(value));
    }

    public StateDigest add(NewtonBasis basis) {
        Points points = basis.points();
        add(points);
        for (int i = 0; i < points.size(); i++) {
            add(basis.sampleNumber(i));
        }
        return add(basis.factor());
    }

    public StateDigest add(Points points) {
        for (int c = 0; c < points.dimension(); c++) {
            add(points.coordinate(c), points.size());
        }
        return this;
    }

    public StateDigest add(Matrix matrix) {
        for (int j = 0; j < matrix.columns(); j++) {
            add(matrix.column(j), matrix.rows());
        }
        return this;
    }

    public StateDigest add(double[] values) {
        add(values, values.length);
        return this;
    }

    private void add(double[] values, int n) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * n);
        for (int i = 0; i < n; i++) {
            bytes.putLong(Double.doubleToRawLongBits(values[i]));
        }
        sha.update(bytes.array());
    }

    /** 64 hexadecimal digits. */
    public String finish() {
        return HexFormat.of().formatHex(sha.digest());
    }
}
