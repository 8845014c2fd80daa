/** Environments with Gymnasium's conventions, the boxes and grids of their actions, and episodes in them. */
package io.koopstream.control.env;
