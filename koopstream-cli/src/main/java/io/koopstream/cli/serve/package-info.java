/** Commands that run something larger than themselves: the server and the tour of the Flink job. */
package io.koopstream.cli.serve;
