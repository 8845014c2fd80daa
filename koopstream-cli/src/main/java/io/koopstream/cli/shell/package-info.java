/** What the commands share: options, data and model files, numbers, reports, progress and exit codes. No arithmetic on dictionaries happens here. */
package io.koopstream.cli.shell;
