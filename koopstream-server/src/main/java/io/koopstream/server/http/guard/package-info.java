/** Who may ask, how much, how fast and in what form: all that is checked before a request means anything. */
package io.koopstream.server.http.guard;
