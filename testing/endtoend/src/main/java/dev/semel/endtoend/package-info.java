/** Tests from a transaction to an effect, over any transport and with processes that are killed. */
@NullMarked
package dev.semel.endtoend;

import org.jspecify.annotations.NullMarked;
