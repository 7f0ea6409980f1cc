/** {@code semel serve} and {@code semel gateway}: start a server and stop it in order. */
@NullMarked
package dev.semel.cli.serve;

import org.jspecify.annotations.NullMarked;
