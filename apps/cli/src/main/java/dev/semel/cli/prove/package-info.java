/**
 * {@code semel prove}: processes that are killed while they work, and the verdict. The judges are
 * in semel-proof.
 */
@NullMarked
package dev.semel.cli.prove;

import org.jspecify.annotations.NullMarked;
