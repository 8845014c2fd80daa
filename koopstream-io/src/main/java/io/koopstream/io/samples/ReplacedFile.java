package io.koopstream.io.samples;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** A file that is written beside its place and moved there when it is whole: a failure leaves what was there before. */
public final class ReplacedFile implements Closeable {

    private final Path place;
    private final Path temporary;
    private boolean moved;

    /** Begins to replace a file, which need not exist; its folder must. */
    public ReplacedFile(Path place) throws IOException {
        this.place = place;
        Path folder = place.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new IOException(place + ": its folder does not exist; create it first");
        }
        // Made by ourselves: a file from createTempFile would keep its rights for the owner alone.
        this.temporary = folder.resolve(".koop-" + UUID.randomUUID() + ".part");
        Files.createFile(temporary);
    }

    /** Where to write. */
    public Path path() {
        return temporary;
    }

    /** Moves the file to its place. */
    public void commit() throws IOException {
        try {
            Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, place, StandardCopyOption.REPLACE_EXISTING);
        }
        moved = true;
    }

    /** Removes what was written unless it was committed. */
    @Override
    public void close() throws IOException {
        if (!moved) {
            Files.deleteIfExists(temporary);
        }
    }
}
