package io.koopstream.flink.job;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.koopstream.InvalidConfigException;
import io.koopstream.io.EncodableText;
import io.koopstream.io.samples.RowRoles;
import io.koopstream.io.samples.Sample;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One Protobuf message, of a type that a file of {@code protoc --descriptor_set_out} describes; with a registry, behind its header. A field that
 * is not set is a value that is not known where the schema can tell ({@code optional}), and 0 where it cannot.
 */
final class ProtobufFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    static final String TYPE = "PROTOBUF";

    private final RecordLayout layout;
    private final RowRoles roles;
    private final byte[] descriptors;
    private final String message;
    /** Null: records have no header. */
    private final SchemaRegistry registry;

    private transient Descriptor type;
    /** By column. */
    private transient FieldDescriptor[] fields;
    /** Where the type stands in its file: the message of that number, of it the message of that number, … */
    private transient List<Integer> place;
    /** Numbers of schemas that the registry knows. */
    private transient Set<Integer> known;

    /**
     * @param descriptors a FileDescriptorSet with all imports
     * @param message the full name of the type
     * @param registry null: records have no header
     */
    ProtobufFormat(RecordLayout layout, byte[] descriptors, String message, SchemaRegistry registry) {
        this.layout = layout;
        this.roles = layout.roles(layout.required());
        this.descriptors = descriptors.clone();
        this.message = message;
        this.registry = registry;
        prepare();
    }

    private void prepare() {
        type = Files.type(descriptors, message);
        fields = new FieldDescriptor[roles.count()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = type.findFieldByName(roles.name(i));
            String problem = fields[i] == null ? "has no such field" : unfit(fields[i], i);
            if (problem != null) {
                throw new InvalidConfigException("source.message", message + "." + roles.name(i), problem);
            }
        }
        Deque<Integer> path = new ArrayDeque<>();
        for (Descriptor at = type; at != null; at = at.getContainingType()) {
            path.addFirst(at.getIndex());
        }
        place = List.copyOf(path);
        known = new HashSet<>();
    }

    private String unfit(FieldDescriptor field, int column) {
        if (field.isRepeated() != roles.width(column) > 1) {
            return field.isRepeated() ? "is repeated; one value is expected" : "is not repeated; an array is expected";
        }
        boolean fits = switch (field.getJavaType()) {
            case INT, LONG -> true;
            case FLOAT, DOUBLE -> !roles.isText(column);
            case STRING -> roles.isText(column) || roles.isTime(column);
            case ENUM -> roles.isText(column);
            case BOOLEAN, BYTE_STRING, MESSAGE -> false;
        };
        return fits
                ? null
                : "is of the type " + field.getType() + "; expected "
                        + (roles.isText(column) ? "a text or a whole number" : "a number");
    }

    @Override
    public void read(byte[] value, Sample into) {
        if (type == null) {
            prepare();
        }
        roles.begin(into, 0);
        DynamicMessage read;
        try {
            CodedInputStream bytes = CodedInputStream.newInstance(value);
            if (registry != null) {
                header(value, bytes);
            }
            read = DynamicMessage.parseFrom(type, bytes);
            bytes.checkLastTagWas(0);
        } catch (IOException e) {
            throw new BadRecordException(null, "is not a Protobuf message of type " + message + ": " + e.getMessage());
        }
        boolean empty = true;
        BadRecordException problem = null;
        for (int i = 0; i < fields.length; i++) {
            BadRecordException found = field(read, i, into);
            problem = problem == null ? found : problem;
            empty &= isEmpty(read, fields[i]);
        }
        if (problem != null) {
            throw problem;
        }
        if (empty) {
            // Almost any bytes are a message whose fields nobody knows.
            throw new BadRecordException(null, "sets none of the fields that the job file names");
        }
    }

    private void header(byte[] value, CodedInputStream bytes) throws IOException {
        int id = SchemaRegistry.id(value);
        if (!known.contains(id)) {
            registry.entry(id, TYPE);
            known.add(id);
        }
        bytes.skipRawBytes(SchemaRegistry.HEADER);
        int depth = bytes.readSInt32();
        // The first message of a file is by far the most usual, and has a short form.
        List<Integer> written = depth == 0 ? List.of(0) : new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            written.add(bytes.readSInt32());
        }
        if (!written.equals(place)) {
            throw new BadRecordException(
                    null,
                    "is the message " + written + " of its schema; " + message + " is the message " + place
                            + " of its file");
        }
    }

    private static boolean isEmpty(DynamicMessage read, FieldDescriptor field) {
        return field.isRepeated() ? read.getRepeatedFieldCount(field) == 0 : !read.hasField(field);
    }

    private BadRecordException field(DynamicMessage read, int column, Sample into) {
        FieldDescriptor field = fields[column];
        if (field.isRepeated()) {
            int count = read.getRepeatedFieldCount(field);
            if (count != roles.width(column)) {
                return new BadRecordException(
                        roles.name(column), "has " + count + " numbers, expected " + roles.width(column));
            }
            for (int i = 0; i < count; i++) {
                roles.put(into, column, i, number(field, read.getRepeatedField(field, i)));
            }
        } else if (field.hasPresence() && !read.hasField(field)) {
            if (roles.isText(column)) {
                return new BadRecordException(roles.name(column), "is missing");
            }
            roles.put(into, column, Double.NaN);
        } else if (roles.isText(column)) {
            String text = text(field, read.getField(field));
            String objection = EncodableText.objection(text);
            if (objection != null) {
                return new BadRecordException(roles.name(column), objection);
            }
            roles.put(into, column, text);
        } else if (read.getField(field) instanceof String text) {
            try {
                roles.put(into, column, layout.time(text));
            } catch (BadRecordException e) {
                return e;
            }
        } else {
            roles.put(into, column, number(field, read.getField(field)));
        }
        return null;
    }

    private static String text(FieldDescriptor field, Object value) {
        if (value instanceof EnumValueDescriptor symbol) {
            return symbol.getName();
        }
        return switch (field.getType()) {
            case UINT64, FIXED64 -> Long.toUnsignedString((Long) value);
            case UINT32, FIXED32 -> Integer.toUnsignedString((Integer) value);
            default -> value.toString();
        };
    }

    private static double number(FieldDescriptor field, Object value) {
        return switch (field.getType()) {
            case UINT64, FIXED64 -> {
                long bits = (Long) value;
                // Half of it, rounded to odd, twice: as near as a double can be.
                yield bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
            }
            case UINT32, FIXED32 -> Integer.toUnsignedLong((Integer) value);
            default -> ((Number) value).doubleValue();
        };
    }

    /** The files of a FileDescriptorSet, linked. */
    private static final class Files {

        private final Map<String, FileDescriptorProto> all = new HashMap<>();
        private final Map<String, FileDescriptor> linked = new HashMap<>();

        static Descriptor type(byte[] descriptors, String message) {
            Files files = new Files();
            try {
                FileDescriptorSet set = FileDescriptorSet.parseFrom(descriptors);
                set.getFileList().forEach(file -> files.all.put(file.getName(), file));
                for (FileDescriptorProto file : set.getFileList()) {
                    String within = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
                    if (message.startsWith(within)) {
                        Descriptor found = files.find(file, message.substring(within.length()));
                        if (found != null) {
                            return found;
                        }
                    }
                }
            } catch (InvalidProtocolBufferException | DescriptorValidationException e) {
                throw new InvalidConfigException(
                        "source.descriptor",
                        "Protobuf",
                        "cannot be used: " + e.getMessage()
                                + "; make it by protoc --include_imports --descriptor_set_out=FILE SCHEMA.proto");
            }
            throw new InvalidConfigException(
                    "source.message", message, "is not in the descriptor, which has " + files.all.keySet());
        }

        private Descriptor find(FileDescriptorProto file, String name) throws DescriptorValidationException {
            Descriptor found = null;
            for (String part : name.split("\\.", -1)) {
                found = found == null
                        ? linked(file.getName(), 0).findMessageTypeByName(part)
                        : found.findNestedTypeByName(part);
                if (found == null) {
                    return null;
                }
            }
            return found;
        }

        private FileDescriptor linked(String name, int depth) throws DescriptorValidationException {
            FileDescriptor done = linked.get(name);
            if (done == null) {
                FileDescriptorProto file = all.get(name);
                if (file == null || depth > all.size()) {
                    throw new InvalidConfigException(
                            "source.descriptor",
                            name,
                            "is imported but not in the file; give protoc --include_imports");
                }
                List<FileDescriptor> imports = new ArrayList<>();
                for (String other : file.getDependencyList()) {
                    imports.add(linked(other, depth + 1));
                }
                done = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
                linked.put(name, done);
            }
            return done;
        }
    }
}
