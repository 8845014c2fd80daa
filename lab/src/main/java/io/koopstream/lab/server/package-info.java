/** The server under load: rates, latencies, readers, and a long run. */
package io.koopstream.lab.server;
