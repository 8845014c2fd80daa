package io.koopstream.flink.job;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Records as others write them: by the libraries of Avro and Protobuf, with the header of a registry in front. */
final class WellSchemas {

    static final String AVRO = """
            {"type": "record", "name": "Well", "fields": [
              {"name": "notes", "type": {"type": "map", "values": {"type": "array", "items": "string"}}},
              {"name": "well", "type": ["null", "string"]},
              {"name": "step", "type": "long"},
              {"name": "inner", "type": ["null", {"type": "record", "name": "Inner", "fields": [
                {"name": "x1", "type": "bytes"}, {"name": "next", "type": ["null", "Inner"]}]}]},
              {"name": "x1", "type": ["double", "null"]},
              {"name": "x2", "type": "double"}]}""";

    static final String PROTO = """
            syntax = "proto3";
            package plant;
            message Header { optional string x1 = 1; }
            message Well { string well = 1; optional uint64 step = 2; double x1 = 3; optional double x2 = 4; Header header = 9; }
            """;

    private static final Schema AVRO_SCHEMA = new Schema.Parser().parse(AVRO);
    private static final Descriptor WELL = linked();

    private WellSchemas() {}

    /** What protoc makes of {@link #PROTO}. */
    static FileDescriptorSet descriptors() {
        FieldDescriptorProto.Type text = FieldDescriptorProto.Type.TYPE_STRING;
        FieldDescriptorProto.Type number = FieldDescriptorProto.Type.TYPE_DOUBLE;
        DescriptorProto.Builder header = DescriptorProto.newBuilder().setName("Header");
        optional(header, "x1", 1, text);
        DescriptorProto.Builder well = DescriptorProto.newBuilder().setName("Well");
        well.addField(field("well", 1, text));
        optional(well, "step", 2, FieldDescriptorProto.Type.TYPE_UINT64);
        well.addField(field("x1", 3, number));
        optional(well, "x2", 4, number);
        well.addField(field("header", 9, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".plant.Header"));
        return FileDescriptorSet.newBuilder()
                .addFile(FileDescriptorProto.newBuilder()
                        .setName("well.proto")
                        .setPackage("plant")
                        .setSyntax("proto3")
                        .addMessageType(header)
                        .addMessageType(well))
                .build();
    }

    private static FieldDescriptorProto.Builder field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    }

    private static void optional(
            DescriptorProto.Builder message, String name, int number, FieldDescriptorProto.Type type) {
        message.addOneofDeclBuilder().setName("_" + name);
        message.addField(
                field(name, number, type).setProto3Optional(true).setOneofIndex(message.getOneofDeclCount() - 1));
    }

    static Descriptor well() {
        return WELL;
    }

    private static Descriptor linked() {
        try {
            return FileDescriptor.buildFrom(descriptors().getFile(0), new FileDescriptor[0])
                    .findMessageTypeByName("Well");
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A record behind the header that names its schema. */
    static byte[] framed(int id, int[] indexes, byte[] record) {
        ByteBuffer bytes = ByteBuffer.allocate(5 + 1 + indexes.length + record.length);
        bytes.put((byte) 0).putInt(id);
        if (indexes.length > 0) {
            // Zigzag, in one byte each.
            bytes.put((byte) (2 * indexes.length));
            for (int index : indexes) {
                bytes.put((byte) (2 * index));
            }
        }
        bytes.put(record);
        byte[] all = new byte[bytes.position()];
        bytes.flip().get(all);
        return all;
    }

    static byte[] avro(String schemaText, Map<String, Object> values) {
        Schema schema = schemaText.equals(AVRO) ? AVRO_SCHEMA : new Schema.Parser().parse(schemaText);
        GenericData.Record record = new GenericData.Record(schema);
        values.forEach(record::put);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
            new GenericDatumWriter<GenericData.Record>(schema).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    static byte[] protobuf(Descriptor type, Map<String, Object> values) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        values.forEach((name, value) -> {
            FieldDescriptor field = type.findFieldByName(name);
            message.setField(field, value);
        });
        return message.build().toByteArray();
    }
}
