/** What the learned operator says about the future: expected paths with their spread. */
package io.koopstream.forecast;
