/** The experiments of the paper as one command each: figures, results beside the paper's, a report. */
package io.koopstream.cli.reproduce;
