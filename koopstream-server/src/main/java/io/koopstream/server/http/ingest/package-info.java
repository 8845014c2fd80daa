/** Samples on their way in: bodies, lines, packed numbers and sockets. */
package io.koopstream.server.http.ingest;
