/** Text of numbers, the same in every JVM. */
package io.koopstream.internal.text;
