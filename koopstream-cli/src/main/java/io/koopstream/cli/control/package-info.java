/** The control commands: from logged transitions to a controller, its decisions and its score. */
package io.koopstream.cli.control;
