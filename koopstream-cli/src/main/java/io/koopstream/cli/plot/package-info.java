/** Pictures for papers: PNG and SVG at column width, with colours that colour-blind readers can tell apart. */
package io.koopstream.cli.plot;
