/** Forecasts by the learned operator: expected paths with their spread. */
package io.koopstream.forecast;
