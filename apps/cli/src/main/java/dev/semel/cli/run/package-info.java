/** {@code semel run} and {@code semel bench}: run a command once per key. */
@NullMarked
package dev.semel.cli.run;

import org.jspecify.annotations.NullMarked;
