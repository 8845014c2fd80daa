package io.koopstream.server.feed;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelView;
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
 * Follows a CSV or JSON-lines file that grows. Every row that can be used has a number, so that after a restart the file is read again from
 * its start and nothing is learned twice or left out. When the file is replaced or cut, the new one is read from its start.
 */
public final class FileTail implements Feed {

    private static final Logger LOG = System.getLogger(FileTail.class.getName());
    private static final long WAIT_MILLIS = 200;
    private static final int MOST_COMPLAINTS = 10;

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
     * @param model the model to feed; created with chosen settings when missing
     * @param bookmarks folder in which it is remembered which contents were read
     */
    public static FileTail start(LiveModels models, String model, Path file, Path bookmarks) {
        return new FileTail(new FeedTarget(models, model), file, bookmarks);
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
        RowBatches[] batches = new RowBatches[1];
        TailStream.Pause pause = () -> {
            if (batches[0] != null) {
                batches[0].flush();
            }
        };
        try (TailStream in = new TailStream(file, pause);
                SampleReader reader = SampleReaders.open(in, file.getFileName().toString())) {
            Sample sample = new Sample();
            long skipped = 0;
            long skip = 0;
            while (true) {
                try {
                    if (!reader.read(sample)) {
                        break;
                    }
                } catch (BadRowException e) {
                    complain(e.getMessage());
                    if (batches[0] != null) {
                        batches[0].interrupt();
                    }
                    continue;
                }
                if (batches[0] == null) {
                    LiveModel model = target.modelFor(reader);
                    long next = next(model);
                    long base = base(reader, sample, next);
                    skip = next - base;
                    batches[0] = new RowBatches(new Submitter(model), stream, next);
                }
                if (skipped < skip) {
                    skipped++;
                    batches[0].skip(sample);
                } else {
                    batches[0].add(sample);
                }
            }
            if (batches[0] != null) {
                batches[0].flush();
                sent = batches[0].next();
            }
        }
    }

    private long next(LiveModel model) {
        return model.view().streams().stream()
                .filter(known -> known.name().equals(stream))
                .mapToLong(ModelView.StreamInfo::next)
                .reduce(sent, Math::max);
    }

    /** The number of the first row of these contents; new contents go on where the old ones ended. */
    private long base(SampleReader reader, Sample first, long next) throws IOException {
        CRC32C hash = new CRC32C();
        hash.update((reader.names() + " " + first.trajectory() + " " + first.step() + " " + first.time() + " "
                        + Arrays.toString(first.state()))
                .getBytes(StandardCharsets.UTF_8));
        String identity = Long.toHexString(hash.getValue());
        Bookmark known = Bookmark.read(bookmark);
        if (known.identity().equals(identity) && known.base() <= next) {
            return known.base();
        }
        new Bookmark(identity, next).write(bookmark);
        return next;
    }

    private void complain(String problem) {
        if (complaints++ < MOST_COMPLAINTS) {
            LOG.log(Level.WARNING, "skipped: " + problem);
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
