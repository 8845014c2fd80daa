package io.koopstream.server.feed;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.server.engine.RowBatches;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Listens on the loopback for lines of CSV (with a header) or JSON. A model that is behind makes it read no more, so that the sender waits.
 * There are no numbers and no acknowledgements: what is under way when a connection breaks may be lost.
 */
public final class LineListener implements Feed {

    private static final Logger LOG = System.getLogger(LineListener.class.getName());
    private static final int MAX_SENDERS = 16;

    private final FeedTarget target;
    private final ServerSocket server;
    private final FeedThread thread;
    private final Map<Integer, Socket> senders = new ConcurrentHashMap<>();

    private LineListener(FeedTarget target, int port) {
        this.target = target;
        try {
            server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MAX_SENDERS);
        } catch (IOException e) {
            throw new KoopstreamException("port " + port + " is not available; choose another with --listen", e);
        }
        thread = new FeedThread("listener", this::run);
    }

    /**
     * Begins to listen.
     *
     * @param target the model to feed
     * @param port on the loopback; 0 for any free one
     */
    public static LineListener start(FeedTarget target, int port) {
        if (port < 0 || port > 65_535) {
            throw new InvalidConfigException("listen", port, "must be a port from 0 to 65535");
        }
        return new LineListener(target, port);
    }

    /** The port. */
    public int port() {
        return server.getLocalPort();
    }

    private void run() throws IOException {
        while (true) {
            Socket socket;
            try {
                socket = server.accept();
            } catch (SocketException e) {
                if (server.isClosed()) {
                    return;
                }
                throw e;
            }
            Integer place = place(socket);
            if (place == null) {
                socket.close();
                LOG.log(Level.WARNING, "refused: " + MAX_SENDERS + " senders are connected already");
            } else {
                Thread sender = new Thread(() -> serve(socket, place), "koopstream-lines-" + place);
                sender.setDaemon(true);
                sender.start();
            }
        }
    }

    private Integer place(Socket socket) {
        for (int i = 1; i <= MAX_SENDERS; i++) {
            if (senders.putIfAbsent(i, socket) == null) {
                return i;
            }
        }
        return null;
    }

    private void serve(Socket socket, int place) {
        try (socket) {
            read(socket, place);
        } catch (IOException | RuntimeException | InterruptedException e) {
            if (!server.isClosed()) {
                LOG.log(Level.WARNING, "a sender of lines was closed: " + e.getMessage());
            }
        } finally {
            senders.remove(place);
        }
    }

    private void read(Socket socket, int place) throws IOException, InterruptedException {
        AtomicReference<RowBatches<InterruptedException>> batches = new AtomicReference<>();
        InputStream in = new FlushingStream(socket.getInputStream(), batches);
        try (SampleReader reader = target.open(in, "tcp sender " + place)) {
            // A browser that was sent here by a page speaks HTTP.
            if (reader.names().toString().contains("HTTP/")) {
                throw new IOException("it speaks HTTP; expected lines of CSV or JSON");
            }
            RowBatches<InterruptedException> rows =
                    new Submitter(target.modelFor(reader)).batches("tcp-" + place, reader, -1);
            batches.set(rows);
            Sample sample = new Sample();
            while (true) {
                try {
                    if (!reader.read(sample)) {
                        break;
                    }
                    rows.add(sample, rows.isNew(sample));
                } catch (BadRowException e) {
                    rows.addUnreadable(e.trajectory());
                    LOG.log(Level.DEBUG, "unreadable: " + e.getMessage());
                }
            }
            rows.flush();
        }
    }

    /** Sends on what has arrived before it waits for more. */
    private static final class FlushingStream extends FilterInputStream {
        private final AtomicReference<RowBatches<InterruptedException>> batches;

        FlushingStream(InputStream in, AtomicReference<RowBatches<InterruptedException>> batches) {
            super(in);
            this.batches = batches;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (batches.get() != null && in.available() == 0) {
                try {
                    batches.get().flush();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("asked to stop");
                }
            }
            return super.read(bytes, offset, length);
        }
    }

    @Override
    public String description() {
        return "lines at tcp port " + port() + " of the loopback, into model " + target.name();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : senders.values()) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing", e);
        }
        thread.stop();
    }
}
