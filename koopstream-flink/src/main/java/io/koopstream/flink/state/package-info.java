/** What all stored state has in common: a version before every value, and a refusal in words of what cannot be read. */
package io.koopstream.flink.state;
