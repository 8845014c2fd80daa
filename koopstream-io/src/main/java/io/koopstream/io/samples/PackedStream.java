package io.koopstream.io.samples;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Text that was compressed with gzip or zstd. Takes memory for a window of some megabytes, whatever there is to unpack. */
final class PackedStream extends FilterInputStream {

    private final String source;

    /** @param start the first bytes of the stream */
    PackedStream(String source, InputStream in, byte[] start) throws IOException {
        super(isGzip(start) ? new GZIPInputStream(in, 1 << 16) : new ZstdInputStream(in));
        this.source = source;
    }

    /** Whether a stream that begins so is compressed. */
    static boolean isPacked(byte[] start) {
        return isGzip(start)
                || (start.length >= 4
                        && start[0] == 0x28
                        && start[1] == (byte) 0xb5
                        && start[2] == 0x2f
                        && start[3] == (byte) 0xfd);
    }

    private static boolean isGzip(byte[] start) {
        return start.length >= 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return in.read(bytes, offset, length);
        } catch (EOFException e) {
            throw new SampleFormatException(source, "is compressed and was cut off");
        } catch (ZipException | MalformedInputException e) {
            throw new SampleFormatException(source, "is compressed and damaged: " + e.getMessage());
        } catch (IOException e) {
            // The library has no type of its own for it.
            if ("Not enough input bytes".equals(e.getMessage())) {
                throw new SampleFormatException(source, "is compressed and was cut off");
            }
            throw e;
        }
    }
}
