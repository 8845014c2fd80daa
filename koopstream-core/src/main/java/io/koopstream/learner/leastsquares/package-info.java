/** Online least squares on a dictionary: sums that add up, read for any ridge, judged on held-out pairs, merged across machines. */
package io.koopstream.learner.leastsquares;
