/** One stream in very many parts, without a cluster: what they tell each other, counted. */
package io.koopstream.lab.scale;
