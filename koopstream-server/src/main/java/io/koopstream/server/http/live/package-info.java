/** What pages and monitors watch: event streams, the files of the page, metrics. */
package io.koopstream.server.http.live;
