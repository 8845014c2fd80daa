/** What makes samples and models outlive the process: a checksummed log in segments, snapshots, recovery. Knows bytes and records. */
package io.koopstream.server.durable;
