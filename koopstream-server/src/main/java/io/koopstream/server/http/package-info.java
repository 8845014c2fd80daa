/**
 * The HTTP interface of the server: the socket and every address. Errors are in {@code error}, who may ask in {@code guard}, what may be
 * sent in {@code ingest}, what is answered in {@code ask}, what is watched in {@code live}; none of them sees this package. docs/server.md
 * is its guide, docs/security.md its threat table.
 */
package io.koopstream.server.http;
