/** Questions about a model and what it answers, as documents. */
package io.koopstream.server.http.ask;
