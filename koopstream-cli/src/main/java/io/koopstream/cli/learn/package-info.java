/** Commands that make data and models: simulate and learn, with the report. */
package io.koopstream.cli.learn;
