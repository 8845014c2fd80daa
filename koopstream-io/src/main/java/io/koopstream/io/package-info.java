/** Models on disk: one file format, a writer that replaces a file in one step, and a reader that believes nothing unchecked. */
package io.koopstream.io;
