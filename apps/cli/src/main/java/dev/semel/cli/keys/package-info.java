/** {@code semel keys} and {@code semel cleanup}: look at keys, release and delete them. */
@NullMarked
package dev.semel.cli.keys;

import org.jspecify.annotations.NullMarked;
