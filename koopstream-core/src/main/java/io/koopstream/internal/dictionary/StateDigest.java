package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.state.StateSink;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * SHA-256 over every bit of a learner's state: over the parts that it saves, in an order that is older than that of the files. A part of a new name has to be
 * added here.
 */
public final class StateDigest extends NamedParts {

    private final MessageDigest sha;

    private StateDigest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * The digest as 64 hexadecimal digits.
     *
     * @param settings the settings as a text
     * @param save writes the state
     */
    public static String of(String settings, Consumer<StateSink> save) {
        StateDigest digest = new StateDigest();
        save.accept(digest);
        digest.sha.update(settings.getBytes(StandardCharsets.UTF_8));
        digest.add("samples", "dependents");
        if (digest.count("removals") + digest.count("refusals") > 0) {
            digest.add("removals", "refusals", "loss");
        }
        digest.add("x", "x_sample", "L_x", "x_next", "x_next_sample", "L_x_next");
        digest.add("weight", "S", "T", "V", "squares", "M", "M_average", "average_loss");
        if (digest.has("hold_out_seen") && digest.count("hold_out_seen") > 0) {
            digest.add("hold_out_seen", "held_out");
            digest.addRuns();
        }
        digest.add("pending_x", "pending_x_next", "first_x", "first_x_next");
        return HexFormat.of().formatHex(digest.sha.digest());
    }

    /** Held-out pairs, and after each run what followed it. */
    private void addRuns() {
        long[] runs = counts("held_run");
        long[] afterRuns = counts("held_after_run");
        int after = 0;
        for (int i = 0; i < runs.length; i++) {
            if (i == 0 || runs[i] != runs[i - 1]) {
                hash(runs[i]);
            }
            hash(points("held_x").get(i));
            hash(points("held_x_next").get(i));
            boolean last = i + 1 == runs.length || runs[i + 1] != runs[i];
            for (; last && after < afterRuns.length && afterRuns[after] == runs[i]; after++) {
                hash(points("held_after").get(after));
            }
        }
    }

    /** Adds the parts of these names, as far as there are any. */
    private void add(String... names) {
        for (String name : names) {
            if (has(name)) {
                hash(part(name));
            }
        }
    }

    private void hash(Object part) {
        if (part instanceof Points points) {
            for (int c = 0; c < points.dimension(); c++) {
                hash(points.coordinate(c), points.size());
            }
        } else if (part instanceof Matrix matrix) {
            for (int j = 0; j < matrix.columns(); j++) {
                hash(matrix.column(j), matrix.rows());
            }
        } else if (part instanceof double[] values) {
            hash(values, values.length);
        } else if (part instanceof long[] values) {
            for (long value : values) {
                hash(value);
            }
        } else {
            long bits = part instanceof Double number ? Double.doubleToRawLongBits(number) : (Long) part;
            sha.update(ByteBuffer.allocate(Long.BYTES).putLong(bits).array());
        }
    }

    private void hash(double[] values, int n) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * n);
        for (int i = 0; i < n; i++) {
            bytes.putLong(Double.doubleToRawLongBits(values[i]));
        }
        sha.update(bytes.array());
    }
}
