/**
 * {@code semel prove}: kills processes while they work, and shows the verdict. The judges are in
 * semel-proof.
 */
@NullMarked
package dev.semel.cli.prove;

import org.jspecify.annotations.NullMarked;
