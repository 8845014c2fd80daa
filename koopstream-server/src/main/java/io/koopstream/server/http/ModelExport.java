package io.koopstream.server.http;

import io.koopstream.io.ModelArrays;
import io.koopstream.operator.KoopmanOperator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A model as arrays in one archive: what {@code koop export} writes. */
final class ModelExport {

    private ModelExport() {}

    static byte[] zip(KoopmanOperator operator, Object facts) throws IOException {
        Path folder = Files.createTempDirectory("koopstream-export");
        try {
            ModelArrays.write(folder, operator, facts);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
                for (String name : ModelArrays.FILES) {
                    zip.putNextEntry(new ZipEntry(name));
                    Files.copy(folder.resolve(name), zip);
                    zip.closeEntry();
                }
            }
            return bytes.toByteArray();
        } finally {
            for (String name : ModelArrays.FILES) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.deleteIfExists(folder);
        }
    }
}
