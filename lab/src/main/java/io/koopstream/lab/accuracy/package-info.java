/** How exact the learned spectra are on systems whose spectrum is known. */
package io.koopstream.lab.accuracy;
