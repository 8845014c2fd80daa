/** The server as a whole: what a program or the command starts. */
package io.koopstream.server;
