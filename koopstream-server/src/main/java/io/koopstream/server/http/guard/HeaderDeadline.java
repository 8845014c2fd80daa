package io.koopstream.server.http.guard;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections that send the head of a request so slowly that it is not complete after the time a request may take. Each byte would
 * begin the idle time anew, so that alone does not help.
 */
public final class HeaderDeadline implements Connection.Listener {

    private final Scheduler scheduler;
    private final Duration time;

    /** @param time how long the head of a request may take */
    public HeaderDeadline(Scheduler scheduler, Duration time) {
        this.scheduler = scheduler;
        this.time = time;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            // Nothing was sent yet: the first look finds whatever came since.
            lookLater(http, 0, -1);
        }
    }

    private void lookLater(HttpConnection connection, long requests, long bytes) {
        scheduler.schedule(() -> look(connection, requests, bytes), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look(HttpConnection connection, long requestsBefore, long bytesBefore) {
        if (!connection.getEndPoint().isOpen()) {
            return;
        }
        long requests = connection.getMessagesIn();
        long bytes = connection.getBytesIn();
        boolean answering = requests > connection.getMessagesOut();
        if (!answering && requests == requestsBefore && bytes > bytesBefore) {
            connection.getEndPoint().close();
            return;
        }
        lookLater(connection, requests, bytes);
    }

    @Override
    public void onClosed(Connection connection) {
        // Seen at the next look.
    }
}
