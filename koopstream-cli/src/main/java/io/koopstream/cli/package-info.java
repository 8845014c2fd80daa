/** The koop command: its main class, the list of commands and the words for what goes wrong. What each command does is in the packages below. */
package io.koopstream.cli;
