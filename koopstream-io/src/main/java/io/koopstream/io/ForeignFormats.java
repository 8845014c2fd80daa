package io.koopstream.io;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The first bytes of files that are mistaken for models, so that the error can say what was found. */
final class ForeignFormats {

    /**
     * How files of a format begin.
     *
     * @param name what to call it
     * @param hex its first bytes in hexadecimal
     */
    private record Signature(String name, String hex) {}

    private static final List<Signature> SIGNATURES = List.of(
            new Signature("a zip archive (also: npz, jar, PyTorch)", "504b0304"),
            new Signature("an empty zip archive", "504b0506"),
            new Signature("a serialized Java object, which Koopstream never reads", "aced0005"),
            new Signature("gzip-compressed data", "1f8b"),
            new Signature("an HDF5 file", "894844460d0a1a0a"),
            new Signature("a NumPy array (npy)", "934e554d5059"),
            new Signature("a Parquet file", "50415231"),
            new Signature("a GGUF model", "47475546"),
            new Signature("zstd-compressed data", "28b52ffd"),
            new Signature("a PNG picture", "89504e470d0a1a0a"),
            new Signature("a Java class", "cafebabe"));

    private ForeignFormats() {}

    /** What a file that starts like this is, if it is known. */
    static Optional<String> recognise(byte[] start) {
        // Protocols 2 to 5 of pickle; the third byte is an opcode and never zero, as it would be in a header length.
        if (start.length >= 3 && (start[0] & 0xff) == 0x80 && start[1] >= 2 && start[1] <= 5 && start[2] != 0) {
            return Optional.of("a Python pickle, which Koopstream never reads");
        }
        String hex = HexFormat.of().formatHex(start);
        return SIGNATURES.stream()
                .filter(signature -> hex.startsWith(signature.hex()))
                .map(Signature::name)
                .findFirst();
    }
}
