package io.koopstream.server.feed;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.RowBatches;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Follows a CSV or JSON-lines file that grows. Every row has a number, also one that cannot be read, so that after a restart the file is
 * read again from its start and nothing is learned twice or left out. When the file is replaced or cut, the new one is read from its start.
 */
public final class FileTail implements Feed {

    private static final Logger LOG = System.getLogger(FileTail.class.getName());
    private static final long WAIT_MILLIS = 200;
    private static final int MAX_COMPLAINTS = 10;

    private final Path file;
    private final Path bookmark;
    private final FeedTarget target;
    private final String stream;
    private final FeedThread thread;
    private int complaints;
    /** The number that comes next, as far as this process knows; a view may be behind. */
    private long sent;

    private FileTail(FeedTarget target, Path file, Path bookmarks) {
        this.file = file;
        this.bookmark = Bookmark.place(bookmarks, file);
        this.target = target;
        this.stream = "tail:" + bookmark.getFileName().toString().replaceAll("^tail-|\\.txt$", "");
        this.thread = new FeedThread("tail", this::run);
    }

    /**
     * Begins to follow a file, which need not exist yet.
     *
     * @param target the model to feed
     * @param bookmarks folder in which it is remembered which contents were read
     */
    public static FileTail start(FeedTarget target, Path file, Path bookmarks) {
        return new FileTail(target, file, bookmarks);
    }

    private void run() throws InterruptedException, IOException {
        while (true) {
            if (Files.exists(file)) {
                follow();
            }
            TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
        }
    }

    /** Reads one contents of the file until it is replaced. */
    private void follow() throws InterruptedException, IOException {
        Contents[] contents = new Contents[1];
        TailStream.Pause pause = () -> {
            if (contents[0] != null) {
                contents[0].batches.flush();
            }
        };
        try (TailStream in = new TailStream(file, pause);
                SampleReader reader = target.open(in, file.getFileName().toString())) {
            Sample sample = new Sample();
            long unreadable = 0;
            while (true) {
                try {
                    if (!reader.read(sample)) {
                        break;
                    }
                } catch (BadRowException e) {
                    complain(e.getMessage());
                    if (contents[0] == null) {
                        unreadable++;
                    } else {
                        contents[0].unreadable(e.trajectory());
                    }
                    continue;
                }
                if (contents[0] == null) {
                    contents[0] = new Contents(reader, sample);
                    for (; unreadable > 0; unreadable--) {
                        contents[0].unreadable(null);
                    }
                }
                contents[0].row(sample);
            }
            if (contents[0] != null) {
                contents[0].batches.flush();
                sent = contents[0].batches.next();
            }
        }
    }

    /** One contents of the file: passes over what was sent before, and sends the rest. */
    private final class Contents {

        private final RowBatches<InterruptedException> batches;
        private Bookmark mark;
        /** Rows with numbers that were sent before and are still to come. */
        private long left;

        Contents(SampleReader reader, Sample first) throws IOException {
            LiveModel model = target.modelFor(reader);
            long next = next(model);
            String identity = identity(reader, first);
            mark = Bookmark.read(bookmark);
            if (!mark.identity().equals(identity) || mark.base() > next) {
                // New contents go on where the old ones ended.
                mark = new Bookmark(identity, next, true);
                mark.write(bookmark);
            }
            left = next - mark.base();
            batches = new Submitter(model).batches(stream, reader, next);
        }

        void row(Sample sample) throws InterruptedException, IOException {
            if (left > 0) {
                left--;
                batches.isNew(sample);
            } else {
                giveEveryRowANumber();
                batches.add(sample, batches.isNew(sample));
            }
        }

        void unreadable(String trajectory) throws InterruptedException, IOException {
            if (left == 0) {
                giveEveryRowANumber();
                batches.addUnreadable(trajectory);
            } else if (mark.everyRow()) {
                left--;
            } else {
                // As if it had had a number.
                mark = new Bookmark(mark.identity(), mark.base() - 1, false);
            }
        }

        private void giveEveryRowANumber() throws IOException {
            if (!mark.everyRow()) {
                mark = new Bookmark(mark.identity(), mark.base(), true);
                mark.write(bookmark);
            }
        }
    }

    private long next(LiveModel model) {
        return model.view().streams().stream()
                .filter(known -> known.name().equals(stream))
                .mapToLong(ModelView.StreamInfo::next)
                .reduce(sent, Math::max);
    }

    private static String identity(SampleReader reader, Sample first) {
        CRC32C hash = new CRC32C();
        hash.update((reader.names() + " " + first.trajectory() + " " + first.step() + " " + first.time() + " "
                        + Arrays.toString(first.state()))
                .getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(hash.getValue());
    }

    private void complain(String problem) {
        if (complaints++ < MAX_COMPLAINTS) {
            LOG.log(Level.WARNING, "unreadable: " + problem);
        }
    }

    @Override
    public String description() {
        return "file " + file + ", followed into model " + target.name();
    }

    @Override
    public void close() {
        thread.stop();
    }
}
