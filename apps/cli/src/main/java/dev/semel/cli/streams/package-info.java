/** {@code semel streams} and {@code semel producers}. */
@NullMarked
package dev.semel.cli.streams;

import org.jspecify.annotations.NullMarked;
