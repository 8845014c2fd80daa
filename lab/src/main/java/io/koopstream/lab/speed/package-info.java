/** How fast learners, kernels and eigenpairs are, beside what the machine itself can do. */
package io.koopstream.lab.speed;
