package io.koopstream.io.samples;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The numbers of an NPY file as (trajectories, rows, columns), in whatever order and byte order they are stored. The file is mapped, so
 * that it may be larger than memory and be read in any order.
 */
final class NpyArray implements Closeable {

    /** A mapping holds at most 2 GiB; smaller pieces whose size is a multiple of every number's. */
    private static final long PIECE = 1L << 28;

    private static final int HEADER_GUESS = 1 << 17;

    private final FileChannel channel;
    private final ByteBuffer[] pieces;
    private final NpyHeader header;
    private final long trajectories;
    private final long rows;
    private final int columns;

    private NpyArray(FileChannel channel, String source) throws IOException {
        this.channel = channel;
        long size = channel.size();
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, HEADER_GUESS));
        while (start.hasRemaining() && channel.read(start, start.position()) > 0) {
            // Until the start is full or the file ends.
        }
        this.header = NpyHeader.parse(source, start.flip());
        List<Long> shape = header.shape();
        if (shape.isEmpty() || shape.size() > 3) {
            throw new SampleFormatException(
                    source, "has shape " + shape + ", expected (n, d) for one trajectory or (trajectories, steps, d)");
        }
        this.trajectories = shape.size() == 3 ? shape.get(0) : 1;
        this.rows = shape.get(shape.size() == 3 ? 1 : 0);
        long width = shape.size() == 1 ? 1 : shape.get(shape.size() - 1);
        if (width < 1 || width > 1 << 20) {
            throw new SampleFormatException(
                    source, "has " + width + " coordinates a state, expected 1 to " + (1 << 20));
        }
        this.columns = (int) width;
        if (trajectories == 0 || rows == 0) {
            throw new SampleFormatException(source, "has shape " + shape + " and so no row");
        }
        requireSize(source, size);
        this.pieces = map(size - header.dataStart());
    }

    static NpyArray open(Path file, String source) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new NpyArray(channel, source);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void requireSize(String source, long size) {
        long expected;
        try {
            expected = Math.addExact(
                    header.dataStart(),
                    Math.multiplyExact(
                            Math.multiplyExact(Math.multiplyExact(trajectories, rows), columns),
                            header.number().size()));
        } catch (ArithmeticException e) {
            expected = Long.MAX_VALUE;
        }
        if (size != expected) {
            throw new SampleFormatException(
                    source,
                    "has " + size + " bytes, its header promises " + expected
                            + (size < expected ? "; it was cut off" : ""));
        }
    }

    private ByteBuffer[] map(long bytes) throws IOException {
        ByteBuffer[] mapped = new ByteBuffer[(int) ((bytes + PIECE - 1) / PIECE)];
        for (int i = 0; i < mapped.length; i++) {
            long from = i * PIECE;
            mapped[i] = channel.map(MapMode.READ_ONLY, header.dataStart() + from, Math.min(PIECE, bytes - from))
                    .order(header.byteOrder());
        }
        return mapped;
    }

    long trajectories() {
        return trajectories;
    }

    long rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /** Copies one row. */
    void row(long trajectory, long row, double[] into) {
        long first;
        long stride;
        if (header.isFortran()) {
            first = trajectory + trajectories * row;
            stride = trajectories * rows;
        } else {
            first = (trajectory * rows + row) * columns;
            stride = 1;
        }
        for (int c = 0; c < columns; c++) {
            into[c] = number((first + c * stride) * header.number().size());
        }
    }

    private double number(long offset) {
        ByteBuffer piece = pieces[(int) (offset / PIECE)];
        int at = (int) (offset % PIECE);
        return header.number().read(piece, at);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
