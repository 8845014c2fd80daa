package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.linalg.Matrix;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over every bit of a learner's state. */
final class StateDigest {

    private final MessageDigest sha;

    StateDigest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    StateDigest add(String text) {
        sha.update(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    StateDigest add(long value) {
        sha.update(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    StateDigest add(double value) {
        return add(Double.doubleToRawLongBits(value));
    }

    StateDigest add(NewtonBasis basis) {
        Points points = basis.points();
        add(points);
        for (int i = 0; i < points.size(); i++) {
            add(basis.sampleNumber(i));
        }
        return add(basis.factor());
    }

    StateDigest add(Points points) {
        for (int c = 0; c < points.dimension(); c++) {
            add(points.coordinate(c), points.size());
        }
        return this;
    }

    StateDigest add(Matrix matrix) {
        for (int j = 0; j < matrix.columns(); j++) {
            add(matrix.column(j), matrix.rows());
        }
        return this;
    }

    StateDigest add(double[] values) {
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
    String finish() {
        return HexFormat.of().formatHex(sha.digest());
    }
}
