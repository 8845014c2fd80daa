/** Errors as answers. */
package io.koopstream.server.http.error;
