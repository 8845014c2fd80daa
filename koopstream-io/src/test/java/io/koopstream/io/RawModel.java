package io.koopstream.io;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A second reader and writer of model files, written from docs/formats.md and sharing no code with the first. It checks nothing, so
 * that it can write files that are wrong in one respect only: whatever is edited, the checksum is right.
 */
final class RawModel {

    private static final String ZEROS = "0".repeat(64);

    private String json;
    private final byte[] data;

    private RawModel(String json, byte[] data) {
        this.json = json;
        this.data = data;
    }

    static RawModel of(String json, byte[] data) {
        return new RawModel(json, data);
    }

    static RawModel parse(byte[] file) {
        int length = (int) little(file).getLong();
        String json = new String(file, 8, length, StandardCharsets.UTF_8);
        RawModel model = new RawModel(json, Arrays.copyOfRange(file, 8 + length, file.length));
        return model.edit(model.metadata("checksum"), ZEROS);
    }

    /** The checksum that a file holds. */
    static String checksum(byte[] file) {
        int length = (int) little(file).getLong();
        return new RawModel(new String(file, 8, length, StandardCharsets.UTF_8), new byte[0]).metadata("checksum");
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Replaces a piece of the header that must be there. */
    RawModel edit(String old, String replacement) {
        if (!json.contains(old)) {
            throw new IllegalArgumentException(old + " is not in " + json);
        }
        json = json.replace(old, replacement);
        return this;
    }

    /** Replaces a metadata text. */
    RawModel set(String key, String value) {
        return edit('"' + key + "\":\"" + metadata(key) + '"', '"' + key + "\":\"" + value + '"');
    }

    RawModel withData(byte[] other) {
        return new RawModel(json, other);
    }

    String json() {
        return json;
    }

    byte[] data() {
        return data;
    }

    String metadata(String key) {
        return find(Pattern.quote('"' + key + '"') + ":\"([^\"]*)\"").group(1);
    }

    /** A tensor's entry as it stands in the header. */
    String entry(String name) {
        return find(Pattern.quote('"' + name + '"') + ":\\{[^}]*}").group();
    }

    private int[] offsets(String name) {
        Matcher matcher = Pattern.compile("\"data_offsets\":\\[(\\d+),(\\d+)]").matcher(entry(name));
        if (!matcher.find()) {
            throw new IllegalArgumentException(name);
        }
        return new int[] {Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))};
    }

    private Matcher find(String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(json);
        if (!matcher.find()) {
            throw new IllegalArgumentException(regex + " is not in " + json);
        }
        return matcher;
    }

    /** The numbers of a tensor, row by row. */
    double[] doubles(String name) {
        int[] offsets = offsets(name);
        double[] numbers = new double[(offsets[1] - offsets[0]) / 8];
        little(data)
                .position(offsets[0])
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .get(numbers);
        return numbers;
    }

    long[] longs(String name) {
        int[] offsets = offsets(name);
        long[] numbers = new long[(offsets[1] - offsets[0]) / 8];
        little(data).position(offsets[0]).asLongBuffer().get(numbers);
        return numbers;
    }

    RawModel put(String name, int index, double value) {
        little(data).putDouble(offsets(name)[0] + 8 * index, value);
        return this;
    }

    RawModel put(String name, int index, long value) {
        little(data).putLong(offsets(name)[0] + 8 * index, value);
        return this;
    }

    /** The file, blanks after the header as they are. */
    byte[] sealedAsIs() {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(little(new byte[8]).putLong(header.length).array());
        file.writeBytes(header);
        file.writeBytes(data);
        byte[] bytes = file.toByteArray();
        int at = json.indexOf("\"checksum\":\"" + ZEROS + '"');
        if (at >= 0) {
            int place = 8 + json.substring(0, at).getBytes(StandardCharsets.UTF_8).length + "\"checksum\":\"".length();
            System.arraycopy(sha256(bytes).getBytes(StandardCharsets.US_ASCII), 0, bytes, place, 64);
        }
        return bytes;
    }

    /** The file, with the blanks after the header that its length asks for. */
    byte[] sealed() {
        json = json.stripTrailing();
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        json += " ".repeat((8 - length % 8) % 8);
        return sealedAsIs();
    }

    private static String sha256(byte[] bytes) {
        try {
            StringBuilder hex = new StringBuilder();
            for (byte b : MessageDigest.getInstance("SHA-256").digest(bytes)) {
                hex.append(String.format("%02x", b));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
