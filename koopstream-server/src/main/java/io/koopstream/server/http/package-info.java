/** The HTTP interface of the server: who may ask, what may be sent, and what is answered. docs/server.md is its guide, docs/security.md its threat table. */
package io.koopstream.server.http;
