/** Functions for Flink SQL over published models. */
package io.koopstream.flink.sql;
