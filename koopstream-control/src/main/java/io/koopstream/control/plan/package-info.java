/** Planning with a model of the successor: the problem, value iteration, and the greedy policy of a plan. */
package io.koopstream.control.plan;
