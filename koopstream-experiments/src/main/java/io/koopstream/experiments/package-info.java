/** The experiments of the paper, each a function of its settings and a seed. Drawing and wording is the command line's. */
package io.koopstream.experiments;
