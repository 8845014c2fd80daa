/** Learned controllers as files, and those that a server answers with. */
package io.koopstream.server.policy;
