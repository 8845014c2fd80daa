package io.koopstream.flink.job;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

/** Results read by nothing but the schema that stands in the registry. */
final class ReadBack {

    private static final Pattern FIELD = Pattern.compile("(optional|repeated) (string|int64|double) (\\w+) = (\\d+);");

    private ReadBack() {}

    static Map<String, Object> avro(String schemaText, byte[] record) throws IOException {
        Schema schema = new Schema.Parser().parse(schemaText);
        GenericRecord read = new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(record, null));
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Schema.Field field : schema.getFields()) {
            Object value = read.get(field.pos());
            fields.put(field.name(), value instanceof CharSequence text ? text.toString() : copy(value));
        }
        return fields;
    }

    /** The few words of Protobuf's language that the schemas of results use are understood here. */
    static Map<String, Object> protobuf(String schemaText, byte[] record) throws Exception {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("M");
        Matcher line = FIELD.matcher(schemaText);
        while (line.find()) {
            boolean repeated = line.group(1).equals("repeated");
            FieldDescriptorProto.Builder field = message.addFieldBuilder()
                    .setName(line.group(3))
                    .setNumber(Integer.parseInt(line.group(4)))
                    .setType(FieldDescriptorProto.Type.valueOf(
                            "TYPE_" + line.group(2).toUpperCase(Locale.ROOT)))
                    .setLabel(
                            repeated
                                    ? FieldDescriptorProto.Label.LABEL_REPEATED
                                    : FieldDescriptorProto.Label.LABEL_OPTIONAL);
            if (!repeated) {
                field.setProto3Optional(true).setOneofIndex(message.getOneofDeclCount());
                message.addOneofDeclBuilder().setName("_" + line.group(3));
            }
        }
        Descriptor type = FileDescriptor.buildFrom(
                        FileDescriptorProto.newBuilder()
                                .setSyntax("proto3")
                                .addMessageType(message)
                                .build(),
                        new FileDescriptor[0])
                .findMessageTypeByName("M");
        DynamicMessage read = DynamicMessage.parseFrom(type, record);
        if (!read.getUnknownFields().asMap().isEmpty()) {
            throw new IllegalStateException("fields that the schema does not have: " + read.getUnknownFields());
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        for (FieldDescriptor field : type.getFields()) {
            fields.put(field.getName(), field.isRepeated() || read.hasField(field) ? copy(read.getField(field)) : null);
        }
        return fields;
    }

    private static Object copy(Object value) {
        return value instanceof List<?> list ? List.copyOf(list) : value;
    }
}
