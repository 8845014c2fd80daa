package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.sogd.SogdState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Files that are wrong in one respect each, with the error they must give. Other modules run them through their own doors. */
public final class MalformedModels {

    /**
     * A wrong file.
     *
     * @param name what is wrong with it
     * @param expected the error it must give
     * @param hex its bytes
     */
    public record Case(String name, Reason expected, String hex) {
        /** What is in the file. */
        public byte[] bytes() {
            return java.util.HexFormat.of().parseHex(hex);
        }
    }

    static final SogdState STATE = ModelStates.ofSize(4);
    private static final byte[] GOOD = ModelFile.encode(STATE);

    private MalformedModels() {}

    private static Case of(String name, Reason expected, byte[] bytes) {
        return new Case(name, expected, java.util.HexFormat.of().formatHex(bytes));
    }

    private static Case edited(String name, Reason expected, Consumer<RawModel> edit) {
        RawModel model = RawModel.parse(GOOD);
        edit.accept(model);
        return of(name, expected, model.sealed());
    }

    private static byte[] withLength(long length) {
        return ByteBuffer.wrap(GOOD.clone())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, length)
                .array();
    }

    private static byte[] withByte(int at, int value) {
        byte[] bytes = GOOD.clone();
        bytes[at] = (byte) value;
        return bytes;
    }

    private static byte[] with(RawModel model, byte[] data) {
        return model.withData(data).sealed();
    }

    private static byte[] foreign(String hex) {
        return Arrays.copyOf(java.util.HexFormat.of().parseHex(hex), 200);
    }

    /** The 26 cases that every release must refuse. */
    public static List<Case> catalogue() {
        RawModel good = RawModel.parse(GOOD);
        int data = good.data().length;
        return List.of(
                of("01 empty", Reason.EMPTY, new byte[0]),
                of("02 shorter than the header", Reason.TRUNCATED, Arrays.copyOf(GOOD, 300)),
                of("03 wrong magic", Reason.FOREIGN, withByte(8, 'K')),
                edited("04 version 0", Reason.BAD_VERSION, m -> m.set("version", "0")),
                edited("05 newer version", Reason.TOO_NEW, m -> m.set("version", "5")),
                edited(
                        "06 retired version",
                        Reason.TOO_OLD,
                        m -> m.set("version", "1").set("method", "least-squares")),
                of("07 header length beyond the limit", Reason.HEADER_TOO_LONG, withLength((1 << 20) + 1)),
                of("08 header length beyond the file", Reason.TRUNCATED, withLength(GOOD.length - 7L)),
                of("09 header length 2^63", Reason.HEADER_TOO_LONG, withLength(Long.MIN_VALUE)),
                of("10 not UTF-8", Reason.NOT_UTF8, withByte(40, 0xff)),
                of("11 not JSON", Reason.NOT_JSON, withByte(9, '\'')),
                edited(
                        "12 duplicate key",
                        Reason.DUPLICATE_KEY,
                        m -> m.edit("\"lambda\":\"0.01\"", "\"lambda\":\"0.01\",\"lambda\":\"0.01\"")),
                edited("13 unknown section", Reason.UNKNOWN_SECTION, m -> m.edit("\"L_x\":", "\"L_y\":")),
                edited("14 missing section", Reason.MISSING_SECTION, m -> m.edit("," + m.entry("M"), "")),
                edited("15 negative count", Reason.BAD_COUNT, m -> m.edit("[4,4]", "[-4,-4]")),
                edited("16 count overflows", Reason.OVERFLOW, m -> m.edit("[4,4]", "[65536,65536]")),
                edited("17 overlap", Reason.OVERLAP, m -> m.edit("[128,256]", "[120,248]")),
                of(
                        "18 hole",
                        Reason.HOLE,
                        with(
                                RawModel.parse(GOOD)
                                        .edit("[576,576]", "[584,584]")
                                        .edit("[544,576]", "[552,584]"),
                                Arrays.copyOf(good.data(), data + 8))),
                of("19 trailing bytes", Reason.TRAILING_BYTES, Arrays.copyOf(GOOD, GOOD.length + 1)),
                of("20 checksum", Reason.CHECKSUM, withByte(GOOD.length - 1, 1)),
                edited("21 NaN in M", Reason.NOT_FINITE, m -> m.put("M", 5, Double.NaN)),
                edited("22 infinity in x", Reason.NOT_FINITE, m -> m.put("x", 1, Double.NEGATIVE_INFINITY)),
                edited("23 factor with a zero diagonal", Reason.BAD_FACTOR, m -> m.put("L_x", 5, 0.0)),
                edited("24 factor of other points", Reason.BAD_FACTOR, m -> m.put("L_x_next", 15, 0.5)),
                edited(
                        "25 kernel outside the list",
                        Reason.UNKNOWN_KERNEL,
                        m -> m.set("input_kernel", "java.lang.Runtime(sigma=1)")),
                of("26 Java serialization", Reason.FOREIGN, foreign("aced0005737200")));
    }

    /** Case 26 has three files; and more that are wrong. */
    public static List<Case> more() {
        RawModel good = RawModel.parse(GOOD);
        return List.of(
                of("zip", Reason.FOREIGN, foreign("504b030414000000")),
                of("pickle", Reason.FOREIGN, foreign("80049500")),
                of("short pickle", Reason.FOREIGN, new byte[] {(byte) 0x80, 2, '}', 'q', 0, '.'}),
                of("gzip", Reason.FOREIGN, foreign("1f8b0800")),
                of("HDF5", Reason.FOREIGN, foreign("894844460d0a1a0a")),
                of("npy", Reason.FOREIGN, foreign("934e554d5059")),
                of("text", Reason.FOREIGN, "time,x,y\n0,1,2\n".getBytes(StandardCharsets.UTF_8)),
                edited("tensors of somebody else", Reason.FOREIGN, m -> m.set("format", "pt")),
                edited(
                        "no metadata",
                        Reason.FOREIGN,
                        m -> m.edit("__metadata__", "metadata")
                                .edit(m.json().substring(1, m.json().indexOf("\"x\"")), "")),
                of("header length 0", Reason.NOT_JSON, withLength(0)),
                of("header length alone", Reason.TRUNCATED, Arrays.copyOf(GOOD, 8)),
                of("cut in the header length", Reason.TRUNCATED, Arrays.copyOf(GOOD, 7)),
                edited("version in words", Reason.BAD_VERSION, m -> m.set("version", "one")),
                edited("version 01", Reason.BAD_VERSION, m -> m.set("version", "01")),
                edited("version of 30 digits", Reason.TOO_NEW, m -> m.set("version", "9".repeat(30))),
                edited("metadata number", Reason.BAD_HEADER, m -> m.edit("\"version\":\"2\"", "\"version\":2")),
                edited("metadata list", Reason.BAD_HEADER, m -> m.edit("\"samples\":\"", "\"samples\":[],\"s\":\"")),
                edited("tensor list", Reason.BAD_HEADER, m -> m.edit(m.entry("M"), "\"M\":[]")),
                edited("tensor without dtype", Reason.BAD_HEADER, m -> m.edit("\"dtype\":\"I64\",", "")),
                edited(
                        "tensor with more",
                        Reason.BAD_HEADER,
                        m -> m.edit("\"dtype\":\"I64\"", "\"d\":1,\"dtype\":\"I64\"")),
                edited("fraction", Reason.BAD_HEADER, m -> m.edit("[4,4]", "[4.0,4]")),
                edited("one offset", Reason.BAD_HEADER, m -> m.edit("[512,544]", "[512]")),
                edited("JSON twice", Reason.BAD_HEADER, m -> m.edit("]}}", "]}}{}")),
                edited(
                        "duplicate tensor",
                        Reason.DUPLICATE_KEY,
                        m -> m.edit(m.entry("M"), m.entry("M") + "," + m.entry("M"))),
                edited(
                        "duplicate dtype",
                        Reason.DUPLICATE_KEY,
                        m -> m.edit("\"dtype\":\"I64\"", "\"dtype\":\"I64\",\"dtype\":\"I64\"")),
                edited("NaN literal", Reason.NOT_JSON, m -> m.edit("[4,4]", "[NaN,4]")),
                edited("comment", Reason.NOT_JSON, m -> m.edit("[4,4]", "[4,/**/4]")),
                edited("deep", Reason.BAD_HEADER, m -> m.edit(m.entry("M"), "\"M\":" + "[".repeat(5000))),
                edited("65-bit number", Reason.OVERFLOW, m -> m.edit("[4,4]", "[18446744073709551616,4]")),
                edited("2^32 x 2^32", Reason.OVERFLOW, m -> m.edit("[4,4]", "[4294967296,4294967296]")),
                edited("2^33 samples", Reason.OVERFLOW, m -> m.edit("[4,2]", "[8589934592,2]")),
                edited("backward offsets", Reason.BAD_COUNT, m -> m.edit("[128,256]", "[256,128]")),
                edited("negative offset", Reason.BAD_COUNT, m -> m.edit("[0,64]", "[-64,0]")),
                edited(
                        "M the other way round",
                        Reason.BAD_COUNT,
                        m -> m.edit(
                                "\"x_next\":{\"dtype\":\"F64\",\"shape\":[4,2]",
                                "\"x_next\":{\"dtype\":\"F64\",\"shape\":[8,1]")),
                edited("another rank", Reason.BAD_COUNT, m -> m.edit("[4,4]", "[16]")),
                edited("another shape", Reason.BAD_COUNT, m -> m.edit("[4,4]", "[2,8]")),
                edited("shape against offsets", Reason.BAD_COUNT, m -> m.edit("[4,4]", "[4,5]")),
                edited("another type", Reason.BAD_TYPE, m -> m.edit("\"dtype\":\"I64\"", "\"dtype\":\"U64\"")),
                edited(
                        "unknown metadata",
                        Reason.UNKNOWN_SECTION,
                        m -> m.edit("\"version\"", "\"v\":\"\",\"version\"")),
                edited("fewer names than coordinates", Reason.BAD_SETTING, m -> named(m, "a")),
                edited("a name twice", Reason.BAD_SETTING, m -> named(m, "a,a")),
                edited("a name without letters", Reason.BAD_SETTING, m -> named(m, "a,")),
                edited("an escape too many", Reason.BAD_SETTING, m -> named(m, "a,%62")),
                edited("an escape that ends early", Reason.BAD_SETTING, m -> named(m, "a,b%C")),
                edited("an escape that is no number", Reason.BAD_SETTING, m -> named(m, "a,b%ZZ")),
                edited("a name that is not UTF-8", Reason.BAD_SETTING, m -> named(m, "a,b%FF")),
                edited("a line break in a name", Reason.BAD_SETTING, m -> named(m, "a,b%0A")),
                edited(
                        "delays that do not fit",
                        Reason.BAD_SETTING,
                        m -> m.edit("\"dependents\"", "\"delays\":\"2\",\"dependents\"")
                                .edit("\"version\"", "\"stride\":\"1\",\"version\"")),
                edited(
                        "delays without a stride",
                        Reason.MISSING_SECTION,
                        m -> m.edit("\"dependents\"", "\"delays\":\"1\",\"dependents\"")),
                edited(
                        "a stride without delays",
                        Reason.BAD_SETTING,
                        m -> m.edit("\"version\"", "\"stride\":\"2\",\"version\"")),
                edited("missing metadata", Reason.MISSING_SECTION, m -> m.edit("\"lambda\":\"0.01\",", "")),
                edited(
                        "missing checksum",
                        Reason.MISSING_SECTION,
                        m -> m.edit("\"checksum\":\"" + "0".repeat(64) + "\",", "")),
                edited("short checksum", Reason.CHECKSUM, m -> m.edit("0".repeat(64), "0".repeat(63))),
                edited("another method", Reason.UNSUPPORTED, m -> m.set("method", "gradient-boosting")),
                of(
                        "more pending samples than the block size allows",
                        Reason.BAD_COUNT,
                        with(
                                RawModel.parse(GOOD)
                                        .edit(
                                                "[0,2],\"data_offsets\":[576,576]},\"pending_x_next\"",
                                                "[1,2],\"data_offsets\":[576,592]},\"pending_x_next\"")
                                        .edit("[0,2],\"data_offsets\":[576,576]", "[1,2],\"data_offsets\":[592,608]"),
                                Arrays.copyOf(good.data(), good.data().length + 32))),
                edited(
                        "keys out of order",
                        Reason.NOT_CANONICAL,
                        m -> m.edit(
                                "\"lambda\":\"0.01\",\"method\":\"sogd\"", "\"method\":\"sogd\",\"lambda\":\"0.01\"")),
                edited("blank in the header", Reason.NOT_CANONICAL, m -> m.edit("[4,4]", "[4, 4]")),
                edited("escape in the header", Reason.NOT_CANONICAL, m -> m.edit("\"EXACT\"", "\"\\u0045XACT\"")),
                edited(
                        "tensors in another order",
                        Reason.NOT_CANONICAL,
                        m -> m.edit("\"L_x\":", "\"?\":")
                                .edit("\"M\":", "\"L_x\":")
                                .edit("\"?\":", "\"M\":")),
                of("newline after the header", Reason.NOT_CANONICAL, paddedWith("\n       ")),
                of("more blanks than needed", Reason.NOT_CANONICAL, paddedWith("        ")),
                of("header not aligned", Reason.NOT_CANONICAL, paddedWith(" ")),
                edited("negative samples", Reason.BAD_COUNT, m -> m.set("samples", "-4")),
                edited("samples of 30 digits", Reason.OVERFLOW, m -> m.set("samples", "9".repeat(30))),
                edited("fewer samples than kept", Reason.BAD_COUNT, m -> m.set("samples", "3")),
                edited("more dependents than samples", Reason.BAD_COUNT, m -> m.set("dependents", "99999")),
                edited("sample numbers out of order", Reason.BAD_COUNT, m -> m.put("x_sample", 2, 1L)),
                edited("sample number in the future", Reason.BAD_COUNT, m -> m.put("x_next_sample", 3, Long.MAX_VALUE)),
                edited("dimension 0", Reason.BAD_COUNT, m -> m.set("input_dimension", "0")),
                edited("dimension 3 of 2", Reason.BAD_COUNT, m -> m.set("input_dimension", "3")),
                edited("dimension beyond the limit", Reason.TOO_LARGE, m -> m.set("input_dimension", "131073")),
                edited(
                        "kernel for another dimension",
                        Reason.BAD_SETTING,
                        m -> m.set("input_kernel", "scaled(gaussian(1), 1)")),
                edited("kernel out of range", Reason.BAD_SETTING, m -> m.set("output_kernel", "gaussian(sigma=-1)")),
                edited("kernel nested too deep", Reason.UNKNOWN_KERNEL, m -> m.set("input_kernel", "(".repeat(5000))),
                edited("kernel too long", Reason.UNKNOWN_KERNEL, m -> m.set("input_kernel", "g".repeat(10001))),
                edited("text too long", Reason.NOT_JSON, m -> m.set("input_kernel", "g".repeat(20000))),
                edited("quote in a text", Reason.BAD_SETTING, m -> m.set("criterion", "EX\\\"ACT")),
                edited("newline in a text", Reason.BAD_SETTING, m -> m.set("criterion", "EX\\nACT")),
                edited("lambda 0", Reason.BAD_SETTING, m -> m.set("lambda", "0")),
                edited("lambda NaN", Reason.BAD_SETTING, m -> m.set("lambda", "NaN")),
                edited("lambda in words", Reason.BAD_SETTING, m -> m.set("lambda", "E.-")),
                edited("step too large", Reason.BAD_SETTING, m -> m.set("step_size", "constant(3)")),
                edited("unknown schedule", Reason.BAD_SETTING, m -> m.set("step_size", "run(1)")),
                edited("negative budget", Reason.BAD_SETTING, m -> m.set("budget", "constant(-1)")),
                edited("unknown criterion", Reason.BAD_SETTING, m -> m.set("criterion", "exact")),
                edited("custom schedule", Reason.MISSING_SCHEDULE, m -> m.set("budget", "custom(mine)")),
                edited("coordinate too large", Reason.BAD_POINT, m -> m.put("x_next", 0, 1e155)),
                edited(
                        "point outside the domain",
                        Reason.BAD_POINT,
                        m -> m.set("input_kernel", "linear(offset=1, radius=0.1)")),
                edited("factor with a negative diagonal", Reason.BAD_FACTOR, m -> m.put("L_x", 0, -1.0)),
                edited("factor with an upper triangle", Reason.BAD_FACTOR, m -> m.put("L_x", 1, 1e-300)));
    }

    private static void named(RawModel model, String names) {
        model.edit("\"output_dimension\"", "\"names\":\"" + names + "\",\"output_dimension\"");
    }

    private static byte[] paddedWith(String blanks) {
        RawModel model = RawModel.parse(RawModel.parse(GOOD).sealed());
        return model.edit(
                        "]}}"
                                + " "
                                        .repeat(model.json().length()
                                                - model.json().stripTrailing().length()),
                        "]}}" + " ".repeat((8 - model.json().stripTrailing().length() % 8) % 8) + blanks)
                .sealedAsIs();
    }
}
