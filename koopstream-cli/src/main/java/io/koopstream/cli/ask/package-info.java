/** Commands that ask a model file: spectrum, eigenfunctions, sets, forecast, info and export. */
package io.koopstream.cli.ask;
