/** Commands that keep what a server has learned: check, repair, backup, restore. */
package io.koopstream.cli.keep;
