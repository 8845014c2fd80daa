/** The demo, and the command that runs the experiments of the paper and reports on them. */
package io.koopstream.cli.demo;
