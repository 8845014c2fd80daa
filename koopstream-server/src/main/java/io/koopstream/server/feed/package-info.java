/** Sources of samples beside HTTP: a file that grows, lines over TCP, a built-in simulator. */
package io.koopstream.server.feed;
