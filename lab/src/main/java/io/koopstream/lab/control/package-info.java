/** How good learned controllers are, beside dynamic programming with the true model. */
package io.koopstream.lab.control;
