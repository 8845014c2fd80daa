/** The errors of Koopstream, all unchecked, all under one root. */
package io.koopstream;
