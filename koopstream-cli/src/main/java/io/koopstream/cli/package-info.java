/** The koop command: parses, calls the library, prints. No arithmetic on dictionaries happens here. */
package io.koopstream.cli;
