package io.koopstream.io.samples;

import io.airlift.compress.Decompressor;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.brotli.dec.BrotliInputStream;

/** Decompresses the pages of a Parquet file in plain Java: Hadoop's own codecs are not there. */
final class ParquetCodecs implements CompressionCodecFactory {

    /** Pages are about a megabyte; a header that promises more than this is damaged. */
    private static final int MAX_PAGE = 1 << 30;

    /** Makes the bytes of a page. */
    private interface Unpacking {
        void unpack(byte[] from, byte[] into) throws IOException;
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        return switch (codec) {
            case UNCOMPRESSED -> page((from, into) -> System.arraycopy(from, 0, into, 0, into.length));
            case GZIP -> page((from, into) -> fill(new GZIPInputStream(new ByteArrayInputStream(from)), into));
            case BROTLI -> page((from, into) -> fill(new BrotliInputStream(new ByteArrayInputStream(from)), into));
            case SNAPPY -> block(new SnappyDecompressor());
            case ZSTD -> block(new ZstdDecompressor());
            case LZ4_RAW -> block(new Lz4Decompressor());
            default ->
                throw new UnsupportedOperationException(
                        "it is compressed with " + codec + "; write it with zstd, snappy, gzip or brotli");
        };
    }

    private static BytesInputDecompressor block(Decompressor codec) {
        return page((from, into) -> {
            try {
                codec.decompress(from, 0, from.length, into, 0, into.length);
            } catch (MalformedInputException e) {
                throw new IOException("a page cannot be decompressed", e);
            }
        });
    }

    private static void fill(InputStream stream, byte[] into) throws IOException {
        try (stream) {
            if (stream.readNBytes(into, 0, into.length) < into.length) {
                throw new IOException("a page is shorter than its header says");
            }
        }
    }

    private static BytesInputDecompressor page(Unpacking unpacking) {
        return new BytesInputDecompressor() {
            @Override
            public BytesInput decompress(BytesInput bytes, int size) throws IOException {
                byte[] from = new byte[Math.toIntExact(bytes.size())];
                bytes.toInputStream().readNBytes(from, 0, from.length);
                return BytesInput.from(unpack(from, size));
            }

            @Override
            public void decompress(ByteBuffer input, int compressed, ByteBuffer output, int size) throws IOException {
                byte[] from = new byte[compressed];
                input.get(from);
                output.put(unpack(from, size));
            }

            private byte[] unpack(byte[] from, int size) throws IOException {
                if (size < 0 || size > MAX_PAGE) {
                    throw new IOException("a page promises " + size + " bytes");
                }
                byte[] into = new byte[size];
                unpacking.unpack(from, into);
                return into;
            }

            @Override
            public void release() {
                // There is nothing to give back.
            }
        };
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException("only reads");
    }

    @Override
    public void release() {
        // There is nothing to give back.
    }
}
