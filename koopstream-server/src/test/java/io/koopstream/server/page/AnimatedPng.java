package io.koopstream.server.page;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Joins PNG images of equal size and format to one that shows them in turn, without touching a pixel: the data chunks of all but the first become
 * frame chunks (PNG specification, third edition, section 11.3.6).
 */
final class AnimatedPng {

    private static final int SIGNATURE = 8;

    /** A part of a PNG file. */
    private static final class Chunk {
        private final String type;
        private final byte[] data;

        Chunk(String type, byte[] data) {
            this.type = type;
            this.data = data;
        }
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int sequence;

    private AnimatedPng() {}

    /**
     * The animation.
     *
     * @param images whole PNG files
     * @param milliseconds how long each is shown
     */
    static byte[] of(List<byte[]> images, List<Integer> milliseconds) {
        AnimatedPng animation = new AnimatedPng();
        List<Chunk> first = chunks(images.get(0));
        byte[] header = first.get(0).data;
        animation.out.write(images.get(0), 0, SIGNATURE);
        animation.write("IHDR", header);
        animation.write(
                "acTL", ByteBuffer.allocate(8).putInt(images.size()).putInt(0).array());
        for (int i = 0; i < images.size(); i++) {
            List<Chunk> chunks = chunks(images.get(i));
            if (!Arrays.equals(header, chunks.get(0).data)) {
                throw new IllegalArgumentException("image " + i + " has another size or format than the first");
            }
            animation.frame(header, milliseconds.get(i));
            for (Chunk chunk : chunks) {
                if (chunk.type.equals("IDAT")) {
                    animation.pixels(i == 0, chunk.data);
                }
            }
        }
        animation.write("IEND", new byte[0]);
        return animation.out.toByteArray();
    }

    private void frame(byte[] header, int milliseconds) {
        ByteBuffer control = ByteBuffer.allocate(26).putInt(sequence++);
        control.put(header, 0, 8).putInt(0).putInt(0);
        control.putShort((short) milliseconds)
                .putShort((short) 1000)
                .put((byte) 0)
                .put((byte) 0);
        write("fcTL", control.array());
    }

    private void pixels(boolean first, byte[] data) {
        if (first) {
            write("IDAT", data);
        } else {
            write(
                    "fdAT",
                    ByteBuffer.allocate(4 + data.length)
                            .putInt(sequence++)
                            .put(data)
                            .array());
        }
    }

    private void write(String type, byte[] data) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(name);
        crc.update(data);
        out.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
        out.writeBytes(name);
        out.writeBytes(data);
        out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }

    private static List<Chunk> chunks(byte[] png) {
        List<Chunk> chunks = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(png).position(SIGNATURE);
        while (in.hasRemaining()) {
            byte[] data = new byte[in.getInt()];
            byte[] type = new byte[4];
            in.get(type).get(data).getInt();
            chunks.add(new Chunk(new String(type, StandardCharsets.US_ASCII), data));
        }
        return chunks;
    }
}
