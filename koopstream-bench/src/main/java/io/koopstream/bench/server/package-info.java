/** The server under load: rates, latencies, readers, and a long run. */
package io.koopstream.bench.server;
