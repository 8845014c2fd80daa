package io.koopstream.lab.server;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A keep-alive HTTP connection that costs the machine as little as possible: requests are bytes made beforehand. */
final class Connection implements Closeable {

    private final Socket socket;
    private final InputStream in;
    private String tag = "";

    Connection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    }

    /**
     * A request as bytes.
     *
     * @param headers further ones, each with its line end
     */
    static byte[] request(
            int port, String token, String method, String path, String type, byte[] body, String headers) {
        byte[] head = (method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAuthorization: Bearer "
                        + token
                        + "\r\n" + headers + (body.length == 0 ? "" : "Content-Type: " + type + "\r\n")
                        + "Content-Length: "
                        + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = java.util.Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    /** Sends a request and reads its answer; the status. */
    int exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        long length = 0;
        boolean chunked = false;
        tag = "";
        for (String line = line(); !line.isEmpty(); line = line()) {
            String small = line.toLowerCase(Locale.ROOT);
            if (small.startsWith("content-length:")) {
                length = Long.parseLong(small.substring(15).strip());
            } else if (small.startsWith("transfer-encoding:")) {
                chunked = small.contains("chunked");
            } else if (small.startsWith("etag:")) {
                tag = line.substring(5).strip();
            }
        }
        in.skipNBytes(length);
        while (chunked) {
            int chunk = Integer.parseInt(line(), 16);
            in.skipNBytes(chunk);
            line();
            chunked = chunk > 0;
        }
        return status;
    }

    /** The entity tag of the last answer; empty when it had none. */
    String tag() {
        return tag;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
