package io.koopstream.server.feed;

import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Which contents of a followed file the numbers of its stream belong to: a file that was replaced goes on counting where the one before ended.
 *
 * @param identity of the contents: a hash of the names and the first row
 * @param base the number of their first row
 * @param everyRow whether rows that cannot be read have numbers too; older releases gave them none
 */
record Bookmark(String identity, long base, boolean everyRow) {

    private static final String EVERY_ROW = "every-row";

    /** Where the bookmark of a file is kept. */
    static Path place(Path folder, Path file) {
        CRC32C hash = new CRC32C();
        hash.update(file.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
        return folder.resolve("tail-" + Long.toHexString(hash.getValue()) + ".txt");
    }

    /** The bookmark at a place; none when there is none that can be read. */
    static Bookmark read(Path place) throws IOException {
        if (!Files.exists(place)) {
            return new Bookmark("", 0, true);
        }
        String[] words = Files.readString(place).strip().split(" ", 3);
        try {
            return new Bookmark(words[0], Long.parseLong(words[1]), words.length > 2 && words[2].equals(EVERY_ROW));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(
                    place.getFileName() + ": expected a name and a number; delete it to read the file from the start",
                    e);
        }
    }

    /** Replaces the bookmark at a place; it is there after a loss of power too. */
    void write(Path place) throws IOException {
        Files.createDirectories(place.getParent());
        byte[] text =
                (identity + " " + base + (everyRow ? " " + EVERY_ROW : "") + "\n").getBytes(StandardCharsets.UTF_8);
        AtomicFile.replace(Storage.DISK, place, file -> file.write(ByteBuffer.wrap(text)));
    }
}
