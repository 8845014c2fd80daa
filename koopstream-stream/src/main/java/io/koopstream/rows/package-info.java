/** Rows of a stream as trajectories of states: preparation, missing values, gaps, delays. */
package io.koopstream.rows;
